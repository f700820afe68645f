// SPDX-License-Identifier: Apache-2.0
//
// The numbers of blocks with several members: every unit has one place, places and blocks can be converted back.
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

#include <set>
#include <tuple>

using namespace strobe::test;

namespace {

// 2 channels x 2 ways with 2 planes; a block spans `width` dies and one plane or both. Planes of the flash have `bad`
// bad blocks each, the first ones for even planes, the last ones for odd planes.
struct Joined {
    geometry g{};
    std::vector<std::uint16_t> members;

    Joined(std::uint32_t width, std::uint32_t rowPlanes, std::uint32_t bad = 0, std::uint32_t wordLine = 1)
    {
        boot_block boot{};
        boot.channels = boot.ways = 2;
        boot.luns = 1;
        boot.planes = 2;
        boot.blocks_per_plane = 5;
        boot.pages_per_block = 4;
        boot.page_bytes = 8192;
        boot.mapping_unit = 4096;
        boot.program_pages = wordLine;
        boot.row_planes = rowPlanes;
        boot.superblock_dies = width;
        boot.pslc_pages = 2;
        g = geometry_of(&boot);
        members.assign(4 * 2 * 5, 0);
        for (std::uint32_t plane = 0; plane < 8; ++plane) {
            for (std::uint32_t i = 0; i + bad < 5; ++i)
                members[plane * 5 + i] = static_cast<std::uint16_t>(plane % 2 == 0 ? i + bad : i);
        }
        g.members = members.data();
    }
};

} // namespace

TEST_CASE("geometry: each unit of joined blocks has a place of its own, and all places of the flash are used",
          "[geometry]")
{
    using Row = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
    for (const auto& [width, rows, wordLine] : {Row{1, 2, 1}, {2, 1, 1}, {4, 2, 1}, {1, 2, 2}, {2, 2, 4}}) {
        CAPTURE(width, rows, wordLine);
        const Joined joined(width, rows, 0, wordLine);
        const geometry& g = joined.g;
        std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> places;
        for (std::uint32_t unit = 0; unit < g.units; ++unit) {
            const flash_place place = place_of_unit(&g, unit, 0);
            CHECK(place.sector % g.sectors_per_unit == 0);
            CHECK(place.sector < 4 * 16);
            CHECK(place.die < 4);
            CHECK(place.block < 10);
            CHECK_FALSE(place.pslc);
            places.insert({place.die, place.block, place.sector});
            CHECK(place_of_unit(&g, unit, 3).sector == place.sector + 3);
            CHECK(geometry_block_at(&g, place.die, place.block) == block_of_unit(&g, unit));
        }
        CHECK(places.size() == g.units);
    }
}

TEST_CASE("geometry: pages of a block take turns over its dies, which are on different channels", "[geometry]")
{
    const Joined joined(4, 1);
    const geometry& g = joined.g;
    CHECK(g.pages_per_block == 16);
    std::vector<std::uint32_t> dies;
    for (std::uint32_t page = 0; page < 8; ++page)
        dies.push_back(place_of_unit(&g, unit_of_page(&g, 0, page), 0).die);
    CHECK(dies == std::vector<std::uint32_t>{0, 2, 1, 3, 0, 2, 1, 3}); // channels 0, 1, 0, 1
    CHECK(place_of_unit(&g, unit_of_page(&g, 0, 5), 0).sector == 16);  // the second page of its die
    for (std::uint32_t page = 0; page < 8; ++page)
        CHECK(die_of_page(&g, 0, page) == dies[page]);
    for (std::uint32_t die = 0; die < 4; ++die)
        CHECK(group_of_die(&g, die) == 0);
}

TEST_CASE("geometry: strips of a row are in the planes of a die, in the order of the units", "[geometry]")
{
    const Joined joined(1, 2);
    const geometry& g = joined.g;
    const std::uint32_t unit = unit_of_page(&g, 6, 3); // group 1, its second block
    CHECK(g.units_per_page == 4);
    for (std::uint32_t i = 0; i < 4; ++i) {
        const flash_place place = place_of_unit(&g, unit + i, 0);
        CHECK(place.die == 1);
        CHECK(place.block == 2 + i / 2);
        CHECK(place.sector == 3 * 16 + i % 2 * 8);
    }
}

