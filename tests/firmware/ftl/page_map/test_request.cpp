// SPDX-License-Identifier: Apache-2.0
//
// The request layer's contract with the main loop: the loop sleeps only if nothing can be done without an event.
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace strobe::test;

namespace {

constexpr std::uint32_t sectorsPerPage = 4;

struct Bench {
    FakeHal hal;
    boot_block boot{};
    std::uint32_t events = 0;

    explicit Bench(std::uint32_t channels = 1, std::uint32_t pageBytes = sectorsPerPage * 512,
                   std::uint32_t unitBytes = 0)
    {
        boot.channels = channels;
        boot.command_placement = channels > 1 ? 1 : 0;
        boot.ways = boot.luns = boot.planes = 1;
        boot.blocks_per_plane = 16;
        boot.pages_per_block = 8;
        boot.page_bytes = pageBytes;
        boot.mapping_unit = unitBytes == 0 ? pageBytes : unitBytes;
        boot.program_pages = boot.row_planes = boot.superblock_dies = 1;
        boot.units = boot.unit_depth = 1;
        boot.host_slots = 2;
        boot.overprovision_permille = 400;
        boot.allocation_order = 0x3210;
        boot.gc_low_blocks = 2;
        boot.buffer_size = 32 * boot.page_bytes;
        boot.bad_block_table = FakeHal::base; // a word per die, in memory that the arena has not handed out yet
        for (std::uint32_t die = 0; die < channels; ++die)
            *hal.words(FakeHal::base + 4 * die) = 0;
        hal.arena.used += 64;
        request_init(&boot, &hal.arena);
    }

    // A version of page 0 that has been trimmed while it was in the buffer: to be dropped without any flash operation.
    void leaveDroppedVersion()
    {
        const std::uint32_t version = ftl_place(&request_app()->ftl, 0, 1, 0, false);
        ftl_arrived(&request_app()->ftl, version, 1);
        ftl_trim(&request_app()->ftl, 0);
    }
    void arrives(std::uint32_t slot, host_command_kind kind, std::uint32_t sectors = 0)
    {
        auto* record = const_cast<host_command*>(&request_app()->host.commands[slot]);
        *record = {};
        record->kind = kind;
        record->sectors = sectors;
        event(1, slot);
    }
    void event(std::uint32_t kind, std::uint32_t slot)
    {
        volatile std::uint32_t* entry = &request_app()->host.ring.entries[4 * events++];
        entry[1] = slot;
        entry[0] = RING_PHASE | kind;
    }
    bool isCompleted(std::uint32_t slot) const
    {
        return std::any_of(hal.writes.begin(), hal.writes.end(), [slot](const auto& write) {
            return write.first == HOST_COMPLETE && (write.second & 0xFFFFu) == slot;
        });
    }
};

} // namespace

TEST_CASE("with nothing to do the request layer lets the CPU sleep")
{
    const Bench bench;
    CHECK_FALSE(request_serve());
}

TEST_CASE("a command that completes in one round needs no second one")
{
    Bench bench;
    bench.arrives(0, HOST_FLUSH);
    CHECK_FALSE(request_serve());
    CHECK(bench.isCompleted(0));
}

TEST_CASE("an event that arrives during a round is served before the CPU sleeps")
{
    Bench bench;
    bench.arrives(0, HOST_FLUSH);
    bench.hal.onWrite = [&bench](std::uint32_t address, std::uint32_t value) {
        bench.hal.writes.emplace_back(address, value);
        if (address == HOST_RING_CONSUMER && value == 1)
            bench.arrives(1, HOST_FLUSH);
    };
    CHECK(request_serve());
    CHECK_FALSE(bench.isCompleted(1));
    CHECK_FALSE(request_serve());
    CHECK(bench.isCompleted(1));
}

