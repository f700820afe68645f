// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

#include <set>

using namespace strobe::test;

namespace {

struct Fixture {
    FakeHal hal;
    geometry g = geometryOf(1, 1, 1, 2); // blocks 0..15, even ones in plane 0; 4 pages each
    block_table table{};

    Fixture()
    {
        blocks_init(&table, &hal.arena, &g);
        for (std::uint32_t block = 0; block < g.blocks; ++block)
            blocks_add_free(&table, block);
    }
    // Fills the stream's next block with valid pages and ends its programs; returns it.
    std::uint32_t fill(std::uint32_t plane, enum stream stream = STREAM_HOST)
    {
        std::uint32_t block = NONE;
        for (std::uint32_t page = 0; page < g.pages_per_block; ++page) {
            block = blocks_take_page(&table, plane, stream, 0) / g.pages_per_block;
            blocks_unit_valid(&table, block);
            blocks_program_ended(&table, block);
        }
        return block;
    }
};

} // namespace

TEST_CASE("host data takes the least worn free block, the lowest at equal wear; moved data the most worn")
{
    Fixture f;
    f.table.block[4].erases = 3;
    f.table.block[6].erases = 5;
    while (blocks_take_free(&f.table, 0, STREAM_HOST) != NONE)
        continue;
    for (std::uint32_t block : {6u, 0u, 4u, 2u})
        blocks_add_free(&f.table, block);
    CHECK(blocks_take_free(&f.table, 0, STREAM_MOVE) == 6);
    CHECK(blocks_take_free(&f.table, 0, STREAM_HOST) == 0);
    CHECK(blocks_take_free(&f.table, 0, STREAM_HOST) == 2);
    CHECK(blocks_take_free(&f.table, 0, STREAM_HOST) == 4);
    CHECK(blocks_take_free(&f.table, 0, STREAM_HOST) == NONE);
}

TEST_CASE("free blocks come out in order of wear, whatever order they went in")
{
    FakeHal hal;
    const geometry g = geometryOf(1, 1, 1, 1, 64);
    block_table table{};
    blocks_init(&table, &hal.arena, &g);
    std::uint32_t state = 1;
    for (std::uint32_t block = 0; block < 64; ++block) {
        state = state * 1664525u + 1013904223u;
        table.block[block].erases = state >> 28;
        blocks_add_free(&table, block);
    }
    std::uint32_t before = 0;
    for (std::uint32_t i = 0; i < 64; ++i) {
        const std::uint32_t block = blocks_take_free(&table, 0, STREAM_HOST);
        CHECK(table.block[block].erases >= before);
        before = table.block[block].erases;
    }
}

TEST_CASE("pages of a plane are taken in ascending order, host and moved data in blocks of their own")
{
    Fixture f;
    CHECK(blocks_take_page(&f.table, 1, STREAM_HOST, 0) == 1 * 4 + 0);
    CHECK(blocks_take_page(&f.table, 1, STREAM_MOVE, 0) == 3 * 4 + 0);
    CHECK(blocks_take_page(&f.table, 1, STREAM_HOST, 0) == 1 * 4 + 1);
    CHECK(blocks_take_page(&f.table, 1, STREAM_MOVE, 0) == 3 * 4 + 1);
}

TEST_CASE("host data does not use the reserve but fills the open block")
{
    Fixture f;
    for (int i = 0; i < 7; ++i)
        f.fill(0);
    CHECK(f.table.plane[0].free == 1);
    CHECK_FALSE(blocks_have_page(&f.table, 0, STREAM_HOST, 1));
    CHECK(blocks_take_page(&f.table, 0, STREAM_HOST, 1) == NONE);
    CHECK(blocks_have_page(&f.table, 0, STREAM_MOVE, 0));
    CHECK(blocks_take_page(&f.table, 0, STREAM_MOVE, 0) != NONE);
    CHECK(f.table.plane[0].free == 0);
}

TEST_CASE("a block is full, and may be a victim, only when its last program has ended")
{
    Fixture f;
    for (int page = 0; page < 4; ++page) {
        blocks_take_page(&f.table, 0, STREAM_HOST, 0);
        blocks_unit_valid(&f.table, 0);
    }
    blocks_unit_invalid(&f.table, 0);
    CHECK(f.table.block[0].state == BLOCK_CLOSING);
    CHECK(victim_greedy(&f.table, 0) == NONE);
    for (int page = 0; page < 4; ++page)
        blocks_program_ended(&f.table, 0);
    CHECK(f.table.block[0].state == BLOCK_FULL);
    CHECK(victim_greedy(&f.table, 0) == 0);
}

TEST_CASE("a block that fails is closed at once, emptied like a victim, and never found by a victim policy")
{
    Fixture f;
    const std::uint32_t block = blocks_take_page(&f.table, 0, STREAM_HOST, 0) / 4;
    blocks_unit_valid(&f.table, block);
    blocks_take_page(&f.table, 0, STREAM_HOST, 0);
    CHECK(blocks_fail(&f.table, block));
    CHECK_FALSE(blocks_fail(&f.table, block)); // the second page fails too
    CHECK(f.table.plane[0].open[STREAM_HOST] == NONE);
    CHECK(blocks_take_failed(&f.table, 0) == NONE); // programs are in progress
    blocks_program_ended(&f.table, block);
    blocks_program_ended(&f.table, block);
    CHECK(victim_greedy(&f.table, 0) == NONE);
    CHECK(victim_cost_benefit(&f.table, 0) == NONE);
    CHECK(blocks_take_failed(&f.table, 0) == block);
    blocks_retire(&f.table, block);
    CHECK(f.table.block[block].state == BLOCK_BAD);
}

TEST_CASE("spares are not free until they are taken")
{
    Fixture f;
    while (blocks_take_free(&f.table, 0, STREAM_HOST) != NONE)
        continue;
    blocks_add_spare(&f.table, 2);
    CHECK(f.table.plane[0].free == 0);
    CHECK(f.table.plane[0].spares == 1);
    CHECK(blocks_take_spare(&f.table, 0) == 2);
    CHECK(blocks_take_spare(&f.table, 0) == NONE);
}

TEST_CASE("an erase counts, and the plane records its highest erase count")
{
    Fixture f;
    const std::uint32_t block = f.fill(0);
    for (int page = 0; page < 4; ++page)
        blocks_unit_invalid(&f.table, block);
    blocks_collect(&f.table, block);
    blocks_erased(&f.table, block);
    CHECK(f.table.block[block].erases == 1);
    CHECK(f.table.plane[0].most_erases == 1);
    CHECK(f.table.block[block].state == BLOCK_FREE);
}

TEST_CASE("the blocks of a plane have the numbers that the die gives them")
{
    const geometry g = geometryOf(2, 1, 1, 2);
    std::set<std::uint32_t> seen;
    for (std::uint32_t plane = 0; plane < g.planes; ++plane) {
        for (std::uint32_t i = 0; i < g.blocks_per_plane; ++i) {
            const std::uint32_t block = block_in_plane(&g, plane, i);
            CHECK(plane_of_block(&g, block) == plane);
            CHECK(block % g.blocks_per_group % 2 == plane % 2);
            seen.insert(block);
        }
    }
    CHECK(seen.size() == g.blocks);
    const flash_place place = place_of_unit(&g, 17 * 4 + 3, 1); // second die, its block 1, page 3
    CHECK(place.die == 1);
    CHECK(place.block == 1);
    CHECK(place.sector == 3 * 4 + 1);
}
