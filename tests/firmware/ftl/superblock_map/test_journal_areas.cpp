// SPDX-License-Identifier: Apache-2.0
//
// The areas of the journal.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::Panic;
using strobe::test::PolicyBench;

TEST_CASE("journal areas: members are used in turn, without failed ones and those of the last two generations")
{
    area area{};
    area.members = 4;
    area.last = 3;
    CHECK(area_next(&area, 7) == 0);
    CHECK(area.generation[0] == 8);
    area.failed[1] = true;
    CHECK(area_next(&area, 7) == 2);
    area.generation[3] = 7; // the present generation is kept until the next one is complete
    CHECK(area_next(&area, 7) == NONE);
    CHECK(area_next(&area, 8) == 3);
    CHECK(area_next(&area, 9) == 0);
    CHECK(area.last == 0);
}

TEST_CASE("journal areas: members come from one superchip and are not used for data")
{
    PolicyBench bench;
    superblocks& all = bench.sbm.superblocks;
    area area{};
    const std::uint32_t usable = all.usable[1];
    area_reserve(&area, &all, 1, 3);
    CHECK(area.members == 3);
    CHECK(all.usable[1] == usable - 3);
    for (std::uint32_t i = 0; i < 3; ++i) {
        CHECK(superchip_of(&bench.sbm.layout, area.member[i]) == 1);
        CHECK(all.superblock[area.member[i]].state == SUPERBLOCK_RESERVED);
    }
    CHECK_THROWS_WITH(area_reserve(&area, &all, 1, AREA_MOST + 1),
                      "superblock mapping: the tables need more superblocks than their area can have");
    while (superblocks_take(&all, 1) != NONE) {
    }
    CHECK_THROWS_WITH(area_reserve(&area, &all, 1, 1), "superblock mapping: too few superblocks for the journal");
}
