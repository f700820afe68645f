// SPDX-License-Identifier: Apache-2.0
//
// How units of a victim get to another block: through the buffer, by copy-back, and what happens when a step fails.
#include "tests/firmware/ftl/page_map/layer_bench.h"

using namespace strobe::test;

namespace {

// The victim is block 0 of plane 0, full of the logical units from 0 on.
struct Bench : LayerBench {
    explicit Bench(const Change& change = {}) : LayerBench(change)
    {
        fill(0);
        blocks_collect(&layer.blocks, 0);
        state().victim = 0;
        state().phase = COLLECT_MOVING;
        state().reason = COLLECT_FOR_SPACE;
    }
    collector& state(std::uint32_t plane = 0) { return layer.collection.planes[plane]; }
    bool begin(std::uint32_t page, std::uint32_t valid = 1)
    {
        const std::uint32_t source = page * layer.geometry.units_per_flash_page;
        return moves_begin(&layer, 0, source, valid, FLASH_FOR_COLLECTION);
    }
    std::uint32_t placeOf(std::uint32_t logical) { return map_find(&layer.map, logical); }
    bool isPending() const { return plane_set_has(&layer.collection.pending, 0); }
    void clearPending()
    {
        while (layer.collection.pending.count != 0)
            plane_set_take(&layer.collection.pending, 0);
    }
};

// Pages of two units of 4 KiB.
void twoUnits(boot_block& boot)
{
    boot.page_bytes = 8192;
    boot.mapping_unit = 4096;
    boot.buffer_size = 128 * 4096;
}

} // namespace

TEST_CASE("moves: the valid units of a page are those that the reverse map names", "[moves]")
{
    const std::uint32_t logical[] = {4, NONE, 0, NONE, 7};
    CHECK(moves_valid_units(logical, 0, 1) == 1);
    CHECK(moves_valid_units(logical, 1, 1) == 0);
    CHECK(moves_valid_units(logical, 0, 4) == 5);
    CHECK(moves_valid_units(logical, 3, 2) == 2);
}

TEST_CASE("moves: a unit is read, programmed into the block for moved data, mapped there, and its slot is free again",
          "[moves]")
{
    Bench b;
    REQUIRE(b.begin(3));
    CHECK(b.state().moving == 1);
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(opcodeOf(b.started(0)) == FLASH_READ);
    CHECK(purposeOf(b.started(0)) == FLASH_FOR_COLLECTION);
    CHECK(b.started(0).start_sector == 3 * 4);
    b.flash.put({0, 0, 3}, spare_record(3, 77, SPARE_HOST, 0));
    b.end();
    CHECK(b.state().reading == 0);
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(opcodeOf(b.started(0)) == FLASH_PROGRAM);
    const flash_spare record = recordOf(b.started(0));
    CHECK(spare_kind_of(&record) == SPARE_MOVED);
    CHECK(spare_subject(&record) == 3);
    CHECK(record.word[1] == 77); // a copy keeps the number of its version
    const std::uint32_t target = b.layer.blocks.plane[0].open[STREAM_MOVE];
    CHECK(b.started(0).blocks == target);
    b.clearPending();
    b.end();
    CHECK(b.placeOf(3) == unit_of_page(&b.layer.geometry, target, 0));
    CHECK(b.layer.map.logical[3] == NONE);
    CHECK(b.state().moving == 0);
    CHECK(b.isPending());
    CHECK(b.layer.buffer.used[USE_MOVE] == 0);
    CHECK(b.blockOf(target).valid == 1);
}

TEST_CASE("moves: a unit that the host writes meanwhile is not mapped back", "[moves]")
{
    for (const bool whileReading : {true, false}) {
        CAPTURE(whileReading);
        Bench b;
        b.begin(3);
        if (!whileReading)
            b.end();
        map_write(&b.layer.map, 3, 100);
        if (whileReading) {
            b.end();
            CHECK(b.flash.pending.empty()); // there is nothing left to program
        } else {
            b.end();
        }
        CHECK(b.placeOf(3) == 100);
        CHECK(b.state().moving == 0);
        CHECK(b.layer.buffer.used[USE_MOVE] == 0);
    }
}

TEST_CASE("moves: a unit that cannot be read is lost, and the journal keeps that", "[moves]")
{
    Bench b;
    b.begin(3);
    b.end(FLASH_UNCORRECTABLE);
    CHECK(b.placeOf(3) == MAP_LOST);
    CHECK(b.flash.pending.empty());
    CHECK(b.state().moving == 0);
    const journal_page* page = b.layer.journal.buffer[b.layer.journal.filling].page;
    REQUIRE(page->records == 1);
    CHECK(page->record[0].kind == RECORD_LOST);
}

