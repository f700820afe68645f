// SPDX-License-Identifier: Apache-2.0
//
// Host writes into the buffer: transfers, what completion waits for, turns, and the end of a drive that is read-only.
#include "tests/firmware/ftl/page_map/request_bench.h"

using namespace strobe::test;

namespace {

using Completions = std::vector<RequestBench::Completion>;

struct Bench : RequestBench {
    using RequestBench::RequestBench;

    std::uint32_t version(std::uint32_t logical) const { return buffer_find(&app.ftl.buffer, logical); }
    // The program of a version has ended.
    void settle(std::uint32_t number, host_status status = HOST_OK)
    {
        if (slotOf(number).state == SLOT_READY)
            queues_take_ready(&app.ftl.queues, number);
        version_settle(&app.ftl, number, status);
        look();
    }
    void leave(std::uint32_t slots)
    {
        while (buffer_left(&app.ftl.buffer, USE_WRITE) > slots)
            buffer_take(&app.ftl.buffer, USE_WRITE);
    }
};

void serial(boot_block& boot)
{
    boot.serial_writes = 1;
    boot.buffer_size = 400 * 2048;
    boot.write_buffer_pages = 200;
}

} // namespace

TEST_CASE("writes: a write is complete when its data is in the buffer", "[write]")
{
    Bench b;
    b.write(1, 8, 4);
    REQUIRE(b.transfers.size() == 1);
    CHECK_FALSE(b.transfers[0].toHost);
    CHECK_FALSE(b.transfers[0].completes);
    CHECK(b.transfers[0].buffer == buffer_address(&b.app.ftl.buffer, b.version(2)));
    CHECK(b.completions.empty());
    b.endTransfers();
    CHECK(b.completions == Completions{{1, HOST_OK}});
    CHECK(b.slotOf(b.version(2)).valid == 0xF);
    CHECK(b.app.active == 0);
}

TEST_CASE(
    "writes: neighbouring whole units are one transfer of at most 8 KiB; parts of units are transfers of their own",
    "[write]")
{
    Bench b;
    b.write(1, 2, 2 + 6 * 4 + 1); // half of unit 0, units 1 to 6, a sector of unit 7
    REQUIRE(b.transfers.size() == 4);
    CHECK(b.transfers[0].first == 0);
    CHECK(b.transfers[0].sectors == 2);
    CHECK(b.transfers[0].buffer == buffer_address(&b.app.ftl.buffer, b.version(0)) + 2 * 512);
    CHECK(b.transfers[1].first == 2);
    CHECK(b.transfers[1].sectors == RUN_SECTORS);
    CHECK(b.transfers[2].first == 18);
    CHECK(b.transfers[2].sectors == 8);
    CHECK(b.transfers[3].first == 26);
    CHECK(b.transfers[3].sectors == 1);
    b.endTransfers();
    CHECK(b.completions == Completions{{1, HOST_OK}});
    CHECK(b.slotOf(b.version(0)).valid == 0xC);
    for (std::uint32_t unit = 1; unit < 7; ++unit)
        CHECK(b.slotOf(b.version(unit)).valid == 0xF);
    CHECK(b.slotOf(b.version(7)).valid == 0x1);
}

TEST_CASE("writes: units whose slots are not neighbours are transfers of their own", "[write]")
{
    Bench b;
    b.write(0, 4, 4); // unit 1 has a slot of an earlier write
    b.endTransfers();
    b.write(1, 0, 12);
    REQUIRE(b.transfers.size() == 3);
    CHECK(b.transfers[1].buffer == buffer_address(&b.app.ftl.buffer, b.version(1)));
}

TEST_CASE("writes: a write through the buffer waits for all of its versions, and has the worst of their states",
          "[write]")
{
    for (const bool fails : {false, true}) {
        CAPTURE(fails);
        Bench b;
        b.write(1, 0, 8, true);
        b.endTransfers();
        CHECK(b.completions.empty());
        CHECK(b.app.requests[1].unsettled == 2);
        const std::uint32_t first = b.version(0), second = b.version(1);
        CHECK(b.slotOf(first).urgent);
        b.settle(first, fails ? HOST_DEVICE_FAULT : HOST_OK);
        CHECK(b.completions.empty());
        b.settle(second);
        CHECK(b.completions == Completions{{1, fails ? HOST_DEVICE_FAULT : HOST_OK}});
    }
}

