// SPDX-License-Identifier: Apache-2.0
#include "platform/report/terminal_page.h"
#include "tests/support/catch.h"

#include <sstream>

using namespace strobe::platform;

TEST_CASE("a page has headings after an empty line, indented paragraphs and tables")
{
    TerminalPage page(false);
    page.heading("Flash");
    page.paragraph("one line");
    TextTable table({"", "busy"});
    table.row({"die", "12 %"});
    page.table(table);
    CHECK(page.text() == "\nFlash\n  one line\n" + table.text());
}

TEST_CASE("long paragraphs are wrapped within 98 columns, and every line is indented")
{
    TerminalPage page(false);
    std::string words;
    for (int i = 0; i < 60; ++i)
        words += "word ";
    page.paragraph(words + "end", 4);
    std::istringstream lines(page.text());
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        CHECK(line.size() <= 98);
        CHECK(line.substr(0, 4) == "    ");
        CHECK(line[4] != ' ');
    }
    CHECK(count > 2);
}

TEST_CASE("colour sets headings and failures off, and nothing else")
{
    const auto written = [](bool hasColour) {
        TerminalPage page(hasColour);
        page.heading("Flash");
        page.paragraph("plain");
        page.failure("lost", {"a detail"});
        return page.text();
    };
    CHECK(written(false) == "\nFlash\n  plain\n  lost\n    a detail\n");
    CHECK(written(true) == "\n\033[1mFlash\033[0m\n  plain\n  \033[1;31mlost\033[0m\n    a detail\n");
}
