// SPDX-License-Identifier: Apache-2.0
//
// Host data and collection in step, from the block table alone.
#include "tests/firmware/ftl/page_map/filled_blocks.h"
#include "tests/support/catch.h"

using namespace strobe::test;

namespace {

// Blocks of 8 pages of one unit: four are full, four free. Block 0, with 4 valid units, is the victim.
struct Fixture : FilledBlocks {
    pace paced{};

    explicit Fixture(gc_pacing pacing = GC_PACING_FREE_SPACE, int full = 4)
    {
        pace_init(&paced, &hal.arena, &table, pacing);
        for (int i = 0; i < full; ++i)
            fill(4);
    }
    void begin()
    {
        blocks_collect(&table, 0);
        pace_begin(&paced, 0, 0);
    }
    void takePages(int pages)
    {
        for (int i = 0; i < pages; ++i)
            blocks_take_page(&table, 0, STREAM_HOST, GC_RESERVE);
    }
    void moveUnits(int units)
    {
        for (int i = 0; i < units; ++i)
            blocks_unit_invalid(&table, 0);
    }
    bool host() const { return pace_allows_host(&paced, 0); }
    bool moves() const { return pace_allows_moves(&paced, 0); }
};

} // namespace

TEST_CASE("without pacing neither side waits")
{
    Fixture f(GC_PACING_NONE);
    f.begin();
    f.takePages(24);
    CHECK(f.host());
    CHECK(f.moves());
}

TEST_CASE("host data waits when its share of the plane is used up before the victim is empty")
{
    Fixture f;
    f.begin(); // 24 pages for host data beside the reserve, 4 units to move: 6 pages for each
    CHECK(f.host());
    f.takePages(1);
    CHECK_FALSE(f.host());
    CHECK(f.moves());
    f.moveUnits(1);
    CHECK(f.host());
    f.takePages(5);
    CHECK(f.host());
    f.takePages(1);
    CHECK_FALSE(f.host());
}

TEST_CASE("moves wait while they are ahead of host data by more than a few pages")
{
    Fixture f;
    f.begin();
    f.moveUnits(1); // 6 pages ahead
    CHECK_FALSE(f.moves());
    CHECK(f.host());
    f.takePages(static_cast<int>(6 - PACE_AHEAD));
    CHECK_FALSE(f.moves());
    f.takePages(1);
    CHECK(f.moves());
}

TEST_CASE("moves do not wait when only the reserve is free, though the open block has pages")
{
    Fixture f(GC_PACING_FREE_SPACE, 6);
    f.takePages(1); // the last block beyond the reserve: 7 pages
    f.begin();
    f.moveUnits(3);
    CHECK(f.host());
    CHECK(f.moves());
}

TEST_CASE("at most one side waits, at any state of both")
{
    for (int pages = 0; pages <= 24; ++pages) {
        for (int units = 0; units <= 4; ++units) {
            Fixture f;
            f.begin();
            f.takePages(pages);
            f.moveUnits(units);
            INFO(pages << " pages taken, " << units << " units moved");
            CHECK((f.host() || f.moves()));
            if (units == 4)
                CHECK(f.host());
        }
    }
}

TEST_CASE("a page and a move let both sides look again, while the plane is paced")
{
    Fixture f;
    const auto drain = [](plane_set& set) {
        const std::uint32_t count = set.count;
        while (set.count != 0)
            plane_set_take(&set, 0);
        return count;
    };
    drain(f.table.to_collect);
    drain(f.table.room_changed);
    pace_page_taken(&f.paced, 0);
    CHECK(drain(f.table.room_changed) == 0);
    f.begin();
    CHECK(drain(f.table.room_changed) == 1);
    pace_page_taken(&f.paced, 0);
    CHECK(drain(f.table.to_collect) == 1);
    CHECK(drain(f.table.room_changed) == 1);
    f.moveUnits(1);
    CHECK(drain(f.table.room_changed) == 1);
}

TEST_CASE("a victim that is given up no longer holds host data back")
{
    Fixture f;
    f.begin();
    CHECK_FALSE(pace_take_released(&f.paced));
    f.takePages(3);
    REQUIRE_FALSE(f.host());
    pace_end(&f.paced, 0);
    CHECK(f.host());
    CHECK(pace_take_released(&f.paced));
    CHECK_FALSE(pace_take_released(&f.paced));
}

TEST_CASE("a plane without a page for host data is not paced: collection goes as fast as it can")
{
    Fixture f(GC_PACING_FREE_SPACE, 7);
    f.begin();
    CHECK(f.moves());
    CHECK_FALSE(pace_is_paced(&f.paced, 0));
}
