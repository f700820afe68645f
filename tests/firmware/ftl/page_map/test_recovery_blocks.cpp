// SPDX-License-Identifier: Apache-2.0
//
// The new state of each block after a power loss, and which blocks are erased before anything else.
#include "tests/firmware/ftl/page_map/recovery_bench.h"

#include <algorithm>

using namespace strobe::test;

namespace {

struct Bench : RecoveryBench {
    using RecoveryBench::RecoveryBench;

    // A block full of units from `logical` on.
    void putBlock(std::uint32_t block, std::uint32_t logical, std::uint32_t sequence, std::uint32_t erases = 0)
    {
        for (std::uint32_t page = 0; page < 8; ++page)
            put(block, page, logical + page, sequence + page, SPARE_HOST, erases);
    }
    std::vector<std::uint32_t> blocksIn(const std::uint32_t* bitmap) const
    {
        std::vector<std::uint32_t> blocks;
        for (std::uint32_t block = 0; block < layer.geometry.blocks; ++block) {
            if (bitmap_has(bitmap, block))
                blocks.push_back(block);
        }
        return blocks;
    }
    block_state stateOf(std::uint32_t block) { return static_cast<block_state>(blockOf(block).state); }
};

using Blocks = std::vector<std::uint32_t>;

void oneSpare(boot_block& boot)
{
    boot.spare_blocks = 1;
}

} // namespace

TEST_CASE("recovery blocks: the record of a first page has the low half of the erase count, which only grows",
          "[recovery]")
{
    Bench b;
    b.put(1, 0, 0, 10, SPARE_HOST, 7);
    b.put(2, 0, 1, 11, SPARE_HOST, 3);
    b.put(3, 0, 2, 12, SPARE_HOST, 0x10005); // written as 5
    b.runBefore(recovery_find_erase_counts);
    b.blockOf(2).erases = 0xFFFE; // of the checkpoint: 3 is beyond the next step of the high half
    b.blockOf(3).erases = 0x10004;
    b.blockOf(4).erases = 9; // blank: as the journal says
    b.run(recovery_find_erase_counts);
    CHECK(b.blockOf(1).erases == 7);
    CHECK(b.blockOf(2).erases == 0x10003);
    CHECK(b.blockOf(3).erases == 0x10005);
    CHECK(b.blockOf(4).erases == 9);
    CHECK(b.layer.blocks.plane[0].most_erases == 0x10005);
}

TEST_CASE("recovery blocks: valid units are counted by the map, and the reverse map follows from it", "[recovery]")
{
    Bench b;
    b.putBlock(1, 0, 10);
    b.put(2, 0, 3, 50);
    b.runUntil(recovery_count_valid_pages);
    CHECK(b.blockOf(1).valid == 7);
    CHECK(b.blockOf(2).valid == 1);
    CHECK(b.blockOf(0).valid == 0);
    b.run(recovery_rebuild_reverse_map);
    CHECK(b.layer.map.logical[8 + 2] == 2);
    CHECK(b.layer.map.logical[8 + 3] == NONE);
    CHECK(b.layer.map.logical[16] == 3);
    CHECK(b.layer.map.logical[0] == NONE);
    CHECK(b.state.versions.sequence == nullptr); // its memory is the reverse map's again
}

