#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A drive that begins recovery: the layer of LayerBench with an empty map and no block in any list, on a flash with the
// contents that a test puts there. The test runs the steps that come before the one under test, and that one.

#include "tests/firmware/ftl/page_map/layer_bench.h"

namespace strobe::test {

struct RecoveryBench : LayerBench {
    using Step = void (*)(ftl*, recovery*);

    recovery state{};

    // `bad`: factory bad blocks, of which the capacity takes no account, so that a test can leave few good ones.
    explicit RecoveryBench(const Change& change = {}, const std::vector<std::uint32_t>& bad = {}) : LayerBench(change)
    {
        boot.recover = 1;
        for (const std::uint32_t block : bad)
            hal.words(boot.bad_block_table)[block / 32] |= 1u << block % 32;
        blocks_init(&layer.blocks, &hal.arena, &layer.geometry);
        bad_blocks_find(&layer, &hal.arena);
        layer.blocks.geometry.members = layer.geometry.members;
        state.arena = &hal.arena;
        layer.recovery = &state;
    }
    // The page's record is that of a unit of data; of a drive with one die, whose pages are units.
    void put(std::uint32_t block, std::uint32_t page, std::uint32_t logical, std::uint32_t sequence,
             spare_kind kind = SPARE_HOST, std::uint32_t erases = 0)
    {
        flash.put({0, block, page}, spare_record(logical, sequence, kind, erases));
    }
    void run(Step step) { step(&layer, &state); }
    void runBefore(Step last)
    {
        for (const recovery_step* step = recovery_steps; step->name != nullptr && step->run != last; ++step) {
            state.step = step->name;
            step->run(&layer, &state);
        }
    }
    void runUntil(Step last)
    {
        runBefore(last);
        run(last);
    }
    std::uint32_t placeOf(std::uint32_t logical) const { return map_find(&layer.map, logical); }
    first_page& firstOf(std::uint32_t block) { return state.first[block]; }
};

} // namespace strobe::test