TEST_CASE("a write that arrives after the supply has failed does not join a version with acknowledged data")
{
    Bench bench;
    ftl& layer = request_app()->ftl;
    const std::uint32_t version = ftl_place(&layer, 0, 1, 0, false);
    ftl_arrived(&layer, version, 1);
    bench.event(4, 0); // the supply fails
    bench.arrives(0, HOST_WRITE, sectorsPerPage);
    request_serve();
    CHECK(layer.buffer.slot[version].transfers == 0);
    CHECK(layer.buffer.used[USE_WRITE] == 1);
}

TEST_CASE("a page of the journal that the write-out fills is written in the same round")
{
    Bench bench;
    journal& records = request_app()->ftl.journal;
    records.buffer[records.filling].page->records = records.capacity - 1;
    request_app()->ftl.map.physical[1] = MAP_LOST; // sectors missing in a partial write of page 1
    ftl_arrived(&request_app()->ftl, ftl_place(&request_app()->ftl, 1, 1, 0, true), 1);
    request_serve();
    CHECK(records.writing != NONE);
    CHECK_FALSE(records.due);
}

TEST_CASE("a page of zeros for a version of a later channel is written in the same round")
{
    Bench bench(2);
    const std::uint32_t version = ftl_place(&request_app()->ftl, 1, 1, 1, true);
    ftl_arrived(&request_app()->ftl, version, 1);
    request_app()->ftl.allocation.next_group = 0; // for the zeros
    request_serve();
    CHECK(request_app()->ftl.buffer.slot[version].state == SLOT_ZEROING);
    CHECK(request_app()->ftl.buffer.slot[0].state == SLOT_PROGRAMMING);
}

TEST_CASE("a write whose turn begins while lines are served continues without an event")
{
    Bench bench;
    request_app()->requests[0] = {};
    request_app()->requests[0].kind = HOST_WRITE;
    request_app()->requests[0].sectors = sectorsPerPage;
    request_app()->requests[0].unpolled = 0;
    line_join(request_app(), &request_app()->polls, 0);
    CHECK(request_serve());
    CHECK(request_app()->requests[0].begun);
}

TEST_CASE("a flush that ends because a version was dropped is noticed before the CPU sleeps")
{
    Bench bench;
    bench.leaveDroppedVersion();
    request_app()->requests[1] = {};
    request_app()->requests[1].kind = 3;
    request_app()->requests[1].active = true;
    ++request_app()->active;
    request_app()->requests[1].ticket = ftl_flush(&request_app()->ftl);
    line_join(request_app(), &request_app()->for_flush, 1);
    const ftl& layer = request_app()->ftl;
    request_app()->ftl.flash.on_done(&request_app()->ftl, layer.tables[TABLES_JOURNAL].first_op,
                                     FLASH_OK); // the record of the trim
    REQUIRE(request_serve());                   // no event comes that would wake the CPU for it
    request_serve();
    CHECK(bench.isCompleted(1));
}

TEST_CASE("a write slot that comes free because a version was dropped is noticed before the CPU sleeps")
{
    Bench bench;
    bench.leaveDroppedVersion();
    request_app()->raised = 0;
    CHECK(request_serve());
    CHECK(request_app()->ftl.buffer.used[USE_WRITE] == 0);
}

TEST_CASE("a moved page without a target leaves its collector stuck, with nothing in progress and no slot in use")
{
    Bench bench;
    collector& victims = request_app()->ftl.collection.planes[0];
    victims.phase = COLLECT_MOVING;
    victims.victim = 0;
    victims.moving = victims.reading = 1;
    slot_queue_init(&victims.gathered);
    request_app()->ftl.map.logical[0] = 0;       // page 0 holds data that is to be moved …
    request_app()->ftl.blocks.plane[0].free = 0; // … but no block is free: the last spares are used up
    const std::uint32_t number = buffer_take(&request_app()->ftl.buffer, USE_MOVE);
    request_app()->ftl.buffer.slot[number].source = 0;
    request_app()->ftl.buffer.slot[number].next = NONE;
    const std::size_t writes = bench.hal.writes.size();
    moves_read_done(&request_app()->ftl, number, FLASH_OK);
    CHECK(victims.phase == COLLECT_STUCK);
    CHECK(victims.moving == 0);
    CHECK(request_app()->ftl.buffer.used[USE_MOVE] == 0);
    collector_run(&request_app()->ftl);
    CHECK(victims.phase == COLLECT_STUCK);
    CHECK(request_app()->ftl.map.logical[0] == 0); // it stays readable where it is
    CHECK(bench.hal.writes.size() == writes);      // no flash operation was started
}

