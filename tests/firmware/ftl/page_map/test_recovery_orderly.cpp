// SPDX-License-Identifier: Apache-2.0
//
// After an orderly power-off a plane goes on with the blocks that were open, free and spare.
#include "tests/firmware/ftl/page_map/recovery_bench.h"

using namespace strobe::test;

namespace {

struct Bench : RecoveryBench {
    explicit Bench(const Change& change = {}, const std::vector<std::uint32_t>& bad = {}) : RecoveryBench(change, bad)
    {
        boot.recover = 2;
    }
    void putPages(std::uint32_t block, std::uint32_t pages, std::uint32_t logical, std::uint32_t sequence,
                  spare_kind kind = SPARE_HOST)
    {
        for (std::uint32_t page = 0; page < pages; ++page)
            put(block, page, logical + page, sequence + page, kind);
    }
    void prepare() { runUntil(recovery_gain_empty_blocks); }
    bool goesOn()
    {
        prepare();
        return recovery_plane_goes_on(&layer, 0);
    }
    std::uint32_t goesOnAs(std::uint32_t block) { return firstOf(block).goes_on; }
    std::uint32_t goesOnNext(std::uint32_t block)
    {
        recovery_block_goes_on(&layer, block);
        return blockOf(block).state;
    }
};

constexpr std::uint32_t openFor(stream s)
{
    return GOES_ON_OPEN + static_cast<std::uint32_t>(s);
}
// All blocks except the first few.
std::vector<std::uint32_t> badFrom(std::uint32_t first)
{
    std::vector<std::uint32_t> bad;
    for (std::uint32_t block = first; block < 16; ++block)
        bad.push_back(block);
    return bad;
}

} // namespace

TEST_CASE("orderly recovery: blank blocks are free or spare, and each stream goes on with its open block", "[recovery]")
{
    Bench b([](boot_block& boot) { boot.spare_blocks = 2; }, badFrom(8));
    b.putPages(0, 8, 0, 10);
    b.putPages(2, 3, 8, 30);
    b.putPages(5, 2, 20, 20, SPARE_MOVED);
    REQUIRE(b.goesOn());
    CHECK(b.goesOnAs(0) == GOES_ON_AS_FOUND);
    CHECK(b.goesOnAs(1) == GOES_ON_FREE);
    CHECK(b.goesOnAs(2) == openFor(STREAM_HOST));
    CHECK(b.goesOnAs(3) == GOES_ON_FREE);
    CHECK(b.goesOnAs(4) == GOES_ON_FREE);
    CHECK(b.goesOnAs(5) == openFor(STREAM_MOVE));
    CHECK(b.goesOnAs(6) == GOES_ON_SPARE); // the last ones
    CHECK(b.goesOnAs(7) == GOES_ON_SPARE);
    CHECK(b.goesOnNext(1) == BLOCK_FREE);
    CHECK(b.goesOnNext(6) == BLOCK_SPARE);
    CHECK(b.goesOnNext(2) == BLOCK_OPEN);
    CHECK(b.goesOnNext(5) == BLOCK_OPEN);
    CHECK(b.blockOf(2).taken == 3);
    CHECK(b.layer.blocks.plane[0].open[STREAM_HOST] == 2);
    CHECK(b.layer.blocks.plane[0].open[STREAM_MOVE] == 5);
    CHECK(blocks_take_page(&b.layer.blocks, 0, STREAM_HOST, 0) == 2 * 8 + 3);
}

TEST_CASE("orderly recovery: after another power loss no plane goes on", "[recovery]")
{
    Bench b;
    b.boot.recover = 1;
    CHECK_FALSE(b.goesOn());
    CHECK(b.goesOnAs(0) == GOES_ON_AS_FOUND);
}

TEST_CASE("orderly recovery: of several blocks with room none is the open one", "[recovery]")
{
    Bench b;
    b.putPages(2, 3, 0, 10);
    b.putPages(4, 5, 8, 30);
    REQUIRE(b.goesOn());
    CHECK(b.goesOnAs(2) == GOES_ON_AS_FOUND);
    CHECK(b.goesOnAs(4) == GOES_ON_AS_FOUND);
}

TEST_CASE("orderly recovery: a failed block is not open again, nor is a blank one with data of the map", "[recovery]")
{
    Bench b;
    b.putPages(2, 3, 0, 10);
    b.prepare();
    b.blockOf(2).failed = true;
    b.blockOf(4).failed = true;
    REQUIRE(recovery_plane_goes_on(&b.layer, 0));
    CHECK(b.goesOnAs(2) == GOES_ON_AS_FOUND);
    CHECK(b.goesOnAs(4) == GOES_ON_AS_FOUND);
}

