// SPDX-License-Identifier: Apache-2.0
//
// Factory bad blocks, and the replacement of blocks that go bad.
#include "tests/firmware/ftl/page_map/layer_bench.h"

#include <string>

using namespace strobe::test;

namespace {

std::uint32_t stateOf(LayerBench& b, std::uint32_t block)
{
    return b.blockOf(block).state;
}

// The records of blocks that went bad.
std::vector<std::uint32_t> notedBad(const LayerBench& b)
{
    const journal_page* page = b.layer.journal.buffer[b.layer.journal.filling].page;
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t i = 0; i < page->records; ++i) {
        if (page->record[i].kind == RECORD_BAD)
            blocks.push_back(page->record[i].first);
    }
    return blocks;
}

// A block of the plane that has taken a page, whose program is in progress.
std::uint32_t open(LayerBench& b, std::uint32_t plane = 0)
{
    return block_of_unit(&b.layer.geometry, blocks_take_page(&b.layer.blocks, plane, STREAM_HOST, 0));
}

} // namespace

TEST_CASE("bad blocks: the platform's table names them by die, and no operation of the flash is needed", "[bad]")
{
    LayerBench b([](boot_block& boot) { boot.channels = 2; }, {0, 15, 16 + 3});
    CHECK(b.flash.reads == 0);
    for (std::uint32_t block = 0; block < 32; ++block)
        CHECK((stateOf(b, block) == BLOCK_BAD) == (block == 0 || block == 15 || block == 19));
    CHECK(b.layer.blocks.plane[0].good == 14);
    CHECK(b.layer.blocks.plane[1].good == 15);
    CHECK(b.layer.blocks.plane[0].free == 14);
}

TEST_CASE("bad blocks: without a table the first page of every block is read once, and a zero in its record is a mark",
          "[bad]")
{
    LayerBench b(
        [](boot_block& boot) {
            boot.channels = 2;
            boot.bad_block_table = 0;
        },
        {},
        [](FakeFlash& flash) {
            flash.put({0, 4, 0}, {{0, 7, 7, 7}});
            flash.put({1, 15, 0}, {{0, ~0u, ~0u, ~0u}});
            flash.put({1, 3, 0}, spare_record(5, 9, SPARE_HOST, 0)); // data
        });
    CHECK(b.flash.reads == 32);
    for (std::uint32_t block = 0; block < 32; ++block)
        CHECK((stateOf(b, block) == BLOCK_BAD) == (block == 4 || block == 31));
}

TEST_CASE("bad blocks: a first page that cannot be read is a mark, unless a power loss may have damaged it", "[bad]")
{
    for (const std::uint32_t recover : {0u, 1u}) {
        CAPTURE(recover);
        LayerBench b(
            [recover](boot_block& boot) {
                boot.bad_block_table = 0;
                boot.recover = recover;
            },
            {},
            [](FakeFlash& flash) {
                flash.put({0, 4, 0}, spare_record(5, 9, SPARE_HOST, 0));
                flash.pages[{0, 4, 0}].isTorn = true;
            });
        CHECK((stateOf(b, 4) == BLOCK_BAD) == (recover == 0));
        CHECK(b.layer.blocks.plane[0].good == (recover == 0 ? 15 : 16));
    }
}

TEST_CASE("bad blocks: with rows a bad block of one plane costs no block of the others", "[bad]")
{
    LayerBench b([](boot_block& boot) { boot.planes = boot.row_planes = 2; }, {2, 4, 7}); // plane 0: two, plane 1: one
    CHECK(b.layer.blocks.plane[0].good == 14);
    CHECK(stateOf(b, 13) == BLOCK_FREE);
    CHECK(stateOf(b, 14) == BLOCK_BAD); // as many as the plane with the fewest has
    const geometry& g = b.layer.geometry;
    CHECK(geometry_member(&g, 0, 0).block == 0);
    CHECK(geometry_member(&g, 1, 0).block == 6); // 2 and 4 are bad
    CHECK(geometry_member(&g, 2, 1).block == 5);
    CHECK(geometry_member(&g, 3, 1).block == 9); // 7 is bad
    CHECK(geometry_member(&g, 13, 0).block == 30);
}

