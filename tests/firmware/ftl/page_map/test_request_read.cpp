// SPDX-License-Identifier: Apache-2.0
//
// Where each sector of a host read comes from, what it waits for, and how the command ends.
#include "tests/firmware/ftl/page_map/request_bench.h"

#include <algorithm>

using namespace strobe::test;

namespace {

struct Bench : RequestBench {
    using RequestBench::RequestBench;

    // Sectors of a unit in the write buffer.
    std::uint32_t buffered(std::uint32_t logical, std::uint32_t mask)
    {
        const std::uint32_t version = ftl_place(&app.ftl, logical, mask, 0, false);
        ftl_arrived(&app.ftl, version, mask);
        return version;
    }
    std::uint32_t addressOf(std::uint32_t slot, std::uint32_t sector = 0) const
    {
        return buffer_address(&app.ftl.buffer, slot) + sector * 512;
    }
};

using Completions = std::vector<RequestBench::Completion>;

void twoUnits(boot_block& boot)
{
    boot.page_bytes = 8192;
    boot.mapping_unit = 4096;
    boot.buffer_size = 128 * 4096;
}

void ahead(boot_block& boot)
{
    boot.host_slots = 8;
    boot.read_ahead_streams = 1;
    boot.read_ahead_window = 2;
}

} // namespace

TEST_CASE("reads: a unit in flash is read and sent, and the last transfer completes the command", "[read]")
{
    Bench b;
    b.fill(0);
    b.read(1, 8, 4);
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(purposeOf(b.started(0)) == FLASH_FOR_HOST);
    CHECK(b.started(0).start_sector == 8);
    CHECK(b.started(0).sectors == 4);
    CHECK(b.transfers.empty());
    const std::uint32_t buffer = b.started(0).buffer;
    b.endFlash();
    REQUIRE(b.transfers.size() == 1);
    CHECK(b.transfers[0].toHost);
    CHECK(b.transfers[0].slot == 1);
    CHECK(b.transfers[0].first == 0);
    CHECK(b.transfers[0].sectors == 4);
    CHECK(b.transfers[0].buffer == buffer);
    CHECK(b.transfers[0].completes);
    CHECK(b.used(USE_READ) == 1);
    b.endTransfers();
    CHECK(b.completions == Completions{{1, HOST_OK}});
    CHECK(b.used(USE_READ) == 0);
    CHECK((b.app.raised & RAISED_READ_SLOT) != 0);
    CHECK(b.app.active == 0);
}

TEST_CASE("reads: of a unit only the sectors of the command are read", "[read]")
{
    Bench b;
    b.fill(0);
    b.read(1, 9, 2);
    CHECK(b.started(0).start_sector == 9);
    CHECK(b.started(0).sectors == 2);
    b.endFlash();
    CHECK(b.transfers[0].sectors == 2);
    b.endTransfers();
    CHECK(b.completions == Completions{{1, HOST_OK}});
}

TEST_CASE("reads: units end in any order, and only the last transfer completes the command", "[read]")
{
    Bench b;
    b.fill(0);
    b.read(0, 3, 6); // the last sector of unit 0, unit 1, the first of unit 2
    REQUIRE(b.app.requests[0].pieces == 3);
    while (!b.flash.pending.empty())
        b.endFlash();
    REQUIRE(b.transfers.size() == 3);
    CHECK(b.transfers[0].first == 0);
    CHECK(b.transfers[1].first == 1);
    CHECK(b.transfers[2].first == 5);
    CHECK_FALSE(b.transfers[0].completes);
    CHECK_FALSE(b.transfers[1].completes);
    CHECK(b.transfers[2].completes);
    b.endTransfer(1);
    b.endTransfer(0);
    CHECK(b.app.active == 1);
    b.endTransfers();
    CHECK(b.app.active == 0);
}

