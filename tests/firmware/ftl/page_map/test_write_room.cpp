// SPDX-License-Identifier: Apache-2.0
//
// Which planes take host data, from the block table and the programs in progress.
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

using namespace strobe::test;

namespace {

struct Fixture {
    FakeHal hal;
    geometry g = geometryOf(2, 1, 1, 2); // dies 0 and 1, planes 0..3; 8 blocks of 4 pages per plane
    block_table table{};
    allocation order{};
    write_room room{};

    explicit Fixture(bool byChannel = false, std::uint32_t depth = 2, std::uint32_t streams = 1)
    {
        blocks_init(&table, &hal.arena, &g);
        for (std::uint32_t block = 0; block < g.blocks; ++block)
            blocks_add_free(&table, block);
        allocation_init(&order, &hal.arena, &g, 0x3210, byChannel, streams);
        write_room_init(&room, &hal.arena, &table, &order, depth, {}, nullptr);
    }
    Fixture(const Fixture&) = delete;
    Fixture& operator=(const Fixture&) = delete;
    // Host data fills the plane down to its reserve.
    void fill(std::uint32_t plane)
    {
        while (blocks_have_page(&table, plane, STREAM_HOST, GC_RESERVE))
            blocks_take_page(&table, plane, STREAM_HOST, GC_RESERVE);
    }
};

} // namespace

TEST_CASE("planes with space take pages in allocation order")
{
    Fixture f;
    for (const std::uint32_t plane : {0U, 2U, 1U, 3U, 0U})
        CHECK(write_room_next(&f.room, 0) == plane);
}

TEST_CASE("a plane at its reserve takes nothing until a block is erased there")
{
    Fixture f;
    f.fill(2);
    for (const std::uint32_t plane : {0U, 1U, 3U, 0U})
        CHECK(write_room_next(&f.room, 0) == plane);
    CHECK(f.room.takes[0][2] == TAKES_NOTHING);
    blocks_add_free(&f.table, block_in_plane(&f.g, 2, 3));
    CHECK(write_room_next(&f.room, 0) == 2);
}

TEST_CASE("a die with enough programs in progress takes nothing until one ends, on either plane")
{
    Fixture f;
    write_room_page_begun(&f.room, 0);
    CHECK(write_room_next(&f.room, 0) == 0);
    write_room_page_begun(&f.room, 0);
    CHECK(f.room.takes[0][0] == TAKES_LATER);
    CHECK(f.room.takes[0][1] == TAKES_LATER);
    for (const std::uint32_t plane : {2U, 3U, 2U})
        CHECK(write_room_next(&f.room, 0) == plane);
    write_room_program_ended(&f.room, 0);
    CHECK(write_room_next(&f.room, 0) == 1);
}

TEST_CASE("no plane takes a page: there is no answer")
{
    Fixture f(false, 1);
    write_room_page_begun(&f.room, 0);
    write_room_page_begun(&f.room, 1);
    CHECK(write_room_next(&f.room, 0) == NONE);
}

TEST_CASE("a channel without space passes its pages to the lowest channel with space, a busy one keeps them")
{
    Fixture f(true, 1);
    write_room_page_begun(&f.room, 0);
    CHECK(write_room_next(&f.room, 0) == NONE);
    CHECK(write_room_other_lane(&f.room, 0) == NONE); // room, but later
    f.fill(0);
    f.fill(1);
    CHECK(write_room_other_lane(&f.room, 0) == 1);
    f.fill(2);
    CHECK(write_room_other_lane(&f.room, 0) == 1);
    f.fill(3);
    CHECK(write_room_other_lane(&f.room, 0) == NONE);
}

TEST_CASE("a plane whose collection has not kept up takes nothing, though it has pages")
{
    Fixture f;
    boot_block boot{};
    boot.gc_pacing = GC_PACING_FREE_SPACE;
    pacing pace{};
    pacing_init(&pace, &f.hal.arena, &boot, &f.table, 2);
    f.room.pacing = &pace;
    while (!pacing_holds_host(&pace, 1)) {
        blocks_take_page(&f.table, 1, STREAM_HOST, GC_RESERVE);
        pacing_space_changed(&pace, 1);
    }
    for (const std::uint32_t plane : {0U, 2U, 3U, 0U})
        CHECK(write_room_next(&f.room, 0) == plane);
    CHECK(blocks_have_page(&f.table, 1, STREAM_HOST, GC_RESERVE));
    pacing_open_gate(&pace);
    CHECK(write_room_next(&f.room, 0) == 2);
    CHECK(write_room_next(&f.room, 0) == 1);
}

TEST_CASE("a plane loses the space of a block that fails while it is open")
{
    Fixture f;
    f.fill(0);
    blocks_add_free(&f.table, block_in_plane(&f.g, 0, 0));
    const std::uint32_t block = blocks_take_page(&f.table, 0, STREAM_HOST, GC_RESERVE) / f.g.pages_per_block;
    write_room_update(&f.room);
    CHECK(f.room.takes[0][0] == TAKES_NOW);
    blocks_fail(&f.table, block);
    write_room_update(&f.room);
    CHECK(f.room.takes[0][0] == TAKES_NOTHING);
}

TEST_CASE("hot data has open blocks of its own, and takes those of other data only when no plane has room for it")
{
    Fixture f(false, 2, 2);
    const std::uint32_t hot = 1;
    CHECK(write_room_next(&f.room, hot) == 0);
    blocks_take_page(&f.table, 0, STREAM_HOT, GC_RESERVE);
    blocks_take_page(&f.table, 1, STREAM_HOST, GC_RESERVE);
    for (std::uint32_t plane = 0; plane < 4; ++plane) {
        while (f.table.plane[plane].free > GC_RESERVE)
            blocks_take_free(&f.table, plane, STREAM_HOST);
    }
    CHECK(write_room_next(&f.room, hot) == 0);
    CHECK(write_room_next(&f.room, 0) == 1);
    for (int page = 0; page < 3; ++page)
        blocks_take_page(&f.table, 0, STREAM_HOT, GC_RESERVE);
    CHECK(write_room_next(&f.room, hot) == NONE);
    CHECK(write_room_other_lane(&f.room, hot) == 0);
    CHECK(write_room_other_lane(&f.room, 0) == NONE);
}

TEST_CASE("a die with enough programs in progress takes no data of either stream")
{
    Fixture f(false, 1, 2);
    write_room_page_begun(&f.room, 0);
    CHECK(write_room_next(&f.room, 0) == 2);
    CHECK(write_room_next(&f.room, 1) == 2);
    write_room_program_ended(&f.room, 0);
    CHECK(write_room_next(&f.room, 1) == 1);
}