TEST_CASE("recovery blocks: in a plane without an empty block copies are given up until one is empty", "[recovery]")
{
    for (const bool isWhole : {true, false}) {
        CAPTURE(isWhole);
        Bench b({}, {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
        b.putBlock(0, 0, 10);
        b.putBlock(1, 8, 20);
        for (std::uint32_t page = 0; page < 4; ++page) // copies of half of block 0, whose collection was cut
            b.put(2, page, page, 10 + page, SPARE_MOVED);
        if (!isWhole)
            b.put(2, 4, 30, 99); // and a unit that has no other copy
        b.runUntil(recovery_count_valid_pages);
        REQUIRE(b.placeOf(0) == 0);
        REQUIRE(b.blockOf(0).valid == 8);
        // the map names the copies, as if these had been found first
        for (std::uint32_t logical = 0; logical < 4; ++logical) {
            b.layer.map.physical[logical] = 16 + logical;
            --b.blockOf(0).valid;
            blocks_unit_valid(&b.layer.blocks, 2);
            b.state.versions.duplicates[logical].physical = logical;
        }
        b.run(recovery_gain_empty_blocks);
        CHECK(b.blockOf(2).valid == (isWhole ? 0 : 5));
        CHECK(b.blockOf(0).valid == (isWhole ? 8 : 4));
        for (std::uint32_t logical = 0; logical < 4; ++logical)
            CHECK(b.placeOf(logical) == (isWhole ? logical : 16 + logical));
    }
}

TEST_CASE("recovery blocks: a plane with an empty block keeps its map as it was found", "[recovery]")
{
    Bench b;
    b.putBlock(0, 0, 10);
    b.put(2, 0, 0, 10, SPARE_MOVED);
    b.runUntil(recovery_count_valid_pages);
    b.layer.map.physical[0] = 16;
    --b.blockOf(0).valid;
    blocks_unit_valid(&b.layer.blocks, 2);
    b.state.versions.duplicates[0].physical = 0;
    b.run(recovery_gain_empty_blocks);
    CHECK(b.placeOf(0) == 16);
}

TEST_CASE("recovery blocks: the first empty blocks are erased for collection, the last ones for spares", "[recovery]")
{
    Bench b([](boot_block& boot) { boot.spare_blocks = 2; }, {15});
    b.putBlock(0, 0, 10);
    b.putBlock(14, 8, 20);
    b.runUntil(recovery_choose_to_erase);
    CHECK(b.blocksIn(b.state.erases.erase) == Blocks{1, 2, 12, 13});
    CHECK(b.blocksIn(b.state.erases.spare) == Blocks{12, 13});
    CHECK(b.layer.blocks.plane[0].owed == 0);
}

TEST_CASE("recovery blocks: spares for which there is no empty block are owed", "[recovery]")
{
    Bench b([](boot_block& boot) { boot.spare_blocks = 3; }, {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
    b.putBlock(0, 0, 10);
    b.runUntil(recovery_choose_to_erase);
    CHECK(b.blocksIn(b.state.erases.erase) == Blocks{1, 2, 3});
    CHECK(b.blocksIn(b.state.erases.spare) == Blocks{3});
    CHECK(b.layer.blocks.plane[0].owed == 2);
}

TEST_CASE("recovery blocks: each block gets the state that follows from its contents", "[recovery]")
{
    Bench b({}, {15});
    b.putBlock(3, 0, 10);
    b.put(4, 0, 0, 1, SPARE_JOURNAL);
    b.put(5, 0, 9, 30);
    b.runBefore(recovery_find_erase_counts);
    b.blockOf(6).failed = true; // empty
    b.blockOf(3).failed = true; // holds data
    b.run(recovery_find_erase_counts);
    b.run(recovery_count_valid_pages);
    b.run(recovery_gain_empty_blocks);
    b.run(recovery_choose_to_erase);
    b.run(recovery_rebuild_reverse_map);
    b.run(recovery_settle_blocks);
    CHECK(b.stateOf(0) == BLOCK_COLLECTING); // is about to be erased
    CHECK(b.stateOf(1) == BLOCK_COLLECTING);
    CHECK(b.stateOf(2) == BLOCK_FULL); // blank: without a valid unit
    CHECK(b.stateOf(3) == BLOCK_FULL);
    CHECK(b.stateOf(4) == BLOCK_TABLES);
    CHECK(b.stateOf(5) == BLOCK_FULL);
    CHECK(b.stateOf(6) == BLOCK_BAD);
    CHECK(b.stateOf(15) == BLOCK_BAD);
    CHECK(b.blockOf(5).stamp == 30);
    CHECK(b.blockOf(2).stamp == 0);
    CHECK(blocks_take_failed(&b.layer.blocks, 0) == 3);
}

TEST_CASE("recovery blocks: chosen blocks are erased, spares first, and become free or spares", "[recovery]")
{
    Bench b(oneSpare);
    b.putBlock(3, 0, 10);
    Blocks order;
    b.flash.outcome = [&order](const flash_descriptor& operation) {
        if (opcodeOf(operation) == FLASH_ERASE)
            order.push_back(operation.blocks);
        return FLASH_OK;
    };
    b.runUntil(recovery_erase_blocks);
    CHECK(order == Blocks{15, 0, 1});
    CHECK(b.stateOf(15) == BLOCK_SPARE);
    CHECK(b.stateOf(0) == BLOCK_FREE);
    CHECK(b.layer.blocks.plane[0].free == 2);
    CHECK(b.layer.blocks.plane[0].spares == 1);
    CHECK(b.blockOf(15).erases == 1);
    CHECK(b.blockOf(1).erases == 1);
}

TEST_CASE("recovery blocks: a failed erase is replaced by a spare, a spare that fails is not replaced", "[recovery]")
{
    for (const std::uint32_t failing : {0u, 15u}) {
        CAPTURE(failing);
        Bench b(oneSpare);
        b.putBlock(3, 0, 10);
        b.flash.outcome = [failing](const flash_descriptor& operation) {
            const bool fails = opcodeOf(operation) == FLASH_ERASE && operation.blocks == failing;
            return fails ? FLASH_ERASE_FAILED : FLASH_OK;
        };
        b.runUntil(recovery_erase_blocks);
        CHECK(b.stateOf(failing) == BLOCK_BAD);
        CHECK(b.layer.blocks.plane[0].spares == 0);
        CHECK(b.layer.blocks.plane[0].free == 2);
        CHECK_FALSE(b.layer.read_only);
    }
}

TEST_CASE("recovery blocks: all members of a block are erased, however many operations its group has", "[recovery]")
{
    for (const std::uint32_t failing : {NONE, 2u}) {
        CAPTURE(failing);
        Bench b([](boot_block& boot) {
            boot.planes = boot.row_planes = 4;
            boot.buffer_size = 128 * 2048;
            boot.spare_blocks = 4;
        });
        REQUIRE(geometry_members(&b.layer.geometry) > recovery_depth(&b.layer.geometry));
        b.flash.put({0, 12, 0}, spare_record(0, 10, SPARE_HOST, 0));
        b.flash.outcome = [failing](const flash_descriptor& operation) {
            const bool fails = opcodeOf(operation) == FLASH_ERASE && operation.blocks == failing;
            return fails ? FLASH_ERASE_FAILED : FLASH_OK;
        };
        b.runUntil(recovery_erase_blocks);
        CHECK(b.flash.erases == 3 * 4); // a spare and two others
        CHECK((b.stateOf(0) == BLOCK_BAD) == (failing == 2));
        CHECK(b.stateOf(1) == BLOCK_FREE);
    }
}