TEST_CASE("of two versions of a unit in one page the newer one is mapped, in whatever order they are programmed")
{
    for (const bool newerFirst : {false, true}) {
        CAPTURE(newerFirst);
        Bench bench(1, 8192, 4096);
        ftl& layer = request_app()->ftl;
        std::uint32_t versions[2]; // the older one, the newer one
        for (std::uint32_t& version : versions) {
            version = ftl_place(&layer, 3, 0xFF, 0, false);
            layer.buffer.slot[version].transfers = 0;
            layer.buffer.slot[version].state = SLOT_PROGRAMMING; // so that the next data opens a newer version
        }
        REQUIRE(versions[0] != versions[1]);
        const std::uint32_t unit = blocks_take_page(&layer.blocks, 0, STREAM_HOST, GC_RESERVE);
        write_room_page_begun(&layer.room, 0);
        const std::uint32_t first = versions[newerFirst ? 1 : 0];
        const std::uint32_t second = versions[newerFirst ? 0 : 1];
        layer.buffer.slot[first].next = second;
        layer.buffer.slot[second].next = NONE;
        layer.buffer.slot[first].physical = unit;
        layer.buffer.slot[second].physical = unit + 1;
        writeout_programmed(&layer, first, FLASH_OK);
        CHECK(map_find(&layer.map, 3) == (newerFirst ? unit : unit + 1));
        CHECK(layer.blocks.block[0].valid == 1);
        CHECK(layer.buffer.used[USE_WRITE] == 0);
    }
}

TEST_CASE("units that are read again one by one are looked up again: they may have been moved meanwhile")
{
    Bench bench(1, 8192, 4096);
    ftl& layer = request_app()->ftl;
    std::uint32_t slots[2];
    for (std::uint32_t i = 0; i < 2; ++i) {
        map_write(&layer.map, 6 + i, i);
        slots[i] = buffer_take(&layer.buffer, USE_READ);
        layer.buffer.slot[slots[i]].state = SLOT_READING;
        layer.buffer.slot[slots[i]].logical = 6 + i;
        layer.buffer.slot[slots[i]].physical = i;
    }
    layer.buffer.slot[slots[0]].next = slots[1];
    layer.buffer.slot[slots[1]].next = NONE;
    ftl_read_units(&layer, slots[0], 2);
    map_move(&layer.map, 1, 16); // to the first page of block 1
    layer.flash.on_done(layer.flash.context, slots[0], FLASH_UNCORRECTABLE);
    CHECK(layer.flash.descriptors[slots[0]].blocks == 0);
    CHECK(layer.flash.descriptors[slots[1]].blocks == 1);
    CHECK(layer.flash.descriptors[slots[1]].start_sector == 0);
    CHECK(layer.flash.descriptors[slots[1]].sectors == 8);
}

TEST_CASE("a new version ends the time in which short pages are programmed: the host is not idle")
{
    Bench bench(1, 8192, 4096);
    ftl& layer = request_app()->ftl;
    const std::uint32_t version = ftl_place(&layer, 3, 0xFF, 0, false);
    queues_gather(&layer.queues, version);
    CHECK(queues_make_short_due(&layer.queues));
    CHECK_FALSE(queues_make_short_due(&layer.queues)); // nothing new
    ftl_place(&layer, 4, 0xFF, 0, false);
    CHECK_FALSE(layer.queues.short_due);
}
