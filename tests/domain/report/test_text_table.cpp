// SPDX-License-Identifier: Apache-2.0
#include "platform/report/text_table.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;

TEST_CASE("columns are as wide as their longest cell; the first is aligned to the left")
{
    TextTable table({"", "jobs", "busy"});
    CHECK(table.empty());
    table.row({"cpu", "1,000", ""});
    table.row({"host link", "7", "3 %"});
    CHECK_FALSE(table.empty());
    CHECK(table.text() == "              jobs  busy\n"
                          "  cpu        1,000\n"
                          "  host link      7   3 %\n");
}

TEST_CASE("numbers have four digits and a unit")
{
    CHECK(grouped(1'234'567) == "1,234,567");
    CHECK(grouped(123) == "123");
    CHECK(shortTime(152'300ns) == "152.3 us");
    CHECK(shortTime(Time{}) == "0");
    CHECK(shortBytes(999) == "999 B");
    CHECK(shortBytes(112'345'678) == "112.3 MB");
    CHECK(shortEnergy(0.0012344) == "1.234 mJ");
    CHECK(shortPercent(0.1234) == "12.3 %");
    CHECK(counted(1, "addresses folded into the drive") == "1 address folded into the drive");
    CHECK(counted(1, "requests failed") == "1 request failed");
    CHECK(counted(1, "pages") == "1 page");
    CHECK(counted(0, "pages") == "0 pages");
    CHECK(counted(1234, "pages") == "1,234 pages");
    CHECK(shortNumber(12'345.6) == "12,346");
}

TEST_CASE("text is wrapped at spaces, and a word that is too long is cut")
{
    CHECK(wrapped("one two three", 8) == std::vector<std::string>{"one two", "three"});
    CHECK(wrapped("abcdefgh", 3) == std::vector<std::string>{"abc", "def", "gh"});
    CHECK(wrapped("", 3) == std::vector<std::string>{""});
}
