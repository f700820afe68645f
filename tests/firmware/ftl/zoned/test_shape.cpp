// SPDX-License-Identifier: Apache-2.0
//
// Where the sectors of zones are.
#include "tests/firmware/ftl/zoned/zoned_headers.h"
#include "tests/support/catch.h"

#include <set>
#include <tuple>

namespace {

boot_block drive(std::uint32_t zoneDies)
{
    boot_block boot{};
    boot.channels = 4;
    boot.ways = 2;
    boot.luns = 1;
    boot.planes = 2;
    boot.pages_per_block = 12;
    boot.program_pages = 3;
    boot.page_bytes = 16384;
    boot.blocks_per_plane = 10;
    boot.zone_dies = zoneDies;
    return boot;
}

} // namespace

TEST_CASE("zone shape: capacity and distance of zones of one die to all dies")
{
    for (const std::uint32_t dies : {1U, 2U, 4U, 8U}) {
        const boot_block boot = drive(dies);
        const zone_shape s = zone_shape_of(&boot);
        CHECK(s.unit_sectors == 2 * 3 * 32);
        CHECK(s.capacity == dies * 2 * 12 * 32);
        CHECK(s.groups * dies == 8);
        CHECK(s.size == dies * 1024);
        CHECK(zoned_zones(&boot, &s, 10) == 8 * s.groups);
    }
}

TEST_CASE("zone shape: a zone may leave the last word lines of its blocks empty")
{
    boot_block boot = drive(4);
    boot.zone_rows = 3;
    const zone_shape s = zone_shape_of(&boot);
    CHECK(s.capacity == 4 * 2 * 9 * 32);
    CHECK(s.size == 4096);
    const zone_page last = zone_page_of(&s, s.capacity / s.page_sectors - 1);
    CHECK(last.sector == (3 * 3 - 1) * s.page_sectors);
    CHECK(zoned_zones(&boot, &s, 10) == 8 * 2); // as many as of whole blocks
}

TEST_CASE("zone shape: spare blocks are divided between planes, two of each plane are for saves, and a capacity limits "
          "the zones")
{
    boot_block boot = drive(4);
    boot.spare_blocks = 3;
    const zone_shape s = zone_shape_of(&boot);
    CHECK(zoned_zones(&boot, &s, 9) == 5 * 2);
    CHECK(zoned_zones(&boot, &s, 4) == 0);
    boot.capacity_lo = 5 * s.size + 1;
    CHECK(zoned_zones(&boot, &s, 9) == 5);
    boot.capacity_lo = 50 * s.size;
    CHECK(zoned_zones(&boot, &s, 9) == 10);
}

TEST_CASE("zone shape: the pages of a unit go to the planes of a die in turn, units to the dies of the zone")
{
    const boot_block boot = drive(4);
    const zone_shape s = zone_shape_of(&boot);
    std::set<std::tuple<std::uint32_t, std::uint32_t>> places;
    for (std::uint32_t page = 0; page < s.capacity / s.page_sectors; ++page) {
        const zone_page p = zone_page_of(&s, page);
        CHECK(p.unit == page / 6);
        CHECK(p.member == p.unit % 4 * 2 + page % 2);
        CHECK(p.slot == page % 2 * 3 + page % 6 / 2);
        CHECK(p.sector < 12 * 32);
        places.insert({p.member, p.sector});
    }
    CHECK(places.size() == s.capacity / s.page_sectors);
}

TEST_CASE("zone shape: neighbouring zones are on different dies, and each group has its own")
{
    const boot_block boot = drive(2);
    const zone_shape s = zone_shape_of(&boot);
    std::set<std::uint32_t> dies;
    for (std::uint32_t zone = 0; zone < s.groups; ++zone) {
        for (std::uint32_t member = 0; member < s.members; ++member)
            dies.insert(zone_die(&s, zone, member));
    }
    CHECK(dies.size() == 8);
    CHECK(zone_die(&s, 0, 0) == zone_die(&s, s.groups, 0));
}
