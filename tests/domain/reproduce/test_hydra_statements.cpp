// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/reproduce/judged.h"
#include "tests/support/catch.h"

#include <tuple>
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
    for (const char* workload : {"xp-startup", "application-loading", "general-usage", "virus-scan", "file-write"}) {
        add(points, 16, workload, "recorded flushes", 50);
        add(points, 16, workload, "recorded flushes, optimised", 55);
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
    REQUIRE(statements.size() == 3);
    CHECK(statements[0].claim == "10-1");
    CHECK(statements[1].claim == "16-1");
    CHECK(statements[2].claim == "16-2");
}

TEST_CASE("a statement holds within its limits and not beyond them")
{
    CHECK(statement(flushes(0.2, 0, 0), "16-1").holds());
    CHECK(statement(flushes(0.2, 0, 0), "16-1").measured.mean == Approx(20));
    CHECK(statement(flushes(0.2, 0, 0), "16-1").unit == "%");
    CHECK_FALSE(statement(flushes(0.09, 0, 0), "16-1").holds());
    CHECK_FALSE(statement(flushes(0.31, 0, 0), "16-1").holds());
    CHECK(statement(flushes(0.2, 0.049, -0.049), "16-2").holds());
    CHECK_FALSE(statement(flushes(0.2, 0, -0.051), "16-2").holds()); // a loss is an effect too
}

TEST_CASE("a reason is given where a statement of Hydra does not hold, and only there")
{
    const std::string why = "How often a flush comes is assumed";
    CHECK(statement(flushes(0.05, 0, 0), "16-1").reason.find(why) != std::string::npos);
    CHECK(statement(flushes(0.2, 0, 0), "16-1").reason.find(why) == std::string::npos);
    CHECK(statement(flushes(0.2, 0, 0), "16-1").reason ==
          "mean gain: xp-startup 20.0 %, application-loading 20.0 %, general-usage 20.0 %; 10 to 30 %. With flushes as "
          "recorded, four times as many (experiment): xp-startup 10.0 %, application-loading 10.0 %, general-usage "
          "10.0 %, mean 10.0 %");
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
    CHECK(statement(cells(70, 1), "5-1").measured.mean == Approx(157.14).epsilon(0.001));
    CHECK(statement(cells(70, 1), "5-1").holds());
    CHECK_FALSE(statement(cells(80, 1), "5-1").holds());
    CHECK(statement(cells(70, 1), "5-2").holds());
    CHECK_FALSE(statement(cells(70, 6), "5-2").holds());
}

TEST_CASE("reserved buses impair a drive if each component loses substantially")
{
    const auto cells = [](double coarseRate, double coarseBusy) {
        Points points = declared();
        for (const char* workload : {"xp-startup", "application-loading", "general-usage", "file-write"}) {
            const bool isWrite = workload == std::string("file-write");
            add(points, 7, workload, "fine", 40);
            add(points, 7, workload, "fine", 30, "buses busy");
            add(points, 7, workload, "coarse", isWrite ? coarseRate : 20);
            add(points, 7, workload, "coarse", isWrite ? coarseBusy : 10, "buses busy");
        }
        return points;
    };
    CHECK(statement(cells(30, 20), "7-1").holds());
    CHECK(statement(cells(30, 20), "7-1").measured.mean == Approx(33.33).epsilon(0.001));
    CHECK_FALSE(statement(cells(30, 28), "7-1").holds());
    CHECK(statement(cells(30, 20), "7-2").holds());
    CHECK_FALSE(statement(cells(37, 20), "7-2").holds());
}

TEST_CASE("units improve a component gradually if each step does")
{
    const auto cells = [](double withSixteen) {
        Points points = declared();
        for (const char* workload :
             {"xp-startup", "application-loading", "general-usage", "virus-scan", "file-write"}) {
            for (const auto& [setting, rate] : std::vector<std::pair<std::string, double>>{
                     {"1 unit", 20}, {"2 units", 30}, {"4 units", 40}, {"8 units", 40.5}, {"16 units", withSixteen}})
                add(points, 13, workload, setting, rate);
            for (const char* setting : {"1 unit", "2 units", "4 units", "8 units", "16 units"})
                add(points, 13, workload, std::string("fast host, ") + setting, 50);
        }
        return points;
    };
    CHECK(statement(cells(41), "13-1").holds());
    CHECK(statement(cells(41), "13-1").measured.mean == Approx(1.235).epsilon(0.001));
    CHECK_FALSE(statement(cells(40.5), "13-1").holds());
    CHECK_FALSE(statement(cells(40.4), "13-1").holds()); // though 16 are far better than one
}

