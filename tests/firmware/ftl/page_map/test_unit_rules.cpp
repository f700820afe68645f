// SPDX-License-Identifier: Apache-2.0
//
// Rules that mapping units smaller than a page add to the parts of the layer.
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

using namespace strobe::test;

TEST_CASE("a victim has so many invalid units that emptying it gains a page", "[units]")
{
    FakeHal hal;
    geometry g = geometryOf(1, 1, 1, 1, 8, 4, 16384, 4096);
    block_table table{};
    blocks_init(&table, &hal.arena, &g);
    for (std::uint32_t block = 0; block < g.blocks; ++block)
        blocks_add_free(&table, block);
    CHECK(capacity_most_valid(&g) == 12);
    for (std::uint32_t page = 0; page < 4; ++page) {
        const std::uint32_t unit = blocks_take_page(&table, 0, STREAM_HOST, 0);
        CHECK(unit == 4 * page);
        for (std::uint32_t i = 0; i < 4; ++i)
            blocks_unit_valid(&table, 0);
        blocks_program_ended(&table, 0);
    }
    for (std::uint32_t valid = 16; valid > 12; --valid) {
        CHECK(victim_greedy(&table, 0) == NONE);
        CHECK(victim_cost_benefit(&table, 0) == NONE);
        blocks_unit_invalid(&table, 0);
    }
    CHECK(victim_greedy(&table, 0) == 0);
    CHECK(victim_cost_benefit(&table, 0) == 0);
}

TEST_CASE("a capacity counts on a page less one invalid units in every block", "[units]")
{
    const geometry pages = geometryOf(1, 1, 1, 1, 32, 16, 16384);
    const geometry units = geometryOf(1, 1, 1, 1, 32, 16, 16384, 4096);
    const capacity_blocks blocks{32, 28};
    const std::uint64_t ofPages = capacity_most_units(&blocks, &pages) * pages.sectors_per_unit;
    const std::uint64_t ofUnits = capacity_most_units(&blocks, &units) * units.sectors_per_unit;
    const std::uint64_t lost = std::uint64_t{28} * 3 * units.sectors_per_unit;
    CHECK(ofPages - ofUnits == lost - (32 - 8)); // the hidden zeros take a unit in place of a page
}

TEST_CASE("the smallest buffer leaves slots for units that wait for others", "[units]")
{
    const geometry g = geometryOf(2, 2, 1, 2, 8, 4, 16384, 4096);
    CHECK(capacity_least_writes(&g, 1) == 2 * (3 + 4));
    CHECK(capacity_least_writes(&g, 2) == 2 * (6 + 4));
    CHECK(capacity_least_moves(&g) == 8 * 3 + 4);
    const geometry pages = geometryOf(2, 2, 1, 2, 8, 4, 16384);
    CHECK(capacity_least_writes(&pages, 2) == 2);
    CHECK(capacity_least_moves(&pages) == MIN_MOVE_SLOTS);
}

TEST_CASE("a version that is mapped makes the older ones stale, and no newer one", "[units]")
{
    FakeHal hal;
    const geometry g = geometryOf(1, 1, 1, 1, 8, 4, 16384, 4096);
    buffer slots{};
    initBuffer(slots, hal, g, 0x80000, 64);
    const std::uint32_t older = buffer_take(&slots, USE_WRITE);
    const std::uint32_t newer = buffer_take(&slots, USE_WRITE);
    for (const std::uint32_t number : {older, newer}) {
        slots.slot[number].logical = 5;
        buffer_publish(&slots, number);
    }
    buffer_outdate_older(&slots, older);
    CHECK_FALSE(slots.slot[newer].stale);
    buffer_outdate_older(&slots, newer);
    CHECK(slots.slot[older].stale);
    CHECK(buffer_find(&slots, 5) == newer);
}