TEST_CASE("moves: a failed program is repeated in another block", "[moves]")
{
    Bench b([](boot_block& boot) { boot.spare_blocks = 2; });
    b.begin(3);
    b.end();
    const std::uint32_t failed = b.layer.blocks.plane[0].open[STREAM_MOVE];
    b.end(FLASH_PROGRAM_FAILED);
    CHECK(b.blockOf(failed).failed);
    CHECK(b.blockOf(failed).flying == 0);
    CHECK(b.placeOf(3) == 3); // still where it was
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(purposeOf(b.started(0)) == FLASH_FOR_COLLECTION);
    b.end();
    CHECK(block_of_unit(&b.layer.geometry, b.placeOf(3)) == b.layer.blocks.plane[0].open[STREAM_MOVE]);
    CHECK(b.layer.blocks.plane[0].open[STREAM_MOVE] != failed);
    CHECK(b.state().moving == 0);
}

TEST_CASE("moves: without a page for moved data anywhere the collector is stuck and holds no slot", "[moves]")
{
    Bench b;
    while (blocks_take_free(&b.layer.blocks, 0, STREAM_HOST) != NONE)
        continue;
    b.begin(3);
    b.end();
    CHECK(b.state().phase == COLLECT_STUCK);
    CHECK(b.state().moving == 0);
    CHECK(b.layer.buffer.used[USE_MOVE] == 0);
    CHECK(b.placeOf(3) == 3);
    CHECK(b.flash.pending.empty());
}

TEST_CASE("moves: a plane without a free block uses a page of another one, but leaves it its reserve", "[moves]")
{
    for (const std::uint32_t left : {GC_RESERVE, GC_RESERVE + 1}) {
        CAPTURE(left);
        Bench b([](boot_block& boot) { boot.planes = 2; });
        while (blocks_take_free(&b.layer.blocks, 0, STREAM_HOST) != NONE)
            continue;
        while (b.layer.blocks.plane[1].free > left)
            blocks_take_free(&b.layer.blocks, 1, STREAM_HOST);
        b.clearPending();
        b.begin(3);
        b.end();
        CHECK((b.state().phase == COLLECT_STUCK) == (left == GC_RESERVE));
        CHECK(b.flash.pending.size() == (left == GC_RESERVE ? 0 : 1));
        CHECK(plane_set_has(&b.layer.collection.pending, 1) == (left != GC_RESERVE)); // it has less room now
    }
}

TEST_CASE("moves: without a slot the plane waits, and is examined again when a move gives one back", "[moves]")
{
    Bench b([](boot_block& boot) { boot.planes = 2; });
    while (buffer_left(&b.layer.buffer, USE_MOVE) > 2)
        buffer_take(&b.layer.buffer, USE_MOVE);
    CHECK(b.begin(0));
    CHECK(b.begin(1));
    CHECK_FALSE(b.begin(2));
    CHECK(plane_set_has(&b.layer.collection.no_slot, 0));
    CHECK_FALSE(moves_serve_waiting_plane(&b.layer));
    b.clearPending();
    while (b.layer.collection.no_slot.count != 0)
        b.end();
    CHECK(b.isPending());
    CHECK(b.layer.collection.turn == 1); // the next search for a plane begins after this one

    plane_set_add(&b.layer.collection.no_slot, 1);
    b.endAll();
    plane_set_add(&b.layer.collection.no_slot, 1);
    b.clearPending();
    CHECK(moves_serve_waiting_plane(&b.layer));
    CHECK(plane_set_has(&b.layer.collection.pending, 1));
}

TEST_CASE("moves: units of a page are read together, those between them are left out, and they wait to fill a page",
          "[moves]")
{
    Bench b([](boot_block& boot) {
        boot.page_bytes = 16384;
        boot.mapping_unit = 4096;
        boot.buffer_size = 256 * 4096;
    });
    map_forget(&b.layer.map, 2, MAP_UNMAPPED);
    REQUIRE(b.begin(0, 0b1011)); // of units 0, 1 and 3
    CHECK(b.state().moving == 3);
    REQUIRE(b.flash.pending.size() == 1);
    const std::uint32_t first = b.started(0).cookie;
    const flash_units table = flash_units_of(&b.layer.flash, first, 4);
    CHECK(b.started(0).sectors == 32);
    CHECK(table.data[0] == buffer_address(&b.layer.buffer, first));
    CHECK(table.data[1] != 0);
    CHECK(table.data[2] == 0);
    CHECK(table.data[3] != 0);
    b.end();
    CHECK(b.state().gathered.count == 3);
    CHECK(b.flash.pending.empty());
    b.begin(1, 0b0001); // unit 4
    CHECK(b.started(0).sectors == 8);
    b.end();
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(opcodeOf(b.started(0)) == FLASH_PROGRAM);
    b.end();
    const std::uint32_t target = unit_of_page(&b.layer.geometry, b.layer.blocks.plane[0].open[STREAM_MOVE], 0);
    CHECK(b.placeOf(0) == target);
    CHECK(b.placeOf(1) == target + 1);
    CHECK(b.placeOf(3) == target + 2);
    CHECK(b.placeOf(4) == target + 3);
    CHECK(b.state().moving == 0);
}

