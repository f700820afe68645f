// SPDX-License-Identifier: Apache-2.0
//
// The pace of collection, and whether a plane takes host data meanwhile, from the block table alone.
#include "tests/firmware/ftl/page_map/filled_blocks.h"
#include "tests/support/catch.h"

using namespace strobe::test;

namespace {

// Blocks of 8 pages, each a unit: the gate is at 3 blocks of space, collection starts below 4.
struct Fixture : FilledBlocks {
    pacing pace{};

    explicit Fixture(std::uint32_t low = 2)
    {
        boot_block boot{};
        boot.gc_pacing = GC_PACING_FREE_SPACE;
        pacing_init(&pace, &hal.arena, &boot, &table, low);
    }
    void emptyUnits(std::uint32_t block, std::uint32_t units)
    {
        for (std::uint32_t i = 0; i < units; ++i)
            blocks_unit_invalid(&table, block);
    }
};

} // namespace

TEST_CASE("without pacing nothing holds the host")
{
    FilledBlocks f;
    boot_block boot{};
    pacing pace{};
    pacing_init(&pace, &f.hal.arena, &boot, &f.table, 2);
    CHECK_FALSE(pacing_is_on(&pace));
    pacing_begin_victim(&pace, 0, 0); // no effect
    pacing_end_victim(&pace, 0);
    pacing_open_gate(&pace);
}

TEST_CASE("the space of a plane falls by a page with each page that is taken, of either stream")
{
    Fixture f;
    CHECK(pacing_space(&f.pace, 0) == 8 * 8);
    blocks_take_page(&f.table, 0, STREAM_HOST, 0);
    CHECK(pacing_space(&f.pace, 0) == 8 * 8 - 1);
    blocks_take_page(&f.table, 0, STREAM_MOVE, 0);
    blocks_take_page(&f.table, 0, STREAM_MOVE, 0);
    CHECK(pacing_space(&f.pace, 0) == 8 * 8 - 3);
}

TEST_CASE("a victim adds a block, in proportion to the units that have left it")
{
    Fixture f;
    const std::uint32_t victim = f.fill(4);
    CHECK(pacing_space(&f.pace, 0) == 7 * 8);
    blocks_collect(&f.table, victim);
    pacing_begin_victim(&f.pace, 0, victim);
    CHECK(pacing_space(&f.pace, 0) == 7 * 8);
    f.emptyUnits(victim, 1);
    CHECK(pacing_space(&f.pace, 0) == 7 * 8 + 2);
    f.emptyUnits(victim, 3);
    CHECK(pacing_space(&f.pace, 0) == 8 * 8);
    pacing_end_victim(&f.pace, 0); // as nothing_left() does after blocks_erased()
    blocks_erased(&f.table, victim);
    CHECK(pacing_space(&f.pace, 0) == 8 * 8);
}

TEST_CASE("a victim without valid units is a block of space at once")
{
    Fixture f;
    const std::uint32_t victim = f.fill(0);
    blocks_collect(&f.table, victim);
    pacing_begin_victim(&f.pace, 0, victim);
    CHECK(pacing_space(&f.pace, 0) == 8 * 8);
}

TEST_CASE("below the gate host data waits until collection has gained a page, and at the start mark collection begins")
{
    Fixture f;
    for (int i = 0; i < 4; ++i)
        f.fill(4);
    CHECK_FALSE(pacing_needs_space(&f.pace, 0)); // 4 blocks
    blocks_take_page(&f.table, 0, STREAM_HOST, 0);
    CHECK(pacing_needs_space(&f.pace, 0));
    CHECK_FALSE(pacing_holds_host(&f.pace, 0));
    for (int page = 0; page < 7; ++page)
        blocks_take_page(&f.table, 0, STREAM_HOST, 0);
    CHECK_FALSE(pacing_holds_host(&f.pace, 0)); // 3 blocks
    blocks_take_page(&f.table, 0, STREAM_HOST, 0);
    CHECK(pacing_holds_host(&f.pace, 0));
    blocks_collect(&f.table, 0);
    pacing_begin_victim(&f.pace, 0, 0);
    f.emptyUnits(0, 1);
    blocks_take_page(&f.table, 0, STREAM_MOVE, 0);
    CHECK_FALSE(pacing_holds_host(&f.pace, 0)); // two pages more, less the one that the unit takes
}

TEST_CASE("a plane that has nothing to collect does not hold the host")
{
    Fixture f;
    for (int i = 0; i < 6; ++i)
        f.fill(8);
    CHECK(pacing_holds_host(&f.pace, 0));
    f.table.plane[0].dry = true;
    CHECK_FALSE(pacing_holds_host(&f.pace, 0));
}

TEST_CASE("the less space, the more pages move at a time")
{
    Fixture f;
    std::uint32_t last = pacing_window(&f.pace, 0);
    CHECK(last == GC_WINDOW_IDLE);
    for (int page = 0; page < 5 * 8; ++page) {
        blocks_take_page(&f.table, 0, STREAM_HOST, 0);
        const std::uint32_t window = pacing_window(&f.pace, 0);
        CHECK(window >= last);
        CHECK(window <= last + 1);
        last = window;
    }
    CHECK(last == GC_WINDOW_NORMAL);
}

TEST_CASE("a larger low mark makes the way from the start to the gate longer")
{
    const Fixture two(2);
    const Fixture five(5);
    CHECK(two.pace.gate == five.pace.gate);
    CHECK(two.pace.start == 4 * 8);
    CHECK(five.pace.start == 7 * 8);
}

TEST_CASE("the gate opens for good when the buffer has to be saved")
{
    Fixture f;
    for (int i = 0; i < 6; ++i)
        f.fill(4);
    REQUIRE(pacing_holds_host(&f.pace, 0));
    plane_set_take(&f.table.room_changed, 0);
    pacing_open_gate(&f.pace);
    CHECK_FALSE(pacing_holds_host(&f.pace, 0));
    CHECK(plane_set_has(&f.table.room_changed, 0));
}
