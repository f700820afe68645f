// SPDX-License-Identifier: Apache-2.0
//
// Which host data is hot, and that it goes to blocks of its own.
#include "tests/firmware/ftl/page_map/layer_bench.h"

using namespace strobe::test;

namespace {

struct Bench : LayerBench {
    Bench() : LayerBench([](boot_block& b) { b.host_streams = HOST_STREAMS_HOT_COLD; }) {}

    bool isHot(std::uint32_t logical) { return heat_is_hot(&layer.map, logical, buffer_find(&layer.buffer, logical)); }
    std::uint32_t blockOfUnit(std::uint32_t logical)
    {
        return block_of_unit(&layer.geometry, map_find(&layer.map, logical));
    }
    void writeToFlash(std::uint32_t logical)
    {
        write(logical);
        ftl_run(&layer);
        endAll();
    }
};

} // namespace

TEST_CASE("a unit is cold when it is new, hot when it is written again, and cold when collection has moved it")
{
    Bench b;
    CHECK_FALSE(b.isHot(5));
    b.write(5);
    CHECK(b.isHot(5)); // the version before it is in the buffer
    ftl_run(&b.layer);
    b.endAll();
    CHECK(b.isHot(5)); // in a block of host data
    b.fill(5, 1, STREAM_MOVE);
    CHECK_FALSE(b.isHot(5));
    ftl_trim(&b.layer, 5);
    CHECK_FALSE(b.isHot(5));
}

TEST_CASE("a block that was emptied and takes host data holds no moved data")
{
    Bench b;
    const std::uint32_t block = b.fill(0, 8, STREAM_MOVE);
    CHECK(b.blockOf(block).moved);
    for (std::uint32_t unit = 0; unit < 8; ++unit)
        map_forget(&b.layer.map, unit, MAP_UNMAPPED);
    blocks_collect(&b.layer.blocks, block);
    blocks_erased(&b.layer.blocks, block);
    CHECK_FALSE(b.blockOf(block).moved);
}

TEST_CASE("hot data goes to an open block of its own, whose pages say so")
{
    Bench b;
    b.writeToFlash(1);
    b.writeToFlash(2);
    b.writeToFlash(1);
    CHECK(b.blockOfUnit(2) == b.layer.blocks.plane[0].open[STREAM_HOST]);
    CHECK(b.blockOfUnit(1) == b.layer.blocks.plane[0].open[STREAM_HOT]);
    CHECK(b.blockOfUnit(1) != b.blockOfUnit(2));
    const std::uint32_t page = page_of_unit(&b.layer.geometry, map_find(&b.layer.map, 1));
    const flash_spare record = b.flash.pages.at({0, b.blockOfUnit(1), page}).records.at(0);
    CHECK(spare_kind_of(&record) == SPARE_HOT);
}

TEST_CASE("with one stream all host data goes to one block")
{
    LayerBench b;
    for (const std::uint32_t unit : {1U, 2U, 1U}) {
        b.write(unit);
        ftl_run(&b.layer);
        b.endAll();
    }
    CHECK(b.layer.blocks.plane[0].open[STREAM_HOT] == NONE);
}
