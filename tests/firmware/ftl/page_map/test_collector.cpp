// SPDX-License-Identifier: Apache-2.0
//
// The life of a victim: when it begins, how its pages are moved, what its erase waits for, and what ends it.
#include "tests/firmware/ftl/page_map/layer_bench.h"

using namespace strobe::test;

namespace {

struct Bench : LayerBench {
    using LayerBench::LayerBench;

    collector& state(std::uint32_t plane = 0) { return layer.collection.planes[plane]; }
    // Two blocks full of data, of which the first has lost `invalid` pages, and so few free ones that space is needed.
    void needSpace(std::uint32_t invalid)
    {
        fill(0);
        fill(8);
        for (std::uint32_t logical = 0; logical < invalid; ++logical)
            map_forget(&layer.map, logical, MAP_UNMAPPED);
        while (layer.blocks.plane[0].free > 2)
            blocks_take_free(&layer.blocks, 0, STREAM_HOST);
        plane_set_add(&layer.blocks.to_collect, 0);
    }
    void run() { collector_run(&layer); }
    // Runs the collector after each end of an operation.
    void runAll()
    {
        for (run(); !flash.pending.empty(); run())
            end();
    }
    std::uint32_t opcode(std::size_t i = 0) { return opcodeOf(started(i)); }
};

void lowBlocks(boot_block& boot)
{
    boot.gc_low_blocks = 3;
}

} // namespace

TEST_CASE("collector: a plane with enough free blocks is not collected, nor is one that was not added", "[collector]")
{
    Bench b(lowBlocks);
    b.fill(0);
    map_forget(&b.layer.map, 0, MAP_UNMAPPED);
    b.run();
    CHECK(b.state().phase == COLLECT_NOTHING);
    CHECK_FALSE(collector_is_busy(&b.layer));
    CHECK(b.layer.blocks.to_collect.count == 0);
    while (b.layer.blocks.plane[0].free > 2)
        blocks_take_free(&b.layer.blocks, 0, STREAM_MOVE); // a block for moved data is no reason to examine the plane
    b.run();
    CHECK(b.state().phase == COLLECT_NOTHING);
}

TEST_CASE("collector: a victim is emptied, erased and free again, and the erase is noted", "[collector]")
{
    Bench b(lowBlocks);
    b.needSpace(5);
    b.run();
    CHECK(b.state().victim == 0);
    CHECK(b.state().phase == COLLECT_MOVING);
    CHECK(b.state().moving == 3);
    CHECK(collector_is_busy(&b.layer));
    b.layer.checkpoint.covered[0] = 8;
    b.runAll();
    CHECK(b.blockOf(0).state == BLOCK_FREE);
    CHECK(b.blockOf(0).erases == 1);
    CHECK(b.flash.erases == 1);
    CHECK(b.layer.checkpoint.covered[0] == 0);
    CHECK(b.state().phase == COLLECT_NOTHING);
    CHECK(b.state().victim == NONE);
    for (std::uint32_t logical = 5; logical < 16; ++logical)
        CHECK(map_is_mapped(map_find(&b.layer.map, logical)));
    const journal_page* page = b.layer.journal.buffer[b.layer.journal.filling].page;
    REQUIRE(page->records == 1);
    CHECK(page->record[0].kind == RECORD_ERASED);
    CHECK(page->record[0].first == 0);
    CHECK(page->record[0].sequence == 1);
}

TEST_CASE("collector: no more pages are moved at a time than the window allows", "[collector]")
{
    Bench b([](boot_block& boot) {
        boot.gc_low_blocks = 3;
        boot.unit_depth = 32;
        boot.buffer_size = 200 * 2048;
    });
    b.needSpace(1);
    b.run();
    CHECK(b.state().moving == GC_WINDOW_NORMAL);
    CHECK(b.state().cursor == 1 + GC_WINDOW_NORMAL);
    b.runAll();
    CHECK(b.blockOf(0).state == BLOCK_FREE);
}

