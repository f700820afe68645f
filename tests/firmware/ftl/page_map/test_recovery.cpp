// SPDX-License-Identifier: Apache-2.0
//
// Recovery as a table of steps, and what it hands over to normal work.
#include "tests/firmware/ftl/page_map/recovery_bench.h"

#include <set>
#include <string>

using namespace strobe::test;

TEST_CASE("recovery: each step has a name of its own, and the table ends", "[recovery]")
{
    std::set<std::string> names;
    std::size_t steps = 0;
    for (const recovery_step* step = recovery_steps; step->name != nullptr; ++step, ++steps) {
        names.insert(step->name);
        REQUIRE(step->run != nullptr);
    }
    CHECK(names.size() == steps);
    CHECK(recovery_steps[steps].run == nullptr);
}

TEST_CASE("recovery: an empty flash is a drive that works, with its memory released", "[recovery]")
{
    RecoveryBench b;
    const std::uint64_t mark = arena_mark(&b.hal.arena);
    recovery_run(&b.layer, &b.hal.arena);
    CHECK(arena_mark(&b.hal.arena) == mark);
    CHECK(b.layer.recovery == nullptr);
    CHECK(b.layer.sequence == FIRST_SEQUENCE);
    CHECK(b.layer.blocks.plane[0].free == GC_RESERVE + 1);
    CHECK(b.layer.blocks.to_collect.count == 1);
    CHECK(b.layer.blocks.room_changed.count == 1);
    CHECK(b.hal.console.back() == "recovered: 16 pages read");
}

TEST_CASE("recovery: numbers of versions go on after the highest one found", "[recovery]")
{
    RecoveryBench b;
    b.put(2, 0, 3, 70);
    b.put(2, 1, 4, 71);
    recovery_run(&b.layer, &b.hal.arena);
    CHECK(b.layer.sequence == 72);
    CHECK(b.layer.blocks.clock == 72);
    CHECK(b.placeOf(4) == 17);
    CHECK(b.layer.map.logical[17] == 4);
}

TEST_CASE("recovery: a next checkpoint is due after as many pages as had to be read", "[recovery]")
{
    RecoveryBench b;
    b.put(2, 0, 3, 70);
    recovery_run(&b.layer, &b.hal.arena);
    const std::uint32_t pages = b.flash.reads;
    CHECK(b.layer.checkpoint.since == 71 - pages);
    RecoveryBench few; // never below zero
    few.put(2, 0, 3, 2);
    recovery_run(&few.layer, &few.hal.arena);
    CHECK(few.layer.checkpoint.since == 0);
}

TEST_CASE("recovery: what was written before is found by another start, with the checkpoint or without", "[recovery]")
{
    for (const bool hasCheckpoint : {false, true}) {
        CAPTURE(hasCheckpoint);
        LayerBench before([hasCheckpoint](boot_block& boot) { boot.checkpoint_pages = hasCheckpoint ? 8 : 0; });
        for (std::uint32_t logical = 0; logical < 20; ++logical) {
            before.write(logical % 12); // some twice
            ftl_run(&before.layer);
            before.endAll();
            ftl_run(&before.layer);
            before.endAll();
        }
        ftl_trim(&before.layer, 5);
        ftl_flush(&before.layer);
        before.endAll();
        LayerBench after(
            [hasCheckpoint](boot_block& boot) {
                boot.recover = 1;
                boot.checkpoint_pages = hasCheckpoint ? 8 : 0;
            },
            {}, [&before](FakeFlash& flash) { flash.pages = before.flash.pages; });
        for (std::uint32_t logical = 0; logical < 20; ++logical) {
            CAPTURE(logical);
            CHECK(map_find(&after.layer.map, logical) == map_find(&before.layer.map, logical));
        }
        CHECK(map_find(&after.layer.map, 5) == MAP_UNMAPPED);
        const bool fromCheckpoint = after.hal.console.back().find("from a checkpoint on") != std::string::npos;
        CHECK(fromCheckpoint == hasCheckpoint);
    }
}
