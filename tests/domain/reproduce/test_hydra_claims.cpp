// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/hydra_claims.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <fstream>
#include <set>

using namespace strobe;
using namespace strobe::platform;
using nlohmann::json;

namespace {

StudyCell cell(std::uint32_t figure, const std::string& workload, const std::string& setting, double measured,
               const std::string& quantity = "throughput")
{
    StudyCell cell;
    cell.table = figure;
    cell.cell = workload;
    cell.operation = quantity;
    cell.interface = setting;
    cell.measured = measured;
    return cell;
}

// Figure 16: each component's throughput without and with the optimised flush.
std::vector<StudyCell> flushes(double small, double scan, double write)
{
    std::vector<StudyCell> cells;
    for (const auto& [workload, gain] : std::vector<std::pair<std::string, double>>{{"xp-startup", small},
                                                                                    {"application-loading", small},
                                                                                    {"general-usage", small},
                                                                                    {"virus-scan", scan},
                                                                                    {"file-write", write}}) {
        cells.push_back(cell(16, workload, "default", 50));
        cells.push_back(cell(16, workload, "optimised", 50 * (1 + gain)));
    }
    return cells;
}

Statement statement(const std::vector<StudyCell>& cells, const std::string& claim, const json& reasons = json::object())
{
    for (const Statement& s : judgeHydra(cells, reasons)) {
        if (s.claim == claim)
            return s;
    }
    FAIL("no claim " + claim);
    return {};
}

} // namespace

TEST_CASE("only statements whose cells were measured are judged")
{
    CHECK(judgeHydra({}, json::object()).empty());
    const auto statements = judgeHydra(flushes(0.2, 0, 0), json::object());
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

TEST_CASE("a reason is given where a statement does not hold, and only there")
{
    const json reasons = {{"16-1", "Merges are short here."}};
    CHECK(statement(flushes(0.05, 0, 0), "16-1", reasons).reason.find("Merges are short here.") != std::string::npos);
    CHECK(statement(flushes(0.2, 0, 0), "16-1", reasons).reason.find("Merges") == std::string::npos);
}

TEST_CASE("the rate within a superpage is that of the time in which the buses are busy")
{
    const auto cells = [](double busy, double idleWithTwo) {
        return std::vector<StudyCell>{cell(5, "stream", "4 x 1", 110), cell(5, "stream", "4 x 1", busy, "buses busy"),
                                      cell(5, "stream", "4 x 2", 150),
                                      cell(5, "stream", "4 x 2", 100 - idleWithTwo, "buses busy")};
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
        std::vector<StudyCell> all;
        for (const char* workload :
             {"xp-startup", "application-loading", "general-usage", "virus-scan", "file-write"}) {
            for (const auto& [setting, rate] : std::vector<std::pair<std::string, double>>{
                     {"1 unit", 20}, {"2 units", 30}, {"4 units", 40}, {"8 units", withEight}})
                all.push_back(cell(13, workload, setting, rate));
        }
        return all;
    };
    CHECK(statement(cells(41), "13-1").holds);
    CHECK(statement(cells(41), "13-1").measured == Approx(2.5));
    CHECK_FALSE(statement(cells(40), "13-1").holds);
    CHECK_FALSE(statement(cells(39.9), "13-1").holds); // though eight are far better than one
}

TEST_CASE("a difference is bounded if the second half of the time brings none that is larger")
{
    const auto cells = [](double largest) {
        return std::vector<StudyCell>{cell(22, "wear", "explicit alone", 16, "largest in the first half"),
                                      cell(22, "wear", "explicit alone", largest, "largest difference")};
    };
    CHECK(statement(cells(16), "22-1").holds);
    CHECK_FALSE(statement(cells(17), "22-1").holds);
}

TEST_CASE("a statement that lacks a cell is not judged")
{
    auto cells = flushes(0.2, 0, 0);
    cells.pop_back(); // file-write with the optimised flush
    const auto statements = judgeHydra(cells, json::object());
    REQUIRE(statements.size() == 1);
    CHECK(statements[0].claim == "16-1");
}

TEST_CASE("every figure of the study has the runs that its statements need, and every reason a statement")
{
    std::ifstream file(std::string(STROBE_SOURCE_DIR) + "/scenarios/papers/hydra/paper.json");
    const json paper = json::parse(file);
    std::vector<StudyCell> cells;
    for (const json& figure : paper["figures"]) {
        for (const json& setting : figure["settings"]) {
            for (const std::string workload : figure["workloads"]) {
                for (const std::string quantity : figure["quantities"])
                    cells.push_back(cell(figure["figure"], workload, setting["name"], 1, quantity));
            }
        }
    }
    const auto statements = judgeHydra(cells, paper["reasons"]);
    std::set<std::string> claims;
    for (const Statement& s : statements) {
        CHECK(claims.insert(s.claim).second);
        CHECK_FALSE(s.unit.empty());
        CHECK_FALSE(s.reason.empty());
    }
    CHECK(claims.size() >= 14);
    for (const auto& [claim, reason] : paper["reasons"].items())
        CHECK(claims.count(claim) == 1);
}

TEST_CASE("statements as CSV have texts in quotes")
{
    Study study;
    study.statements = {{"1-1", "a \"quoted\", text", 1.5, "%", true, "why, not"}};
    CHECK(statementsCsvOf(study) == "claim,statement,measured,unit,holds,reason\n"
                                    "1-1,\"a \"\"quoted\"\", text\",1.5000,%,yes,\"why, not\"\n");
}