TEST_CASE("collector: a block without valid pages is erased at once", "[collector]")
{
    Bench b(lowBlocks);
    b.needSpace(8);
    b.run();
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(b.opcode() == FLASH_ERASE);
    CHECK(b.state().phase == COLLECT_ERASING);
    CHECK(purposeOf(b.started(0)) == FLASH_FOR_COLLECTION);
}

TEST_CASE("collector: an erase waits until the journal's records are in flash", "[collector]")
{
    Bench b(lowBlocks);
    b.needSpace(8);
    journal_forget(&b.layer, RECORD_LOST, 9);
    b.run();
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(b.opcode() == FLASH_PROGRAM); // the journal
    CHECK(b.state().phase == COLLECT_MOVING);
    CHECK(plane_set_has(&b.layer.collection.unwritten, 0));
    b.run();
    CHECK(b.flash.pending.size() == 1);
    b.end();
    CHECK(b.layer.collection.unwritten.count == 0);
    b.run();
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(b.opcode() == FLASH_ERASE);
}

TEST_CASE("collector: with erases on idle dies an emptied block waits while its die is busy and there is other space",
          "[collector]")
{
    for (const std::uint32_t free : {GC_RESERVE, GC_RESERVE + 1}) {
        CAPTURE(free);
        Bench b([](boot_block& boot) {
            boot.gc_low_blocks = 3;
            boot.gc_erase = GC_ERASE_WHEN_IDLE;
        });
        b.needSpace(8);
        while (b.layer.blocks.plane[0].free > free)
            blocks_take_free(&b.layer.blocks, 0, STREAM_HOST);
        map_write(&b.layer.map, 30, 100);
        ftl_read(&b.layer, buffer_take(&b.layer.buffer, USE_READ), 100, 0, 4); // the die is busy
        b.run();
        CHECK(b.flash.pending.size() == (free == GC_RESERVE ? 2 : 1));
        if (free == GC_RESERVE)
            continue;
        CHECK(b.state().phase == COLLECT_EMPTIED);
        CHECK_FALSE(collector_run_idle(&b.layer, false));
        b.end();
        CHECK(plane_set_has(&b.layer.collection.idle, 0));
        CHECK(collector_run_idle(&b.layer, false));
        CHECK(b.opcode() == FLASH_ERASE);
    }
}

TEST_CASE("collector: a failed erase retires the block, and the plane is examined again", "[collector]")
{
    Bench b([](boot_block& boot) {
        boot.gc_low_blocks = 3;
        boot.spare_blocks = 1;
    });
    b.needSpace(8);
    b.run();
    b.end(FLASH_ERASE_FAILED);
    CHECK(b.blockOf(0).state == BLOCK_BAD);
    CHECK(b.state().phase == COLLECT_NOTHING);
    CHECK(plane_set_has(&b.layer.collection.pending, 0));
    CHECK(b.layer.blocks.plane[0].spares == 0); // it has replaced the block
    CHECK_FALSE(b.layer.read_only);
}

TEST_CASE("collector: all members of a block are erased, and one failure is enough to retire it", "[collector]")
{
    Bench b([](boot_block& boot) {
        boot.gc_low_blocks = 6; // of both planes
        boot.planes = boot.row_planes = 2;
        boot.buffer_size = 128 * boot.page_bytes;
        boot.spare_blocks = 2;
        boot.overprovision_permille = 600;
    });
    b.fill(0);
    for (std::uint32_t logical = 0; logical < 16; ++logical)
        map_forget(&b.layer.map, logical, MAP_UNMAPPED);
    while (b.layer.blocks.plane[0].free > 2)
        blocks_take_free(&b.layer.blocks, 0, STREAM_HOST);
    plane_set_add(&b.layer.blocks.to_collect, 0);
    b.run();
    REQUIRE(b.flash.pending.size() == 2);
    CHECK(b.started(0).blocks == 0);
    CHECK(b.started(1).blocks == 1);
    b.end(FLASH_ERASE_FAILED);
    CHECK(b.state().phase == COLLECT_ERASING);
    b.end();
    CHECK(b.blockOf(0).state == BLOCK_BAD);
}

