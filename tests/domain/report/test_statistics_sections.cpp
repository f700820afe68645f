// SPDX-License-Identifier: Apache-2.0
#include "platform/report/statistics_sections.h"
#include "tests/support/catch.h"

#include <set>

using namespace strobe;
using namespace strobe::platform;

TEST_CASE("every declared statistic has a key of its own within its place, a unit and a sentence")
{
    std::set<std::string> seen;
    for (const StatisticsSection& section : statisticsSections()) {
        REQUIRE_FALSE(section.rows.empty());
        for (const StatisticsSection::Row& row : section.rows) {
            INFO(section.place << " (" << section.remark << ") " << row.key);
            CHECK_FALSE(row.sentence.empty());
            CHECK(seen.insert(section.place + section.remark + row.key).second);
        }
    }
}

TEST_CASE("both tables have a row for each statistic, with unit and meaning")
{
    CHECK(statisticsTableMarkdown().find(
              "| `flash.ecc` (all channels) | `corrected_pages` | count | of these, corrected |") != std::string::npos);
    CHECK(statisticsTable().find("link  (host.interface sata)") != std::string::npos);
    CHECK(statisticsTable().find("held_for_memory_ps") != std::string::npos);
    CHECK(statisticsTable().find("in flash ") != std::string::npos); // the unit is in the name of the object
}