TEST_CASE("orderly recovery: pages that the checkpoint covers are taken though they were not read", "[recovery]")
{
    Bench b;
    b.putPages(2, 3, 0, 10);
    b.runBefore(recovery_read_data_pages);
    b.layer.checkpoint.covered[2] = 3;
    b.run(recovery_read_data_pages);
    REQUIRE(b.firstOf(2).taken == 0);
    REQUIRE(recovery_plane_goes_on(&b.layer, 0));
    b.goesOnNext(2);
    CHECK(b.blockOf(2).taken == 3);
}

TEST_CASE("orderly recovery: without a free block the plane goes on if the victim's rest fits into the open block",
          "[recovery]")
{
    for (const std::uint32_t moved : {3u, 5u}) {
        CAPTURE(moved);
        Bench b({}, badFrom(3));
        b.putPages(0, 8, 0, 10);  // the victim: some of it was moved
        b.putPages(1, 8, 8, 100); // full of valid data
        b.putPages(2, moved, 0, 10, SPARE_MOVED);
        b.prepare();
        for (std::uint32_t logical = 0; logical < moved; ++logical) { // the map names the copies
            b.layer.map.physical[logical] = 16 + logical;
            --b.blockOf(0).valid;
            blocks_unit_valid(&b.layer.blocks, 2);
        }
        for (std::uint32_t logical = moved; logical < 5; ++logical) { // the host has overwritten nothing else
            CHECK(b.placeOf(logical) == logical);
        }
        CHECK(recovery_plane_goes_on(&b.layer, 0)); // 8 - moved are left, and as many pages
        b.layer.map.physical[0] = 0;
        ++b.blockOf(0).valid; // one more than fits
        b.firstOf(2).goes_on = GOES_ON_AS_FOUND;
        CHECK_FALSE(recovery_plane_goes_on(&b.layer, 0));
        CHECK(b.goesOnAs(2) == GOES_ON_AS_FOUND);
    }
}

TEST_CASE("orderly recovery: a plane that has fewer blank blocks than spares does not go on", "[recovery]")
{
    Bench b([](boot_block& boot) { boot.spare_blocks = 2; }, badFrom(3));
    b.putPages(0, 8, 0, 10);
    b.putPages(1, 8, 8, 30);
    CHECK_FALSE(b.goesOn());
    CHECK(b.goesOnAs(2) == GOES_ON_AS_FOUND);
}

TEST_CASE("orderly recovery: blocks that went bad have taken spares", "[recovery]")
{
    Bench b([](boot_block& boot) { boot.spare_blocks = 2; });
    b.prepare();
    CHECK(recovery_spares(&b.layer, 0) == 2);
    b.blockOf(3).failed = true;
    CHECK(recovery_spares(&b.layer, 0) == 1);
    b.blockOf(4).failed = b.blockOf(5).failed = true;
    CHECK(recovery_spares(&b.layer, 0) == 0);
}

TEST_CASE("orderly recovery: a block is empty if it is good and holds neither data nor tables", "[recovery]")
{
    Bench b({}, {6});
    b.putPages(1, 2, 0, 10);
    b.put(2, 0, 0, 1, SPARE_JOURNAL);
    b.prepare();
    b.blockOf(3).failed = true;
    CHECK(recovery_is_empty(&b.layer, 0));
    for (const std::uint32_t block : {1u, 2u, 3u, 6u})
        CHECK_FALSE(recovery_is_empty(&b.layer, block));
}

TEST_CASE("orderly recovery: a plane without a free block goes on with its collection", "[recovery]")
{
    Bench b({}, badFrom(3));
    b.putPages(0, 8, 0, 10);
    b.putPages(1, 8, 8, 30);
    b.put(2, 0, 3, 60, SPARE_MOVED);
    b.prepare();
    REQUIRE(recovery_plane_goes_on(&b.layer, 0));
    b.run(recovery_choose_to_erase);
    b.run(recovery_rebuild_reverse_map);
    b.run(recovery_settle_blocks);
    const collector& collector = b.layer.collection.planes[0];
    CHECK(collector.phase == COLLECT_MOVING);
    CHECK(collector.victim == 0); // the fewest valid units
    CHECK(b.blockOf(0).state == BLOCK_COLLECTING);
}