TEST_CASE("reads: sectors in the write buffer are sent from there, and their version is pinned meanwhile", "[read]")
{
    Bench b;
    const std::uint32_t version = b.buffered(2, 0xF);
    b.read(1, 9, 3);
    CHECK(b.flash.pending.empty());
    REQUIRE(b.transfers.size() == 1);
    CHECK(b.transfers[0].buffer == b.addressOf(version, 1));
    CHECK(b.slotOf(version).pins == 1);
    b.endTransfers();
    CHECK(b.slotOf(version).pins == 0);
    CHECK(b.completions == Completions{{1, HOST_OK}});
}

TEST_CASE("reads: each sector comes from the newest version that holds it, else from flash", "[read]")
{
    Bench b;
    b.fill(0);
    const std::uint32_t older = b.buffered(2, 0x3); // sectors 0 and 1
    b.slotOf(older).state = SLOT_PROGRAMMING;
    const std::uint32_t newer = b.buffered(2, 0x6); // sectors 1 and 2
    REQUIRE(newer != older);
    b.read(1, 8, 4);
    REQUIRE(b.transfers.size() == 2);
    CHECK(b.transfers[0].buffer == b.addressOf(older));
    CHECK(b.transfers[0].sectors == 1);
    CHECK(b.transfers[1].buffer == b.addressOf(newer, 1));
    CHECK(b.transfers[1].first == 1);
    CHECK(b.transfers[1].sectors == 2);
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(b.started(0).start_sector == 11);
    CHECK(b.started(0).sectors == 1);
    b.endFlash();
    CHECK(b.transfers[2].completes);
}

TEST_CASE("reads: what was never written is zero, from a page of zeros", "[read]")
{
    Bench b;
    b.read(1, 8, 4);
    CHECK(b.flash.pending.empty());
    REQUIRE(b.transfers.size() == 1);
    CHECK(b.transfers[0].buffer == b.addressOf(0));
    CHECK(b.transfers[0].completes);
    b.endTransfers();
    CHECK(b.completions == Completions{{1, HOST_OK}});
}

TEST_CASE("reads: a lost unit fails the command, when the other units have been sent", "[read]")
{
    Bench b;
    b.fill(0);
    map_forget(&b.app.ftl.map, 0, MAP_LOST);
    b.read(1, 0, 8);
    CHECK(b.completions.empty());
    b.endFlash();
    REQUIRE(b.transfers.size() == 1);
    CHECK_FALSE(b.transfers[0].completes);
    b.endTransfers();
    CHECK(b.completions == Completions{{1, HOST_UNCORRECTABLE}});

    map_forget(&b.app.ftl.map, 2, MAP_LOST);
    b.read(2, 8, 4); // nothing else to wait for
    CHECK(b.completions.back() == RequestBench::Completion{2, HOST_UNCORRECTABLE});
}

TEST_CASE("reads: a unit that cannot be read fails the command and gives its slot back", "[read]")
{
    Bench b;
    b.fill(0);
    b.read(1, 0, 8);
    b.endFlash();
    b.endFlash(FLASH_UNCORRECTABLE);
    CHECK(b.used(USE_READ) == 1);
    CHECK(b.completions.empty());
    b.endTransfers();
    CHECK(b.completions == Completions{{1, HOST_UNCORRECTABLE}});
    CHECK(b.used(USE_READ) == 0);
}

TEST_CASE("reads: without a read slot the command waits in line and goes on where it was", "[read]")
{
    Bench b;
    b.fill(0);
    std::vector<std::uint32_t> taken;
    while (buffer_left(&b.app.ftl.buffer, USE_READ) > 1)
        taken.push_back(buffer_take(&b.app.ftl.buffer, USE_READ));
    b.read(1, 0, 8);
    CHECK(b.app.requests[1].in_line);
    CHECK(b.app.for_read_slot.head == 1);
    CHECK(b.app.requests[1].cursor == 4);
    b.endFlash();
    b.endTransfers();
    CHECK(b.app.active == 1); // in line: the end of its piece does not continue it
    CHECK(b.flash.pending.empty());
    REQUIRE(line_leave(&b.app, &b.app.for_read_slot) == 1);
    CHECK(read_continue(&b.app, 1));
    CHECK(b.started(0).start_sector == 4);
    b.endFlash();
    b.endTransfers();
    CHECK(b.completions == Completions{{1, HOST_OK}});
}

