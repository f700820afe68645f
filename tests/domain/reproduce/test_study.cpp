// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/study.h"
#include "tests/support/catch.h"

using namespace strobe::platform;

namespace {

Study twoCells()
{
    Study study;
    study.cells = {{{"3", "SLC read", "1 x 2, CONV", "bandwidth"}, 42.5, "MB/s", 42.78},
                   {{"5", "SLC read", "1 x 4, \"CONV\"", "energy"}, 0.57, "nJ/B"}};
    return study;
}

} // namespace

TEST_CASE("cells as CSV have a column for each part of their name, in quotes where a comma needs it")
{
    CHECK(csvOf(twoCells()) == "figure,workload,setting,quantity,measured,paper,unit\n"
                               "3,SLC read,\"1 x 2, CONV\",bandwidth,42.5000,42.78,MB/s\n"
                               "5,SLC read,\"1 x 4, \"\"CONV\"\"\",energy,0.5700,,nJ/B\n");
}

TEST_CASE("statements as CSV have texts in quotes")
{
    Study study;
    study.statements = {{"1-1", "4.2", "a \"quoted\", text", {1.5, 0.25, 5}, "%", Verdict::Undecided, "why, not", ""}};
    CHECK(statementsCsvOf(study) == "claim,statement,measured,half_width,seeds,unit,verdict,evidence,reason\n"
                                    "1-1,\"a \"\"quoted\"\", text\",1.5000,0.2500,5,%,undecided,yes,\"why, not\"\n");
}

TEST_CASE("a cell is found by its name, and the parts of names are listed once")
{
    const Study study = twoCells();
    CHECK(study.find({"3", "SLC read", "1 x 2, CONV", "bandwidth"}) == &study.cells[0]);
    CHECK(study.find({"3", "SLC read", "1 x 2, CONV", "energy"}) == nullptr);
    CHECK(study.distinct(&PointName::workload, "", "") == std::vector<std::string>{"SLC read"});
    CHECK(study.distinct(&PointName::setting, "3", "bandwidth") == std::vector<std::string>{"1 x 2, CONV"});
    CHECK(study.points().at(study.cells[0]) == 42.5);
}

TEST_CASE("statements are counted by verdict, and those that are no evidence apart")
{
    const auto of = [](Verdict verdict, const std::string& noEvidence) {
        return Statement{"1", "4", "", {}, "", verdict, "", noEvidence};
    };
    const Tally tally =
        tallyOf({of(Verdict::Holds, ""), of(Verdict::Holds, ""), of(Verdict::Undecided, ""),
                 of(Verdict::DoesNotHold, ""), of(Verdict::Holds, "fitted"), of(Verdict::DoesNotHold, "fitted")});
    CHECK(tally.held == 2);
    CHECK(tally.undecided == 1);
    CHECK(tally.failed == 1);
    CHECK(tally.notEvidence == 2);
    CHECK(tally.text() == "2 of 4, 1 undecided");
    CHECK(tallyOf({of(Verdict::Holds, "fitted")}).text() == "0 of 0");
}

TEST_CASE("a cell as JSON has its samples if it has several, and whether it was predicted")
{
    Study study = twoCells();
    study.cells[0].samples = {42.5, 43};
    study.cells[0].predicted = true;
    const auto cells = nlohmann::json::parse(jsonOf(study, nlohmann::ordered_json::object()))["cells"];
    CHECK(cells[0]["samples"] == nlohmann::json({42.5, 43}));
    CHECK_FALSE(cells[1].contains("samples"));
    CHECK(cells[0]["predicted"] == true);
    CHECK(cells[1]["predicted"] == false);
}