TEST_CASE("collector: a failed block is emptied and retired without an erase", "[collector]")
{
    Bench b([](boot_block& boot) { boot.spare_blocks = 1; });
    const std::uint32_t unit = blocks_take_page(&b.layer.blocks, 0, STREAM_HOST, 0);
    map_write(&b.layer.map, 4, unit);
    const std::uint32_t block = block_of_unit(&b.layer.geometry, unit);
    bad_blocks_program_failed(&b.layer, block);
    blocks_program_ended(&b.layer.blocks, block);
    b.run();
    CHECK(b.state().victim == block);
    CHECK(purposeOf(b.started(0)) == FLASH_FOR_REPLACEMENT);
    b.runAll();
    CHECK(b.blockOf(block).state == BLOCK_BAD);
    CHECK(b.flash.erases == 0);
    CHECK(block_of_unit(&b.layer.geometry, map_find(&b.layer.map, 4)) != block);
}

TEST_CASE("collector: while the buffer is saved a plane moves nothing if it has room", "[collector]")
{
    for (const std::uint32_t free : {GC_RESERVE, GC_RESERVE + 1}) {
        CAPTURE(free);
        Bench b(lowBlocks);
        b.needSpace(5);
        while (b.layer.blocks.plane[0].free > free)
            blocks_take_free(&b.layer.blocks, 0, STREAM_HOST);
        b.layer.is_saving = true;
        b.run();
        CHECK(b.state().phase == COLLECT_MOVING);
        CHECK((b.state().moving == 0) == (free > GC_RESERVE));
    }
}

TEST_CASE("collector: background collection begins on an idle die, and one page is in progress at a time",
          "[collector]")
{
    Bench b([](boot_block& boot) { boot.gc_idle_blocks = 15; });
    b.fill(0);
    for (std::uint32_t logical = 0; logical < 6; ++logical)
        map_forget(&b.layer.map, logical, MAP_UNMAPPED);
    b.fill(8);
    b.run();
    CHECK(b.state().phase == COLLECT_NOTHING);
    collector_die_idle(&b.layer, 0);
    CHECK(collector_run_idle(&b.layer, false));
    CHECK(b.state().reason == COLLECT_WHILE_IDLE);
    CHECK(b.state().moving == 1);
    map_write(&b.layer.map, 30, 100);
    ftl_read(&b.layer, buffer_take(&b.layer.buffer, USE_READ), 100, 0, 4); // the host returns
    b.end();
    b.end(); // the die is busy with the program of the moved page
    b.run();
    b.end();
    while (b.layer.collection.idle.count == 0 && !b.flash.pending.empty())
        b.end();
    CHECK(b.state().moving == 0);
    CHECK(b.state().phase == COLLECT_MOVING);
    CHECK(collector_run_idle(&b.layer, false)); // goes on when the die is idle again
    CHECK(b.state().moving == 1);
}

TEST_CASE("collector: background work of a plane waits while its die is busy", "[collector]")
{
    Bench b([](boot_block& boot) { boot.gc_idle_blocks = 15; });
    b.fill(0);
    for (std::uint32_t logical = 0; logical < 6; ++logical)
        map_forget(&b.layer.map, logical, MAP_UNMAPPED);
    b.fill(8);
    collector_die_idle(&b.layer, 0);
    map_write(&b.layer.map, 30, 100);
    ftl_read(&b.layer, buffer_take(&b.layer.buffer, USE_READ), 100, 0, 4);
    CHECK_FALSE(collector_run_idle(&b.layer, true));
    CHECK(b.state().phase == COLLECT_NOTHING);
    CHECK(b.layer.collection.idle.count == 0);
}