TEST_CASE("reads: a command has at most so many units in progress, and goes on as they end", "[read]")
{
    Bench b;
    const std::uint32_t units = MAX_PIECES + 3;
    b.app.ftl.map.logical_units = units; // nothing was written: zeros
    b.read(1, 0, units * 4);
    CHECK(b.transfers.size() == MAX_PIECES);
    b.endTransfer();
    CHECK(b.transfers.size() == MAX_PIECES);
    b.endTransfers();
    CHECK(b.completions == Completions{{1, HOST_OK}});
}

TEST_CASE("reads: units side by side in a page are read by one operation, up to the end of the page", "[read]")
{
    Bench b(twoUnits);
    b.fill(0);
    map_write(&b.app.ftl.map, 5, 40); // elsewhere: page 20 of the flash, its first unit
    b.read(1, 8, 5 * 8);              // units 1 to 5
    REQUIRE(b.app.requests[1].pieces == 5);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> reads;
    while (!b.flash.pending.empty()) {
        reads.emplace_back(b.started(0).blocks * 128 + b.started(0).start_sector, b.started(0).sectors);
        b.endFlash();
    }
    using Reads = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    CHECK(reads == Reads{{8, 8}, {16, 16}, {32, 8}, {320, 8}});
    b.endTransfers();
    CHECK(b.completions == Completions{{1, HOST_OK}});
}

TEST_CASE("reads: of units that cannot be read together each is read alone, and only one is lost", "[read]")
{
    Bench b(twoUnits);
    b.fill(0);
    b.read(1, 0, 16);
    REQUIRE(b.flash.pending.size() == 1);
    b.endFlash(FLASH_UNCORRECTABLE);
    REQUIRE(b.flash.pending.size() == 2);
    b.endFlash();
    b.endFlash(FLASH_UNCORRECTABLE);
    CHECK(b.transfers.size() == 1);
    b.endTransfers();
    CHECK(b.completions == Completions{{1, HOST_UNCORRECTABLE}});
    CHECK(b.used(USE_READ) == 0);
}

TEST_CASE("reads: polls of the channels come first", "[read]")
{
    Bench b([](boot_block& boot) {
        boot.channels = 2;
        boot.read_polls = 1;
    });
    b.fill(0);
    b.read(1, 0, 4);
    CHECK(b.flash.pending.empty());
    CHECK(b.app.polls.head == 1);
    read_begin(&b.app, line_leave(&b.app, &b.app.polls));
    CHECK(b.flash.pending.size() == 1);
}

TEST_CASE("read-ahead: the third read in a row orders the next units, and later reads take them from the buffer",
          "[read]")
{
    Bench b(ahead);
    b.fill(0);
    for (std::uint32_t unit = 0; unit < 3; ++unit)
        b.read(unit, unit * 4, 4);
    while (!b.flash.pending.empty())
        b.endFlash();
    b.endTransfers();
    const std::uint32_t number = read_ahead_find(&b.app.ahead, 3);
    REQUIRE(number != NONE);
    CHECK(b.slotOf(number).state == SLOT_CACHED);
    b.read(3, 12, 4);
    REQUIRE(b.transfers.size() == 1);
    CHECK(b.transfers[0].buffer == b.addressOf(number));
    CHECK(b.slotOf(number).pins == 1);
    b.endTransfers();
    CHECK(b.completions.back() == RequestBench::Completion{3, HOST_OK});
    CHECK(read_ahead_find(&b.app.ahead, 3) == NONE); // it was read to its end
    CHECK(b.slotOf(number).state != SLOT_CACHED);
}