TEST_CASE("geometry: units of a row of word lines are numbered planes first", "[geometry]")
{
    const Joined joined(1, 2, 0, 2);
    const geometry& g = joined.g;
    const std::uint32_t unit = unit_of_page(&g, 0, 1); // the second word line: flash pages 2 and 3 of both planes
    CHECK(g.units_per_page == 8);
    for (std::uint32_t i = 0; i < 8; ++i) {
        CAPTURE(i);
        const flash_place place = place_of_unit(&g, unit + i, 0);
        CHECK(place.block == i / 2 % 2);
        CHECK(place.sector == (2 + i / 4) * 16 + i % 2 * 8);
        CHECK(strip_of_unit(&g, i) == i / 2 % 2);
        CHECK(unit_in_strip(&g, i) == i / 4 * 2 + i % 2);
        CHECK(units_to_next_strip(&g, i) == 2 - i % 2);
    }
    CHECK(place_of_unit(&g, unit_of_strip(&g, unit, 1), 0).block == 1);
    // One page of the flash in each plane: neighbours in the numbers, too.
    for (std::uint32_t i = 0; i < 4; ++i) {
        CHECK(geometry_slc_place(&g, unit + i, 0).block == i / 2);
        CHECK(geometry_slc_place(&g, unit + i, 0).sector == 16 + i % 2 * 8);
    }
}

TEST_CASE("geometry: members are the good blocks of each plane, and lead back to their block", "[geometry]")
{
    const std::uint32_t bad = GENERATE(1u, 2u);
    const Joined joined(2, 2, bad);
    const geometry& g = joined.g;
    REQUIRE(geometry_members(&g) == 4);
    for (std::uint32_t group = 0; group < 2; ++group) {
        for (std::uint32_t index = 0; index + bad < 5; ++index) {
            const std::uint32_t block = group * g.blocks_per_group + index;
            std::set<std::pair<std::uint32_t, std::uint32_t>> found;
            for (std::uint32_t member = 0; member < 4; ++member) {
                const flash_place at = geometry_member(&g, block, member);
                found.insert({at.die, at.block});
                CHECK(at.block / 2 == (at.block % 2 == 0 ? index + bad : index));
                CHECK(geometry_block_at(&g, at.die, at.block) == block);
                CHECK(group_of_die(&g, at.die) == group);
            }
            CHECK(found.size() == 4);
        }
    }
}

TEST_CASE("geometry: without rows and groups a block is the one of the flash", "[geometry]")
{
    const geometry g = geometryOf(2, 1, 1, 2);
    CHECK(geometry_members(&g) == 1);
    const flash_place at = geometry_member(&g, 19, 0);
    CHECK(at.die == 1);
    CHECK(at.block == 3);
    CHECK(geometry_block_at(&g, 1, 3) == 19);
}

TEST_CASE("geometry: in pSLC mode a strip is one page of the flash, and only its first numbers are used", "[geometry]")
{
    boot_block boot{};
    boot.channels = boot.ways = boot.luns = boot.planes = boot.row_planes = boot.superblock_dies = 1;
    boot.blocks_per_plane = 4;
    boot.pages_per_block = 12;
    boot.program_pages = 3;
    boot.pslc_pages = 4;
    boot.page_bytes = 8192;
    boot.mapping_unit = 4096;
    const geometry g = geometry_of(&boot);
    CHECK(g.units_per_strip == 6);
    CHECK(g.units_per_flash_page == 2);
    for (std::uint32_t page = 0; page < 4; ++page) {
        const flash_place place = geometry_slc_place(&g, unit_of_page(&g, 2, page) + 1, 5);
        CHECK(place.pslc);
        CHECK(place.block == 2);
        CHECK(place.sector == page * 16 + 8 + 5);
        CHECK(place_of_unit(&g, unit_of_page(&g, 2, page) + 1, 5).sector == page * 48 + 8 + 5);
    }
}