TEST_CASE("moves: units that were overwritten while they waited make room for others of the page", "[moves]")
{
    Bench b(twoUnits);
    b.begin(0, 0b01);
    b.end();
    REQUIRE(b.state().gathered.count == 1);
    map_write(&b.layer.map, 0, 100);
    b.begin(1, 0b01); // unit 2
    b.end();
    CHECK(b.flash.pending.empty());
    CHECK(b.state().gathered.count == 1);
    CHECK(b.state().moving == 1);
    b.begin(2, 0b01); // unit 4
    b.end();
    CHECK(b.flash.pending.size() == 1);
}

TEST_CASE("moves: the rest of a victim is programmed though it does not fill a page", "[moves]")
{
    Bench b(twoUnits);
    moves_program_rest(&b.layer, 0, FLASH_FOR_COLLECTION);
    CHECK(b.flash.pending.empty());
    b.begin(0, 0b10);
    b.end();
    moves_program_rest(&b.layer, 0, FLASH_FOR_WEAR);
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(purposeOf(b.started(0)) == FLASH_FOR_WEAR);
    b.end();
    CHECK(block_of_unit(&b.layer.geometry, b.placeOf(1)) != 0);
    CHECK(b.layer.map.logical[b.placeOf(1) + 1] == NONE);
}

TEST_CASE("moves: what cannot be read together is read one by one, and only what fails again is lost", "[moves]")
{
    Bench b(twoUnits);
    b.begin(0, 0b11);
    b.end(FLASH_UNCORRECTABLE);
    CHECK(b.placeOf(0) == 0); // not yet
    REQUIRE(b.flash.pending.size() == 2);
    CHECK(b.started(0).sectors == 8);
    CHECK(b.started(1).start_sector == 8);
    b.end(FLASH_UNCORRECTABLE);
    b.end();
    CHECK(b.placeOf(0) == MAP_LOST);
    CHECK(b.placeOf(1) == 1);
    CHECK(b.state().reading == 0);
    CHECK(b.state().gathered.count == 1);
}

TEST_CASE("moves: a copy-back moves a page inside its die, except into the first page of a block", "[moves]")
{
    Bench b([](boot_block& boot) { boot.gc_copyback = 1; });
    b.begin(0); // there is no open block: its first page gets a record of the block
    CHECK(opcodeOf(b.started(0)) == FLASH_READ);
    b.endAll();
    const std::uint32_t target = b.layer.blocks.plane[0].open[STREAM_MOVE];
    REQUIRE(b.begin(1));
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(opcodeOf(b.started(0)) == FLASH_COPYBACK);
    CHECK(b.started(0).blocks == target);
    CHECK(b.started(0).start_sector == 4);
    CHECK(b.started(0).source_blocks == 0);
    CHECK(b.started(0).source_sector == 4);
    CHECK(b.layer.buffer.used[USE_MOVE] == 0);
    CHECK(b.begin(2));
    CHECK_FALSE(b.begin(3)); // GC_WINDOW_COPYBACK are in progress
    CHECK(b.state().moving == 2);
    b.endAll();
    CHECK(b.placeOf(1) == unit_of_page(&b.layer.geometry, target, 1));
    CHECK(b.state().moving == 0);
}

TEST_CASE("moves: data that is due, and a page with only some of its units valid, goes through the buffer", "[moves]")
{
    for (const bool isDue : {false, true}) {
        CAPTURE(isDue);
        Bench b([](boot_block& boot) {
            twoUnits(boot);
            boot.gc_copyback = 1;
        });
        b.begin(0, 0b11);
        b.endAll();
        b.state().reason = isDue ? COLLECT_DUE : COLLECT_FOR_SPACE;
        b.begin(1, isDue ? 0b11 : 0b10);
        CHECK(opcodeOf(b.started(0)) == FLASH_READ);
    }
}

TEST_CASE("moves: a failed copy-back is repeated from its source, one that cannot be read loses its units", "[moves]")
{
    Bench b([](boot_block& boot) {
        boot.gc_copyback = 1;
        boot.spare_blocks = 2;
    });
    b.begin(0);
    b.endAll();
    const std::uint32_t target = b.layer.blocks.plane[0].open[STREAM_MOVE];
    b.state().cursor = 5;
    b.begin(4);
    b.end(FLASH_PROGRAM_FAILED);
    CHECK(b.blockOf(target).failed);
    CHECK(b.placeOf(4) == 4);
    CHECK(b.state().cursor == 0); // the page is examined again
    CHECK(b.state().moving == 0);
    b.begin(5);
    b.endAll(); // opens another block
    b.begin(6);
    REQUIRE(opcodeOf(b.started(0)) == FLASH_COPYBACK);
    b.end(FLASH_UNCORRECTABLE);
    CHECK(b.placeOf(6) == MAP_LOST);
    CHECK(b.state().moving == 0);
}