TEST_CASE("read-ahead: one command waits for a unit that is on its way, another one reads it again", "[read]")
{
    Bench b(ahead);
    b.fill(0);
    for (std::uint32_t unit = 0; unit < 3; ++unit)
        b.read(unit, unit * 4, 4);
    const std::uint32_t number = read_ahead_find(&b.app.ahead, 4);
    REQUIRE(number != NONE);
    REQUIRE(b.slotOf(number).state == SLOT_AHEAD);
    b.read(6, 17, 2); // of unit 4
    CHECK(b.slotOf(number).command == 6);
    CHECK(b.app.requests[6].pieces == 1);
    const std::uint32_t before = b.used(USE_READ);
    b.read(7, 16, 4);
    CHECK(b.used(USE_READ) >= before + 1);
    while (!b.flash.pending.empty())
        b.endFlash();
    b.endTransfers();
    REQUIRE(b.completions.size() == 5);
    for (const auto& [slot, status] : b.completions)
        CHECK(status == HOST_OK);
}

TEST_CASE("read-ahead: a unit that fails is given back; the command that waits for it fails", "[read]")
{
    for (const bool isWaitedFor : {false, true}) {
        CAPTURE(isWaitedFor);
        Bench b(ahead);
        b.fill(0);
        for (std::uint32_t unit = 0; unit < 3; ++unit)
            b.read(unit, unit * 4, 4);
        const std::uint32_t number = read_ahead_find(&b.app.ahead, 4);
        if (isWaitedFor)
            b.read(6, 16, 4);
        while (!b.flash.pending.empty())
            b.endFlash(b.started(0).cookie == number ? FLASH_UNCORRECTABLE : FLASH_OK);
        b.endTransfers();
        CHECK(read_ahead_find(&b.app.ahead, 4) == NONE);
        CHECK(b.slotOf(number).state == SLOT_FREE);
        const auto failed =
            std::count(b.completions.begin(), b.completions.end(), RequestBench::Completion{6, HOST_UNCORRECTABLE});
        CHECK(failed == (isWaitedFor ? 1 : 0));
        CHECK(b.completions.size() == (isWaitedFor ? 4 : 3));
    }
}

TEST_CASE("read-ahead: a unit that is written meanwhile is dropped when its read has ended", "[read]")
{
    Bench b(ahead);
    b.fill(0);
    for (std::uint32_t unit = 0; unit < 3; ++unit)
        b.read(unit, unit * 4, 4);
    const std::uint32_t number = read_ahead_find(&b.app.ahead, 4);
    read_ahead_forget(&b.app.ahead, 4);
    CHECK(b.slotOf(number).stale);
    CHECK(b.slotOf(number).state == SLOT_AHEAD);
    while (!b.flash.pending.empty())
        b.endFlash();
    CHECK(b.slotOf(number).state == SLOT_FREE);
    CHECK((b.app.raised & RAISED_READ_SLOT) != 0);
}

TEST_CASE("read-ahead: units in the write buffer and units without a place in flash are left out, and half of the "
          "slots",
          "[read]")
{
    Bench b([](boot_block& boot) {
        ahead(boot);
        boot.read_ahead_window = 40;
    });
    b.fill(0, 16);
    b.fill(20, 16);
    b.buffered(4, 0xF);
    for (std::uint32_t unit = 0; unit < 3; ++unit)
        b.read(unit, unit * 4, 4);
    CHECK(read_ahead_find(&b.app.ahead, 3) != NONE);
    CHECK(read_ahead_find(&b.app.ahead, 4) == NONE);
    CHECK(read_ahead_find(&b.app.ahead, 5) != NONE);
    CHECK(read_ahead_find(&b.app.ahead, 17) == NONE);
    CHECK(buffer_left(&b.app.ftl.buffer, USE_READ) >= b.app.ftl.buffer.limit[USE_READ] / 2);
}
