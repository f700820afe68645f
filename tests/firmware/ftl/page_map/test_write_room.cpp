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
    pace pacing{};
    write_room room{};

    explicit Fixture(bool byChannel = false, std::uint32_t depth = 2)
    {
        blocks_init(&table, &hal.arena, &g);
        for (std::uint32_t block = 0; block < g.blocks; ++block)
            blocks_add_free(&table, block);
        pace_init(&pacing, &hal.arena, &table, GC_PACING_FREE_SPACE);
        allocation_init(&order, &hal.arena, &g, 0x3210, byChannel);
        write_room_init(&room, &hal.arena, &table, &pacing, &order, depth, {});
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
    CHECK(f.room.takes[2] == TAKES_NOTHING);
    blocks_add_free(&f.table, block_in_plane(&f.g, 2, 3));
    CHECK(write_room_next(&f.room, 0) == 2);
}

TEST_CASE("a plane whose collection is behind takes nothing until its victim has lost units")
{
    Fixture f;
    for (int page = 0; page < 4; ++page)
        blocks_unit_valid(&f.table, blocks_take_page(&f.table, 2, STREAM_HOST, GC_RESERVE) / 4);
    const std::uint32_t victim = block_in_plane(&f.g, 2, 0);
    for (int page = 0; page < 4; ++page)
        blocks_program_ended(&f.table, victim);
    blocks_collect(&f.table, victim);
    pace_begin(&f.pacing, 2, victim);
    blocks_take_page(&f.table, 2, STREAM_HOST, GC_RESERVE);
    pace_page_taken(&f.pacing, 2);
    for (const std::uint32_t plane : {0U, 1U, 3U, 0U})
        CHECK(write_room_next(&f.room, 0) == plane);
    CHECK(f.room.takes[2] == TAKES_LATER);
    blocks_unit_invalid(&f.table, victim);
    CHECK(write_room_next(&f.room, 0) == 2);
}

TEST_CASE("a die with enough programs in progress takes nothing until one ends, on either plane")
{
    Fixture f;
    write_room_page_begun(&f.room, 0);
    CHECK(write_room_next(&f.room, 0) == 0);
    write_room_page_begun(&f.room, 0);
    CHECK(f.room.takes[0] == TAKES_LATER);
    CHECK(f.room.takes[1] == TAKES_LATER);
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
    CHECK(write_room_other_group(&f.room, 0) == NONE); // room, but later
    f.fill(0);
    f.fill(1);
    CHECK(write_room_other_group(&f.room, 0) == 1);
    f.fill(2);
    CHECK(write_room_other_group(&f.room, 0) == 1);
    f.fill(3);
    CHECK(write_room_other_group(&f.room, 0) == NONE);
}

TEST_CASE("a plane loses the space of a block that fails while it is open")
{
    Fixture f;
    f.fill(0);
    blocks_add_free(&f.table, block_in_plane(&f.g, 0, 0));
    const std::uint32_t block = blocks_take_page(&f.table, 0, STREAM_HOST, GC_RESERVE) / f.g.pages_per_block;
    write_room_update(&f.room);
    CHECK(f.room.takes[0] == TAKES_NOW);
    blocks_fail(&f.table, block);
    write_room_update(&f.room);
    CHECK(f.room.takes[0] == TAKES_NOTHING);
}