TEST_CASE("writes: several commands wait for one version, each once", "[write]")
{
    Bench b;
    b.write(0, 0, 2, true);
    b.write(3, 2, 2, true);
    const std::uint32_t version = b.version(0);
    b.endTransfers();
    b.settle(version);
    CHECK(b.completions == Completions{{0, HOST_OK}, {3, HOST_OK}});
    CHECK(b.app.waiters[version * b.app.waiter_words] == 0);
}

TEST_CASE("writes: without a write slot the command waits in line and goes on where it was", "[write]")
{
    Bench b;
    b.leave(1);
    b.write(1, 0, 8);
    CHECK(b.app.for_write_slot.head == 1);
    CHECK(b.app.requests[1].waits);
    CHECK(b.transfers.size() == 1);
    b.endTransfers();
    CHECK(b.completions.empty());
    b.write(2, 100, 4); // after the first one, though there may be a slot
    CHECK(b.app.requests[2].in_line);
    b.settle(b.version(0));
    CHECK((b.app.raised & RAISED_WRITE_SLOT) != 0);
    REQUIRE(line_leave(&b.app, &b.app.for_write_slot) == 1);
    CHECK(write_continue(&b.app, 1));
    CHECK_FALSE(b.app.requests[1].waits);
    b.look();
    b.endTransfers();
    CHECK(b.completions == Completions{{1, HOST_OK}});
}

TEST_CASE("writes: a command that still waits for a slot does not pass another one that does", "[write]")
{
    Bench b;
    b.leave(1);
    b.write(1, 0, 8);
    const std::uint32_t version = b.version(0);
    b.endTransfers();
    b.settle(version); // a slot is free, and the first one is to be served with it
    b.put(2, HOST_WRITE, 200, 4);
    write_begin(&b.app, 2);
    CHECK(b.app.for_write_slot.tail == 2);
    CHECK(b.app.requests[2].cursor == 0);
}

TEST_CASE("writes: a command has at most so many units in progress", "[write]")
{
    Bench b([](boot_block& boot) {
        boot.buffer_size = 400 * 2048;
        boot.write_buffer_pages = 200;
    });
    b.app.ftl.map.logical_units = 200;
    b.write(1, 0, (MAX_PIECES + 4) * 4);
    CHECK(b.app.requests[1].pieces == MAX_PIECES);
    CHECK(b.app.requests[1].cursor == MAX_PIECES * 4);
    b.endTransfer();
    CHECK(b.app.requests[1].cursor == (MAX_PIECES + 4) * 4);
    b.endTransfers();
    CHECK(b.completions == Completions{{1, HOST_OK}});
}

TEST_CASE("writes: what was read ahead of a unit is out of date when the unit is written", "[write]")
{
    Bench b([](boot_block& boot) {
        boot.read_ahead_streams = 1;
        boot.read_ahead_window = 2;
    });
    b.fill(0);
    for (std::uint32_t unit = 0; unit < 3; ++unit)
        b.read(unit, unit * 4, 4);
    while (!b.flash.pending.empty())
        b.endFlash();
    b.endTransfers();
    REQUIRE(read_ahead_find(&b.app.ahead, 4) != NONE);
    b.write(3, 17, 1);
    CHECK(read_ahead_find(&b.app.ahead, 4) == NONE);
    CHECK(read_ahead_find(&b.app.ahead, 3) != NONE);
}

TEST_CASE("writes: serial writes are written one after the other, with their data in the buffer before", "[write]")
{
    Bench b(serial);
    b.write(0, 0, 4, true);
    b.write(1, 4, 4, true);
    CHECK(b.app.requests[0].begun);
    CHECK_FALSE(b.app.requests[1].begun);
    b.endTransfers();
    const std::uint32_t first = b.version(0), second = b.version(1);
    CHECK(b.slotOf(first).state == SLOT_READY);
    CHECK(b.slotOf(second).state == SLOT_HELD);
    CHECK(b.completions.empty());
    b.settle(first);
    CHECK(b.completions == Completions{{0, HOST_OK}});
    CHECK((b.app.raised & RAISED_TURN) != 0);
    CHECK(b.slotOf(second).state == SLOT_HELD); // until the main loop begins the turn
    write_serve_turns(&b.app);
    CHECK(b.app.requests[1].begun);
    CHECK(b.slotOf(second).state == SLOT_READY);
    b.settle(second);
    CHECK(b.completions.back() == RequestBench::Completion{1, HOST_OK});
    CHECK(b.app.turns[0].head == NONE);
}

