// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/ftl/page_map/filled_blocks.h"
#include "tests/support/catch.h"

using namespace strobe::test;

TEST_CASE("greedy takes the block with the fewest valid pages, also after more become invalid")
{
    FilledBlocks f;
    const std::uint32_t a = f.fill(5);
    const std::uint32_t b = f.fill(3);
    const std::uint32_t c = f.fill(4);
    CHECK(victim_greedy(&f.table, 0) == b);
    blocks_unit_invalid(&f.table, c);
    blocks_unit_invalid(&f.table, c);
    CHECK(victim_greedy(&f.table, 0) == c);
    blocks_collect(&f.table, c);
    CHECK(victim_greedy(&f.table, 0) == b);
    blocks_collect(&f.table, b);
    CHECK(victim_greedy(&f.table, 0) == a);
}

TEST_CASE("a block without an invalid page is never a victim")
{
    FilledBlocks f;
    f.fill(8);
    CHECK(victim_greedy(&f.table, 0) == NONE);
    CHECK(victim_cost_benefit(&f.table, 0) == NONE);
}

TEST_CASE("cost-benefit prefers an old block to a young one that is a little emptier")
{
    FilledBlocks f;
    const std::uint32_t old = f.fill(5);
    for (int i = 0; i < 4; ++i)
        f.fill(8); // time passes
    const std::uint32_t young = f.fill(4);
    CHECK(victim_greedy(&f.table, 0) == young);
    CHECK(victim_cost_benefit(&f.table, 0) == old);
}

TEST_CASE("cost-benefit takes a block without valid pages before all others")
{
    FilledBlocks f;
    f.fill(1);
    for (int i = 0; i < 4; ++i)
        f.fill(8);
    const std::uint32_t empty = f.fill(0);
    CHECK(victim_cost_benefit(&f.table, 0) == empty);
}

TEST_CASE("wear levelling takes the least worn full block once the spread exceeds the threshold")
{
    FilledBlocks f;
    const std::uint32_t a = f.fill(8);
    const std::uint32_t b = f.fill(8);
    f.table.block[a].erases = 2;
    f.table.block[b].erases = 3;
    f.table.plane[0].most_erases = 7;
    CHECK(victim_coldest(&f.table, 0, 5) == NONE);
    CHECK(victim_coldest(&f.table, 0, 4) == a);
}

TEST_CASE("the boot block's number chooses the policy")
{
    CHECK(victim_policy_of(0) == &victim_greedy);
    CHECK(victim_policy_of(1) == &victim_cost_benefit);
}

TEST_CASE("a plane that found no victim is to be collected again when a page becomes invalid")
{
    FilledBlocks f;
    const std::uint32_t block = f.fill(8);
    while (f.table.to_collect.count != 0)
        plane_set_take(&f.table.to_collect, 0);
    f.table.plane[0].dry = true;
    blocks_unit_invalid(&f.table, block);
    CHECK(bitmap_has(f.table.to_collect.planes, 0));
    CHECK_FALSE(f.table.plane[0].dry);
}
