// SPDX-License-Identifier: Apache-2.0
//
// What a plane collects next, and how fast, from the block table alone.
#include "tests/firmware/ftl/page_map/filled_blocks.h"
#include "tests/support/catch.h"

using namespace strobe::test;

namespace {

struct Fixture : FilledBlocks {
    collect_policy policy{victim_greedy, 3, 5, 4, nullptr};
    bool wearDue = false;

    collect_choice choose() { return collect_choose(&policy, &table, 0, &wearDue); }
};

} // namespace

TEST_CASE("with enough free blocks nothing is collected")
{
    Fixture f;
    f.fill(1);
    CHECK(f.table.plane[0].free == 7);
    CHECK(f.choose().victim == NONE);
    CHECK_FALSE(f.table.plane[0].dry);
}

TEST_CASE("below the low mark the policy's victim is removed from the lists")
{
    Fixture f;
    for (const std::uint32_t valid : {8U, 3U, 2U, 7U, 8U, 8U})
        f.fill(valid);
    const collect_choice choice = f.choose();
    CHECK(choice.victim == 2);
    CHECK(choice.reason == COLLECT_FOR_SPACE);
    CHECK(f.table.block[2].state == BLOCK_COLLECTING);
    CHECK(f.choose().victim == 1);
}

TEST_CASE("a plane without an invalid page is dry: it is collected again when a page becomes invalid")
{
    Fixture f;
    for (int i = 0; i < 6; ++i)
        f.fill(8);
    CHECK(f.choose().victim == NONE);
    CHECK(f.table.plane[0].dry);
    while (f.table.to_collect.count != 0)
        plane_set_take(&f.table.to_collect, 0);
    blocks_unit_invalid(&f.table, 4);
    CHECK(f.table.to_collect.count == 1);
    CHECK(f.choose().victim == 4);
}

TEST_CASE("wear levelling leaves the blocks that are reserved for cached data")
{
    Fixture f;
    f.policy.low = 2;
    f.policy.wear_threshold = 1;
    for (int i = 0; i < 6; ++i)
        f.fill(8);
    f.table.plane[0].most_erases = 9;
    f.table.slc_reserved = 1; // of the two free blocks
    f.wearDue = true;
    CHECK(f.choose().reason != COLLECT_FOR_WEAR);
    f.table.slc_reserved = 0;
    f.wearDue = true;
    const collect_choice choice = f.choose();
    CHECK(choice.reason == COLLECT_FOR_WEAR);
    CHECK(choice.victim != NONE);
}

TEST_CASE("a failed block comes before everything else")
{
    Fixture f;
    for (int i = 0; i < 6; ++i)
        f.fill(1);
    const std::uint32_t block = blocks_take_page(&f.table, 0, STREAM_HOST, 0) / 8;
    blocks_fail(&f.table, block);
    blocks_program_ended(&f.table, block);
    const collect_choice choice = f.choose();
    CHECK(choice.victim == block);
    CHECK(choice.reason == COLLECT_FAILED);
}

TEST_CASE("wear is compared once after an erase, before space, and only while host data has space")
{
    Fixture f;
    for (const std::uint32_t valid : {8U, 3U, 2U, 7U, 8U, 8U})
        f.fill(valid);
    f.table.block[7].erases = 9;
    f.table.plane[0].most_erases = 9;
    f.wearDue = true;
    const std::uint32_t free = f.table.plane[0].free;
    f.table.plane[0].free = GC_RESERVE;
    CHECK(f.choose().reason == COLLECT_FOR_SPACE);
    CHECK(f.wearDue);
    f.table.plane[0].free = free;
    const collect_choice choice = f.choose();
    CHECK(choice.reason == COLLECT_FOR_WEAR);
    CHECK(choice.victim == 0); // the least worn
    CHECK_FALSE(f.wearDue);
    CHECK(f.choose().reason == COLLECT_FOR_SPACE);
}

TEST_CASE("background collection takes the policy's victim only if enough of its pages are invalid")
{
    Fixture f;
    CHECK(collect_idle_victim(&f.policy, &f.table, 0) == NONE);
    f.fill(8);
    CHECK(collect_idle_victim(&f.policy, &f.table, 0) == NONE);
    const std::uint32_t block = f.fill(7); // one page of eight
    CHECK(collect_idle_victim(&f.policy, &f.table, 0) == block);
    CHECK(f.table.block[block].state == BLOCK_COLLECTING);
}

TEST_CASE("more pages move at a time when host data has no space, one in the background")
{
    Fixture f;
    CHECK(collect_window(&f.policy, &f.table, 0, COLLECT_FOR_SPACE) == GC_WINDOW_NORMAL);
    CHECK(collect_window(&f.policy, &f.table, 0, COLLECT_WHILE_IDLE) == GC_WINDOW_IDLE);
    for (int i = 0; i < 7; ++i)
        f.fill(8);
    CHECK(collect_window(&f.policy, &f.table, 0, COLLECT_FOR_SPACE) == GC_WINDOW_BLOCKED);
    CHECK(collect_window(&f.policy, &f.table, 0, COLLECT_WHILE_IDLE) == GC_WINDOW_BLOCKED); // no longer background
}

TEST_CASE("with pacing, space decides instead of free blocks: a plane is collected, and slowly, while three are free")
{
    Fixture f;
    boot_block boot{};
    boot.gc_pacing = GC_PACING_FREE_SPACE;
    pacing pace{};
    pacing_init(&pace, &f.hal.arena, &boot, &f.table, 2);
    f.policy.pacing = &pace;
    f.policy.low = 2;
    for (int i = 0; i < 4; ++i)
        f.fill(6);
    CHECK_FALSE(collect_needs_space(&f.policy, &f.table, 0)); // four
    blocks_take_page(&f.table, 0, STREAM_HOST, 0);
    CHECK(f.table.plane[0].free == 3);
    CHECK(collect_needs_space(&f.policy, &f.table, 0));
    CHECK(collect_window(&f.policy, &f.table, 0, COLLECT_FOR_SPACE) == GC_WINDOW_IDLE);
    CHECK(f.choose().victim != NONE);
}

TEST_CASE("a paced plane that becomes dry tells those who wait for its pages")
{
    Fixture f;
    boot_block boot{};
    boot.gc_pacing = GC_PACING_FREE_SPACE;
    pacing pace{};
    pacing_init(&pace, &f.hal.arena, &boot, &f.table, 2);
    f.policy.pacing = &pace;
    for (int i = 0; i < 6; ++i)
        f.fill(8);
    while (f.table.room_changed.count != 0)
        plane_set_take(&f.table.room_changed, 0);
    CHECK(f.choose().victim == NONE);
    CHECK(plane_set_has(&f.table.room_changed, 0));
}

TEST_CASE("the marks of the boot block are per die, and the low mark leaves room for the reserve")
{
    boot_block boot{};
    const geometry two = geometryOf(1, 1, 1, 2);
    boot.gc_low_blocks = 7;
    boot.gc_idle_blocks = 10;
    collect_policy policy = collect_policy_of(&boot, &two);
    CHECK(policy.low == 4);
    CHECK(policy.idle == 5);
    boot.gc_low_blocks = 1;
    policy = collect_policy_of(&boot, &two);
    CHECK(policy.low == GC_RESERVE + 1);
}
