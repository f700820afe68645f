#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The block table of one plane of 8 blocks of 8 pages, without a drive.

#include "tests/firmware/support/fake_hal.h"

namespace strobe::test {

struct FilledBlocks {
    FakeHal hal;
    geometry g = geometryOf(1, 1, 1, 1, 8, 8);
    block_table table{};

    FilledBlocks()
    {
        blocks_init(&table, &hal.arena, &g);
        for (std::uint32_t block = 0; block < g.blocks; ++block)
            blocks_add_free(&table, block);
    }
    // Fills the next block with `valid` valid pages.
    std::uint32_t fill(std::uint32_t valid)
    {
        std::uint32_t block = NONE;
        for (std::uint32_t page = 0; page < 8; ++page) {
            block = blocks_take_page(&table, 0, STREAM_HOST, 0) / 8;
            blocks_unit_valid(&table, block);
            blocks_program_ended(&table, block);
        }
        for (std::uint32_t page = valid; page < 8; ++page)
            blocks_unit_invalid(&table, block);
        return block;
    }
};

} // namespace strobe::test
