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
    words.statements = {{"1-1", "2", "grows", 2, "", true, "judged so"},
                        {"1-2", "2", "shrinks", 3, "%", false, "it, \"too\", grows"}};
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
    CHECK(contains(text, "| [words](#words) | A paper \\| of words | none | - | 1 of 2 | 0 |"));
    CHECK(contains(text, "`strobe reproduce tables` prints:\n\n```\nTable 3\n```\n"));
}

TEST_CASE("a page lists what does not hold, with its reason, and nothing that does")
{
    const std::string text = markdownOf(twoStudies());
    CHECK(contains(text, "| words | 1-2 | shrinks | 3.000 % | it, \"too\", grows |"));
    CHECK_FALSE(contains(text, "| words | 1-1 |"));
    StudyPage held = twoStudies();
    held.chapters.pop_back();
    CHECK(contains(markdownOf(held), "## What does not hold\n\nNothing.\n"));
    held.chapters.clear();
    CHECK(contains(markdownOf(held), "## What does not hold\n\nNothing was run.\n"));
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
    CHECK(statementsCsvOf(page) == "study,claim,statement,measured,unit,holds,reason\n"
                                   "words,1-1,\"grows\",2.0000,,yes,\"judged so\"\n"
                                   "words,1-2,\"shrinks\",3.0000,%,no,\"it, \"\"too\"\", grows\"\n");
}
