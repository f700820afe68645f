// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/study_page.h"
#include "tests/support/catch.h"

using namespace strobe::platform;

namespace {

StudyCell cell(double measured, std::optional<double> paper)
{
    StudyCell cell;
    cell.workload = "SLC write";
    cell.setting = "1 x 2, CONV";
    cell.measured = measured;
    cell.paper = paper;
    cell.unit = "MB/s";
    return cell;
}

StudyPage twoStudies()
{
    StudyPage page;
    page.program = "Strobe 0.1.0, SystemC 2.3.4";
    Study tables;
    tables.name = "tables";
    tables.paper = "A paper of tables";
    tables.cells = {cell(101, 100), cell(97, 100), cell(5, std::nullopt)};
    tables.fitted = {{"latency", "1us", "", ""}};
    Study words;
    words.name = "words";
    words.paper = "A paper | of words";
    words.cells = {cell(7, std::nullopt)};
    words.statements = {{"1-1", "2", "grows", {2}, "", Verdict::Holds, "judged so", ""},
                        {"1-2", "2", "shrinks", {3}, "%", Verdict::DoesNotHold, "it, \"too\", grows", ""},
                        {"1-3", "2", "is steady", {1, 0.5, 5}, "%", Verdict::Undecided, "the seeds differ", ""}};
    page.chapters = {{"strobe reproduce tables", tables, "Table 3\n"}, {"strobe reproduce words", words, "Words\n"}};
    return page;
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a page shows each study at a glance: printed values and their mean error, statements, fitted parameters")
{
    const std::string text = markdownOf(twoStudies());
    CHECK(contains(text, "| [tables](#tables) | A paper of tables | 2 | 2.0 % | none | 1 |"));
    CHECK(contains(text, "| [words](#words) | A paper \\| of words | none | - | 1 of 3, 1 undecided | 0 |"));
    CHECK(contains(text, "`strobe reproduce tables` prints:\n\n```\nTable 3\n```\n"));
}

TEST_CASE("a page lists what does not hold or is undecided, with its reason, and nothing that holds")
{
    const std::string text = markdownOf(twoStudies());
    CHECK(contains(text, "| words | 1-2 | shrinks | 3.000 % | does not hold | it, \"too\", grows |"));
    CHECK(contains(text, "| words | 1-3 | is steady | 1.000 +/- 0.500 % | undecided | the seeds differ |"));
    CHECK_FALSE(contains(text, "| words | 1-1 |"));
    StudyPage held = twoStudies();
    held.chapters.pop_back();
    CHECK(contains(markdownOf(held), "## What does not hold or is undecided\n\nNothing.\n"));
    held.chapters.clear();
    CHECK(contains(markdownOf(held), "## What does not hold or is undecided\n\nNothing was run.\n"));
}

TEST_CASE("a page shows what was set, and what is missing")
{
    StudyPage page = twoStudies();
    CHECK_FALSE(contains(markdownOf(page), "Set for all runs"));
    page.settings = {"firmware.mode=rv32", "seed=2"};
    page.missing = {"more: interrupted", "other: no figure 3"};
    CHECK(contains(markdownOf(page), "Set for all runs: `firmware.mode=rv32`, `seed=2`"));
    CHECK(contains(markdownOf(page), "MISSING: more: interrupted; other: no figure 3"));
    CHECK(contains(summaryText(page), "MISSING: more: interrupted; other: no figure 3"));
}

TEST_CASE("CSV of several studies has one head and the study's name in the first column")
{
    const StudyPage page = twoStudies();
    CHECK(csvOf(page) == "study,figure,workload,setting,quantity,measured,paper,unit\n"
                         "tables,,SLC write,\"1 x 2, CONV\",,101.0000,100.00,MB/s\n"
                         "tables,,SLC write,\"1 x 2, CONV\",,97.0000,100.00,MB/s\n"
                         "tables,,SLC write,\"1 x 2, CONV\",,5.0000,,MB/s\n"
                         "words,,SLC write,\"1 x 2, CONV\",,7.0000,,MB/s\n");
    CHECK(statementsCsvOf(page) ==
          "study,claim,statement,measured,half_width,seeds,unit,verdict,evidence,reason\n"
          "words,1-1,\"grows\",2.0000,0.0000,1,,holds,yes,\"judged so\"\n"
          "words,1-2,\"shrinks\",3.0000,0.0000,1,%,does not hold,yes,\"it, \"\"too\"\", grows\"\n"
          "words,1-3,\"is steady\",1.0000,0.5000,5,%,undecided,yes,\"the seeds differ\"\n");
}
