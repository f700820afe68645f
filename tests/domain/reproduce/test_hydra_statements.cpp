// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/reproduce/judged.h"
#include "tests/support/catch.h"

#include <utility>

using namespace strobe;
using namespace strobe::platform;
using nlohmann::json;

namespace {

void add(Points& points, std::uint32_t figure, const std::string& workload, const std::string& setting, double measured,
         const std::string& quantity = "throughput")
{
    points.measure({std::to_string(figure), workload, setting, quantity}, measured);
}

// Every point that the figures of the study have, not measured.
Points declared()
{
    Points points;
    const json paper = paperOf("hydra");
    for (const json& figure : paper["figures"]) {
        for (const json& setting : figure["settings"]) {
            for (const std::string workload : figure["workloads"]) {
                for (const std::string quantity : figure["quantities"])
                    points.declare({figure["figure"], workload, setting["name"], quantity});
            }
        }
    }
    return points;
}

// Figure 16: each component's throughput without and with the optimised flush.
Points flushes(double small, double scan, double write)
{
    Points points = declared();
    for (const auto& [workload, gain] : std::vector<std::pair<std::string, double>>{{"xp-startup", small},
                                                                                    {"application-loading", small},
                                                                                    {"general-usage", small},
                                                                                    {"virus-scan", scan},
                                                                                    {"file-write", write}}) {
        add(points, 16, workload, "default", 50);
        add(points, 16, workload, "optimised", 50 * (1 + gain));
    }
    return points;
}

Statement statement(const Points& points, const std::string& claim)
{
    for (const Statement& s : judgedOf("hydra", points)) {
        if (s.claim == claim)
            return s;
    }
    FAIL("no claim " + claim);
    return {};
}

} // namespace

TEST_CASE("only statements of Hydra whose points were measured are judged")
{
    CHECK(judgedOf("hydra", declared()).empty());
    const auto statements = judgedOf("hydra", flushes(0.2, 0, 0));
    REQUIRE(statements.size() == 2);
    CHECK(statements[0].claim == "16-1");
    CHECK(statements[1].claim == "16-2");
}

TEST_CASE("a statement holds within its limits and not beyond them")
{
    CHECK(statement(flushes(0.2, 0, 0), "16-1").holds);
    CHECK(statement(flushes(0.2, 0, 0), "16-1").measured == Approx(20));
    CHECK(statement(flushes(0.2, 0, 0), "16-1").unit == "%");
    CHECK_FALSE(statement(flushes(0.09, 0, 0), "16-1").holds);
    CHECK_FALSE(statement(flushes(0.31, 0, 0), "16-1").holds);
    CHECK(statement(flushes(0.2, 0.049, -0.049), "16-2").holds);
    CHECK_FALSE(statement(flushes(0.2, 0, -0.051), "16-2").holds); // a loss is an effect too
}

TEST_CASE("a reason is given where a statement of Hydra does not hold, and only there")
{
    const std::string why = "how often a flush comes";
    CHECK(statement(flushes(0.05, 0, 0), "16-1").reason.find(why) != std::string::npos);
    CHECK(statement(flushes(0.2, 0, 0), "16-1").reason.find(why) == std::string::npos);
    CHECK(statement(flushes(0.2, 0, 0), "16-1").reason ==
          "mean gain: xp-startup 20.0 %, application-loading 20.0 %, general-usage 20.0 %; 10 to 30 %");
}

TEST_CASE("the rate within a superpage is that of the time in which the buses are busy")
{
    const auto cells = [](double busy, double idleWithTwo) {
        Points points = declared();
        add(points, 5, "stream", "4 x 1", 110);
        add(points, 5, "stream", "4 x 1", busy, "buses busy");
        add(points, 5, "stream", "4 x 2", 150);
        add(points, 5, "stream", "4 x 2", 100 - idleWithTwo, "buses busy");
        return points;
    };
    CHECK(statement(cells(70, 1), "5-1").measured == Approx(157.14).epsilon(0.001));
    CHECK(statement(cells(70, 1), "5-1").holds);
    CHECK_FALSE(statement(cells(80, 1), "5-1").holds);
    CHECK(statement(cells(70, 1), "5-2").holds);
    CHECK_FALSE(statement(cells(70, 6), "5-2").holds);
}

TEST_CASE("units improve a component gradually if each step does")
{
    const auto cells = [](double withEight) {
        Points points = declared();
        for (const char* workload :
             {"xp-startup", "application-loading", "general-usage", "virus-scan", "file-write"}) {
            for (const auto& [setting, rate] : std::vector<std::pair<std::string, double>>{
                     {"1 unit", 20}, {"2 units", 30}, {"4 units", 40}, {"8 units", withEight}})
                add(points, 13, workload, setting, rate);
        }
        return points;
    };
    CHECK(statement(cells(41), "13-1").holds);
    CHECK(statement(cells(41), "13-1").measured == Approx(2.5));
    CHECK_FALSE(statement(cells(40), "13-1").holds);
    CHECK_FALSE(statement(cells(39.9), "13-1").holds); // though eight are far better than one
}

TEST_CASE("a difference is bounded if the second half of the time brings none that is larger")
{
    const auto cells = [](double largest) {
        Points points = declared();
        add(points, 22, "wear", "explicit alone", 16, "largest in the first half");
        add(points, 22, "wear", "explicit alone", largest, "largest difference");
        return points;
    };
    CHECK(statement(cells(16), "22-1").holds);
    CHECK_FALSE(statement(cells(17), "22-1").holds);
}

TEST_CASE("the figures of Hydra have the points that its statements need")
{
    const Judge judge(paperOf("hydra"), "paper.json");
    CHECK_NOTHROW(judge.check(declared()));
    CHECK(judge.statements() == 37);
}