TEST_CASE("collector: cached data is folded when the host is idle, and only then", "[collector]")
{
    Bench b([](boot_block& boot) {
        boot.page_bytes = 8192;
        boot.mapping_unit = 4096;
        boot.program_pages = 3;
        boot.pages_per_block = 24;
        boot.pslc_pages = 8;
        boot.pslc_cache = PSLC_CACHE_MODE_DYNAMIC;
        boot.pslc_cache_blocks = 4;
        boot.pslc_cache_fold = 1;
        boot.buffer_size = 256 * 4096;
    });
    const std::uint32_t unit = blocks_take_page(&b.layer.blocks, 0, STREAM_SLC, 0);
    const std::uint32_t block = block_of_unit(&b.layer.geometry, unit);
    map_write(&b.layer.map, 4, unit);
    blocks_program_ended(&b.layer.blocks, block);
    blocks_close(&b.layer.blocks, block);
    REQUIRE(b.blockOf(block).state == BLOCK_FULL);
    b.run();
    collector_die_idle(&b.layer, 0);
    CHECK_FALSE(collector_run_idle(&b.layer, false));
    collector_die_idle(&b.layer, 0);
    CHECK(collector_run_idle(&b.layer, true));
    CHECK(b.state().reason == COLLECT_TO_FOLD);
    CHECK(b.state().victim == block);
}

TEST_CASE("collector: after an erase wear is compared, once, and not after an erase for wear", "[collector]")
{
    Bench b([](boot_block& boot) {
        boot.gc_low_blocks = 3;
        boot.wear_threshold = 4;
    });
    b.needSpace(8);
    b.blockOf(0).erases = 9;
    b.run();
    b.end();
    CHECK(b.state().wear_due);
    b.run();
    CHECK(b.state().victim == 1); // full, and never erased
    CHECK(b.state().reason == COLLECT_FOR_WEAR);
    CHECK(purposeOf(b.started(0)) == FLASH_FOR_WEAR);
    CHECK_FALSE(b.state().wear_due);
    b.runAll();
    CHECK_FALSE(b.state().wear_due);
}

TEST_CASE("collector: data that is due is moved first, and not on a drive that is read-only or saving", "[collector]")
{
    for (const bool isReadOnly : {false, true}) {
        CAPTURE(isReadOnly);
        Bench b([](boot_block& boot) { boot.refresh_reads = 5; });
        b.fill(0);
        for (int i = 0; i < 5; ++i) {
            ftl_read(&b.layer, 1, 0, 0, 4);
            b.layer.buffer.slot[1].use = USE_READ;
            b.layer.buffer.slot[1].state = SLOT_READING;
            b.end();
        }
        REQUIRE(b.blockOf(0).due == REFRESH_DUE_BY_READS);
        b.layer.read_only = isReadOnly;
        b.run();
        CHECK((b.state().phase == COLLECT_MOVING) == !isReadOnly);
        if (isReadOnly)
            continue;
        CHECK(b.state().reason == COLLECT_DUE);
        CHECK(purposeOf(b.started(0)) == FLASH_FOR_REFRESH);
        b.runAll();
        CHECK(b.layer.refresh.moving == 0);
        CHECK(b.layer.refresh.reads[0] == 0);
    }
}

TEST_CASE("collector: recovery continues the collection that was in progress", "[collector]")
{
    Bench b;
    b.fill(0);
    map_forget(&b.layer.map, 3, MAP_UNMAPPED);
    collector_go_on(&b.layer, 0, 0);
    CHECK(b.state().victim == 0);
    CHECK(b.state().reason == COLLECT_FOR_SPACE);
    CHECK(b.blockOf(0).state == BLOCK_COLLECTING);
    plane_set_add(&b.layer.collection.pending, 0);
    b.runAll();
    CHECK(b.blockOf(0).state == BLOCK_FREE);
}