TEST_CASE("writes: a write before its turn leaves slots for the others, and begins in its turn with none", "[write]")
{
    Bench b(serial);
    b.write(0, 0, 4, true);
    b.leave(MAX_PIECES - 1);
    b.write(1, 4, 4, true);
    CHECK(b.app.requests[1].cursor == 0);
    CHECK_FALSE(b.app.requests[1].in_line); // it waits for its turn, not for a slot
    b.endTransfers();
    b.settle(b.version(0));
    write_serve_turns(&b.app);
    b.look();
    CHECK(b.app.requests[1].begun);
    CHECK(b.transfers.size() == 1);
}

TEST_CASE("writes: a write whose data arrived before its turn, and needs no flash, completes in its turn", "[write]")
{
    Bench b(serial);
    b.write(0, 0, 4, true);
    b.write(1, 4, 4);
    b.write(2, 8, 4);
    b.endTransfers();
    CHECK(b.completions.empty());
    b.settle(b.version(0));
    write_serve_turns(&b.app);
    b.look();
    CHECK(b.completions.back() == RequestBench::Completion{1, HOST_OK});
    CHECK_FALSE(b.app.requests[2].begun); // one turn for each call
    write_serve_turns(&b.app);
    b.look();
    CHECK(b.completions.back() == RequestBench::Completion{2, HOST_OK});
}

TEST_CASE("writes: units that could not be stored take their way through the buffer", "[write]")
{
    Bench b;
    b.put(1, HOST_WRITE, 0, 32, true).cursor = 16;
    write_units(&b.app, 1, 8, 2);
    b.look();
    REQUIRE(b.transfers.size() == 1);
    CHECK(b.transfers[0].first == 8);
    CHECK(b.transfers[0].sectors == 8);
    CHECK(b.app.requests[1].cursor == 16); // it goes on where it was
    CHECK(b.app.requests[1].unsettled == 2);
    CHECK(b.version(2) != NONE);
    CHECK(b.version(3) != NONE);
    b.leave(0);
    CHECK_THROWS_AS(write_units(&b.app, 1, 24, 1), Panic);
}

TEST_CASE("writes: on a drive that has become read-only all writes fail, and reads stay in line", "[write]")
{
    Bench b([](boot_block& boot) {
        boot.channels = 2;
        boot.read_polls = boot.write_polls = 1;
    });
    b.put(0, HOST_READ, 0, 4);
    read_start(&b.app, 0);
    b.put(1, HOST_WRITE, 0, 4);
    write_start(&b.app, 1); // both wait for polls of the channels
    b.put(2, HOST_WRITE, 40, 4, true);
    write_begin(&b.app, 2);
    b.look();
    b.leave(0);
    b.put(3, HOST_WRITE, 80, 4);
    write_begin(&b.app, 3); // waits for a slot
    REQUIRE(b.app.for_write_slot.head == 3);
    write_fail_all(&b.app);
    b.look();
    CHECK(b.completions == Completions{{1, HOST_DEVICE_FAULT}, {3, HOST_DEVICE_FAULT}});
    CHECK(b.app.polls.head == 0);
    CHECK(b.app.for_write_slot.head == NONE);
    b.endTransfers(); // of the write that was in progress
    CHECK(b.completions.back() == RequestBench::Completion{2, HOST_DEVICE_FAULT});
    b.settle(b.version(10)); // no request waits for it any more
    CHECK(b.completions.size() == 3);
}

TEST_CASE("writes: on a drive that has become read-only there are no more turns", "[write]")
{
    Bench b(serial);
    b.write(0, 0, 4, true);
    b.write(1, 4, 4, true);
    b.endTransfers();
    write_fail_all(&b.app);
    b.look();
    CHECK(b.completions == Completions{{0, HOST_DEVICE_FAULT}, {1, HOST_DEVICE_FAULT}});
    CHECK(b.app.turns[0].head == NONE);
}