TEST_CASE("bad blocks: the last good blocks of each plane become its spares", "[bad]")
{
    LayerBench b([](boot_block& boot) { boot.spare_blocks = 2; }, {14});
    CHECK(stateOf(b, 15) == BLOCK_SPARE);
    CHECK(stateOf(b, 13) == BLOCK_SPARE);
    CHECK(stateOf(b, 12) == BLOCK_FREE);
    CHECK(b.layer.blocks.plane[0].spares == 2);
    CHECK(b.layer.blocks.plane[0].free == 13);
}

TEST_CASE("bad blocks: a block with a failed program is noted and replaced once, however many of its programs fail",
          "[bad]")
{
    LayerBench b([](boot_block& boot) { boot.spare_blocks = 2; });
    const std::uint32_t block = open(b);
    const std::uint32_t free = b.layer.blocks.plane[0].free;
    bad_blocks_program_failed(&b.layer, block);
    bad_blocks_program_failed(&b.layer, block);
    CHECK(b.blockOf(block).failed);
    CHECK(b.layer.blocks.plane[0].open[STREAM_HOST] == NONE);
    CHECK(b.layer.blocks.plane[0].spares == 1);
    CHECK(b.layer.blocks.plane[0].free == free + 1);
    CHECK(notedBad(b) == std::vector<std::uint32_t>{block});
    CHECK(b.readOnly == 0);
}

TEST_CASE("bad blocks: without a spare the drive becomes read-only, and the client hears of it once", "[bad]")
{
    LayerBench b;
    const std::uint32_t first = open(b);
    bad_blocks_program_failed(&b.layer, first);
    CHECK(b.layer.read_only);
    bad_blocks_program_failed(&b.layer, open(b));
    CHECK(b.readOnly == 1);
    CHECK(notedBad(b).size() == 2);
}

TEST_CASE("bad blocks: a plane without a spare takes one of its die, but not of another die", "[bad]")
{
    LayerBench b([](boot_block& boot) {
        boot.channels = boot.planes = 2;
        boot.spare_blocks = 1; // of each die: plane 0 of it
    });
    const block_table& blocks = b.layer.blocks;
    REQUIRE(blocks.plane[1].spares == 0);
    REQUIRE(blocks.plane[2].spares == 1);
    const std::uint32_t free = blocks.plane[0].free;
    bad_blocks_program_failed(&b.layer, open(b, 1));
    CHECK(blocks.plane[0].spares == 0);
    CHECK(blocks.plane[0].free == free + 1);
    bad_blocks_program_failed(&b.layer, open(b, 1));
    CHECK(b.layer.read_only);
    CHECK(blocks.plane[2].spares == 1);
}

TEST_CASE("bad blocks: a spare that is owed replaces a block without being moved", "[bad]")
{
    LayerBench b([](boot_block& boot) { boot.planes = 2; });
    b.layer.blocks.plane[0].owed = 1;
    const std::uint32_t block = open(b, 1);
    const std::uint32_t free = b.layer.blocks.plane[0].free;
    bad_blocks_program_failed(&b.layer, block);
    CHECK(b.layer.blocks.plane[0].owed == 0);
    CHECK(b.layer.blocks.plane[0].free == free);
    CHECK_FALSE(b.layer.read_only);
}

TEST_CASE("bad blocks: a failed erase retires and replaces its block, that of a spare only retires it", "[bad]")
{
    LayerBench b([](boot_block& boot) { boot.spare_blocks = 2; });
    const std::uint32_t block = b.fill(0);
    for (std::uint32_t logical = 0; logical < 8; ++logical)
        map_forget(&b.layer.map, logical, MAP_UNMAPPED);
    blocks_collect(&b.layer.blocks, block);
    bad_blocks_erase_failed(&b.layer, block);
    CHECK(stateOf(b, block) == BLOCK_BAD);
    CHECK(b.layer.blocks.plane[0].spares == 1);

    const std::uint32_t spare = blocks_take_spare(&b.layer.blocks, 0);
    bad_blocks_spare_failed(&b.layer, spare);
    CHECK(stateOf(b, spare) == BLOCK_BAD);
    CHECK_FALSE(b.layer.read_only);
    CHECK(notedBad(b) == std::vector<std::uint32_t>{block, spare});
}