TEST_CASE("more buses and chips improve a component if each step does, and the whole substantially")
{
    // Throughput by buses and chips; `worst`: of File Write with 4 x 4.
    const auto cells = [](double worst) {
        Points points = declared();
        for (const char* workload :
             {"xp-startup", "application-loading", "general-usage", "virus-scan", "file-write"}) {
            for (const int buses : {1, 2, 4}) {
                for (const int chips : {1, 2, 4})
                    add(points, 11, workload, std::to_string(buses) + " x " + std::to_string(chips),
                        10 * buses + 2 * chips);
            }
        }
        add(points, 11, "virus-scan", "4 x 4", 40);                                           // the host limits it
        for (const char* workload : {"xp-startup", "application-loading", "general-usage"}) { // the experiment
            for (const char* setting :
                 {"4 x 2, blocks of 32 pages", "2 x 4, blocks of 32 pages", "4 x 4, blocks of 16 pages"})
                add(points, 11, workload, setting, 50);
        }
        add(points, 11, "file-write", "4 x 4", worst);
        return points;
    };
    CHECK(statement(cells(48), "11-1").holds());
    CHECK(statement(cells(48), "11-2").holds());
    CHECK_FALSE(statement(cells(43), "11-2").holds()); // less than with 4 x 2, though more than with 4 x 1
    CHECK_FALSE(statement(cells(27), "11-1").holds()); // less than with 2 x 4
}

TEST_CASE("the watermark is compared with a buffer of the same size")
{
    const auto cells = [](double withWatermark) {
        Points points = declared();
        for (const char* workload : {"xp-startup", "application-loading", "general-usage", "virus-scan"}) {
            for (const char* size : {"1 MiB", "2 MiB", "4 MiB", "8 MiB"}) {
                add(points, 12, workload, size, 40);
                add(points, 12, workload, std::string("watermark ") + size, withWatermark);
            }
        }
        return points;
    };
    CHECK(statement(cells(41.9), "12-4").holds());
    CHECK_FALSE(statement(cells(42.1), "12-4").holds()); // though it does not depend on the watermark
}

TEST_CASE("priority is judged with the flushes that were recorded, too")
{
    const auto cells = [](double often) {
        Points points = declared();
        for (const char* workload :
             {"xp-startup", "application-loading", "general-usage", "virus-scan", "file-write"}) {
            for (const char* setting : {"no priority", "priority", "recorded flushes, no priority"})
                add(points, 14, workload, setting, 50);
            add(points, 14, workload, "recorded flushes, priority", often);
        }
        return points;
    };
    CHECK(statement(cells(52), "14-1").holds());
    CHECK_FALSE(statement(cells(53), "14-1").holds());
    CHECK(statement(cells(54), "14-2").holds());
    CHECK_FALSE(statement(cells(56), "14-2").holds());
}

TEST_CASE("a difference is bounded if its threshold bounds it and it does not grow as without levelling")
{
    const auto cells = [](double largest, double end) {
        Points points = declared();
        for (const auto& [setting, half, last] :
             std::vector<std::tuple<std::string, double, double>>{{"explicit alone", 10, end}, {"neither", 160, 320}}) {
            add(points, 22, "wear", setting, half, "difference at 1/2");
            add(points, 22, "wear", setting, last, "difference at the end");
        }
        add(points, 22, "wear", "explicit alone", largest, "largest difference");
        return points;
    };
    CHECK(statement(cells(24, 18), "22-1").holds());
    CHECK(statement(cells(24, 18), "22-1").measured.mean == Approx(3));
    CHECK_FALSE(statement(cells(25, 18), "22-1").holds()); // more than three times 8
    CHECK_FALSE(statement(cells(24, 19), "22-1").holds()); // grows by more than 5 % of 160
}

TEST_CASE("the figures of Hydra have the points that its statements need")
{
    const Judge judge(paperOf("hydra"), "paper.json");
    CHECK_NOTHROW(judge.check(declared()));
    CHECK(judge.statements() == 41);
}
