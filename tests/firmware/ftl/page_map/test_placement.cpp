// SPDX-License-Identifier: Apache-2.0
//
// Data placement: which block takes the data of a handle, where collection moves it, and the table of the handles.
#include "tests/firmware/ftl/page_map/layer_bench.h"

using namespace strobe::test;

namespace {

constexpr std::uint32_t sectorsOfUnit = 8 * 4; // a block of 8 pages of 2 KiB

struct Bench : LayerBench {
    explicit Bench(placement_isolation isolation = PLACEMENT_ISOLATION_INITIALLY)
        : LayerBench([isolation](boot_block& b) {
              b.placement_handles = 3;
              b.placement_isolation = isolation;
          })
    {
    }
    std::uint32_t place(std::uint32_t logical, std::uint32_t handle)
    {
        const std::uint32_t mask = layer.geometry.full_unit;
        const std::uint32_t version = ftl_place(&layer, logical, mask, placement_lane(&layer.placement, handle), false);
        REQUIRE(version != NONE);
        ftl_arrived(&layer, version, mask);
        return version;
    }
    void flushAll() // a die takes few programs at a time
    {
        do {
            ftl_run(&layer);
            endAll();
        } while (ftl_has_work(&layer) || !flash.pending.empty());
        ftl_run(&layer);
        endAll();
    }
    std::uint32_t blockOfUnit(std::uint32_t logical)
    {
        return block_of_unit(&layer.geometry, map_find(&layer.map, logical));
    }
    const placement_entry& entry(std::uint32_t handle) const { return layer.placement.entries[handle]; }
    std::uint32_t open(enum stream stream) const { return layer.blocks.plane[0].open[stream]; }
};

} // namespace

TEST_CASE("placement: each handle has an open block, and the records of its pages name it")
{
    Bench b;
    b.place(1, 0);
    b.place(2, 1);
    b.place(3, 2);
    b.place(4, 7); // no such handle: 0
    b.flushAll();
    CHECK(b.blockOfUnit(1) == b.open(stream_of_host(0, STREAM_HOST)));
    CHECK(b.blockOfUnit(2) == b.open(stream_of_host(1, STREAM_HOST)));
    CHECK(b.blockOfUnit(3) == b.open(stream_of_host(2, STREAM_HOST)));
    CHECK(b.blockOfUnit(4) == b.blockOfUnit(1));
    CHECK(b.blockOfUnit(1) != b.blockOfUnit(2));
    CHECK(b.blockOfUnit(2) != b.blockOfUnit(3));
    for (std::uint32_t handle = 0; handle < 3; ++handle) {
        const flash_spare record = b.flash.pages.at({0, b.blockOfUnit(handle + 1), 0}).records.at(0);
        CHECK(spare_handle_of(&record) == handle);
        CHECK(spare_is_data(spare_kind_of(&record)));
        CHECK(b.blockOf(b.blockOfUnit(handle + 1)).handle == handle);
    }
}

TEST_CASE("placement: a version that is written again before it is in flash goes where the last write says")
{
    Bench b;
    const std::uint32_t version = b.place(1, 0);
    CHECK(b.place(1, 2) == version);
    b.flushAll();
    CHECK(b.blockOfUnit(1) == b.open(stream_of_host(2, STREAM_HOST)));
    CHECK(b.open(STREAM_HOST) == NONE);
}

TEST_CASE("placement: an update ends the reclaim unit of its handle, and of no other")
{
    Bench b;
    b.place(1, 0);
    b.place(2, 1);
    b.flushAll();
    CHECK(b.entry(1).available == sectorsOfUnit - 4);
    CHECK(b.entry(2).available == sectorsOfUnit);
    const std::uint32_t other = b.open(STREAM_HOST);
    const std::uint32_t ended = b.open(STREAM_HOT);
    CHECK(placement_update(&b.layer, 1));
    CHECK(b.entry(1).available == sectorsOfUnit);
    CHECK(b.open(STREAM_HOT) == NONE);
    CHECK(b.blockOf(ended).state == BLOCK_FULL);
    CHECK(b.open(STREAM_HOST) == other);
    b.place(3, 1);
    b.flushAll();
    CHECK(b.blockOfUnit(3) != ended);
    CHECK(placement_update(&b.layer, 2)); // it has no reclaim unit yet
    CHECK_FALSE(placement_update(&b.layer, 3));
}

TEST_CASE("placement: moved data of all handles shares a block, or stays with its handle")
{
    for (const auto isolation : {PLACEMENT_ISOLATION_INITIALLY, PLACEMENT_ISOLATION_PERSISTENTLY}) {
        Bench b(isolation);
        const std::uint32_t first = b.fill(0, 8, stream_of_host(1, STREAM_HOST));
        const std::uint32_t second = b.fill(8, 8, stream_of_host(2, STREAM_HOST));
        for (std::uint32_t unit = 0; unit < 15; unit += unit == 5 ? 4 : 1) // 6, 7, 8 and 15 stay
            map_forget(&b.layer.map, unit, MAP_UNMAPPED);
        for (const std::uint32_t block : {first, second}) {
            collector_go_on(&b.layer, 0, block);
            plane_set_add(&b.layer.collection.pending, 0);
            collector_run(&b.layer);
            b.endAll();
            collector_run(&b.layer);
            b.endAll();
        }
        const bool stays = isolation == PLACEMENT_ISOLATION_PERSISTENTLY;
        CHECK(b.blockOfUnit(6) == b.open(stays ? stream_of_moves(1) : STREAM_MOVE));
        CHECK(b.blockOfUnit(15) == b.open(stays ? stream_of_moves(2) : STREAM_MOVE));
        CHECK((b.blockOfUnit(6) == b.blockOfUnit(15)) != stays);
        CHECK(b.entry(1).moved == 2 * 4);
        CHECK(b.entry(2).moved == 2 * 4); // 8 and 15
        CHECK(b.entry(0).moved == 0);
    }
}

TEST_CASE("placement: a handle without a page waits, and takes none of another handle; all may when the supply fails")
{
    Bench b;
    b.place(1, 1);
    b.flushAll();
    while (b.layer.blocks.plane[0].free > GC_RESERVE)
        blocks_take_free(&b.layer.blocks, 0, STREAM_HOST);
    b.layer.collection.policy.low = 0; // nothing is collected
    b.place(2, 2);
    b.flushAll();
    CHECK_FALSE(map_is_mapped(map_find(&b.layer.map, 2)));
    ftl_supply_fails(&b.layer);
    b.flushAll();
    CHECK(b.blockOfUnit(2) == b.blockOfUnit(1));
}
