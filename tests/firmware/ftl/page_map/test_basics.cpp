// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/ftl/page_map/small_drive.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::test;

namespace {

using Kind = HostCommand::Kind;

HostCommand command(Kind kind, std::uint64_t lba, std::uint32_t sectors, bool fua = false)
{
    return {kind, fua, lba, sectors};
}

// Runs these commands one after the other on the drive and returns the host.
HostModel runScript(const MockOptions& options, MockDrive& drive, std::vector<HostCommand> commands)
{
    HostModel host = hostOf(options);
    host.script(std::move(commands));
    runFirmware(drive, host, 1);
    return host;
}

std::vector<HostCommand> writesOfPages(std::uint32_t first, std::uint32_t pages, std::uint32_t sectorsPerPage)
{
    std::vector<HostCommand> commands;
    for (std::uint32_t page = first; page < first + pages; ++page)
        commands.push_back(command(Kind::Write, std::uint64_t{page} * sectorsPerPage, sectorsPerPage));
    return commands;
}

} // namespace

TEST_CASE("a drive that was never written returns zeros without touching the flash")
{
    const MockOptions options = smallDrive();
    MockDrive drive(options);
    const HostModel host = runScript(options, drive, {command(Kind::Read, 0, 40), command(Kind::Read, 5, 3)});
    CHECK(host.failures(HostStatus::Ok) == 2);
    CHECK(drive.flash().counters().reads == 0);
}

TEST_CASE("a write-through write of one page is one program and its read one read")
{
    const MockOptions options = smallDrive();
    MockDrive drive(options);
    runScript(options, drive, {command(Kind::Write, 8, 4), command(Kind::Read, 8, 4)});
    CHECK(drive.flash().counters().programs == 1);
    CHECK(drive.flash().counters().reads == 1);
}

TEST_CASE("a read transfers only the requested sectors of a page")
{
    const MockOptions options = smallDrive();
    MockDrive drive(options);
    const HostModel host = runScript(options, drive, {command(Kind::Write, 8, 4), command(Kind::Read, 9, 2)});
    CHECK(host.lastRead() == std::vector<std::uint32_t>{1, 1});
}

TEST_CASE("part of a page is completed from flash before it is programmed")
{
    const MockOptions options = smallDrive();
    MockDrive drive(options);
    const HostModel host =
        runScript(options, drive, {command(Kind::Write, 8, 4), command(Kind::Write, 9, 2), command(Kind::Read, 8, 4)});
    CHECK(host.lastRead() == std::vector<std::uint32_t>{1, 2, 2, 1});
    CHECK(drive.flash().counters().programs == 2);
    CHECK(drive.flash().counters().reads == 3); // sector 0, sector 3, and the host's
}

TEST_CASE("part of a page that was never written is completed with zeros, from a page of zeros made once")
{
    const MockOptions options = smallDrive();
    MockDrive drive(options);
    const HostModel host =
        runScript(options, drive, {command(Kind::Write, 9, 1), command(Kind::Write, 14, 1), command(Kind::Read, 8, 8)});
    CHECK(host.lastRead() == std::vector<std::uint32_t>{0, 1, 0, 0, 0, 0, 2, 0});
    const std::uint64_t pagesOfZeros = drive.flash().counters().programs - 2;
    CHECK(pagesOfZeros >= 1);
    CHECK(pagesOfZeros <= 4); // used in turn, at most one per die
}

TEST_CASE(
    "write-back completes from the buffer, merges writes that are still in it, and writes out when the host is idle")
{
    MockOptions options = smallDrive();
    options.boot.completion = 0;
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.script({command(Kind::Write, 8, 1), command(Kind::Write, 9, 1), command(Kind::Write, 10, 1),
                 command(Kind::Write, 11, 1), command(Kind::Read, 8, 4)});
    host.atOnce();
    runFirmware(drive, host, 1);
    CHECK(drive.flash().counters().programs == 1);
    CHECK(drive.flash().counters().reads <= 1); // the buffer answers, unless the read came after the program
}

TEST_CASE("a read of a page whose newest sectors are buffered takes the rest from flash")
{
    MockOptions options = smallDrive();
    options.boot.completion = 0;
    options.boot.hostSlots = 2;
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.script({command(Kind::Write, 8, 4), command(Kind::Flush, 0, 0), command(Kind::Write, 9, 1),
                 command(Kind::Read, 8, 4)});
    runFirmware(drive, host, 1);
    CHECK(host.lastRead() == std::vector<std::uint32_t>{1, 2, 1, 1});
}

TEST_CASE("a flush completes only when everything written before it is in flash")
{
    MockOptions options = smallDrive();
    options.boot.completion = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        options.seed = seed;
        MockDrive drive(options);
        HostModel host = hostOf(options);
        auto commands = writesOfPages(0, 6, 4);
        commands.push_back(command(Kind::Write, 30, 1)); // a part of a page as well
        commands.push_back(command(Kind::Flush, 0, 0));
        commands.push_back(command(Kind::Read, 0, 1)); // the firmware sleeps once more when the flush is completed
        host.script(commands);
        bool checked = false;
        drive.onSleep = [&] {
            if (host.statuses().size() == 8 && !checked) {
                checked = true;
                CHECK(request_ftl()->unsettled == 0);
            }
        };
        drive.run(strobe_firmware_entry, host);
        CHECK(checked);
    }
}

TEST_CASE("forced unit access completes when its page is in flash, though completion is write-back")
{
    MockOptions options = smallDrive();
    options.boot.completion = 0;
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.script({command(Kind::Write, 8, 4, true), command(Kind::Read, 0, 1)});
    bool checked = false;
    drive.onSleep = [&] {
        if (host.statuses().size() == 1 && !checked) {
            checked = true;
            CHECK(map_is_mapped(map_find(&request_ftl()->map, 2)));
        }
    };
    drive.run(strobe_firmware_entry, host);
    CHECK(checked);
}

TEST_CASE("with a protected buffer a flush and a forced write complete while their data is in the buffer")
{
    MockOptions options = smallDrive();
    options.boot.completion = 0;
    options.boot.writeCache = WRITE_CACHE_PROTECTED;
    bool isForcedEarly = false;
    bool isFlushedEarly = false;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) { // the host may be idle in between, and then parts are completed
        options.seed = seed;
        MockDrive drive(options);
        HostModel host = hostOf(options);
        host.script({command(Kind::Write, 9, 1), command(Kind::Write, 17, 1, true), command(Kind::Flush, 0, 0),
                     command(Kind::Read, 0, 1)});
        drive.onSleep = [&] {
            isForcedEarly = isForcedEarly || (host.statuses().size() == 2 && request_ftl()->unsettled == 2);
            isFlushedEarly = isFlushedEarly || (host.statuses().size() == 3 && request_ftl()->unsettled == 2);
        };
        drive.run(strobe_firmware_entry, host);
        CHECK(host.failures(HostStatus::Ok) == 4);
    }
    CHECK(isForcedEarly);
    CHECK(isFlushedEarly);
}

TEST_CASE("a trim zeroes the pages inside its range and keeps those that it covers in part")
{
    for (std::uint32_t completion : {0u, 1u}) {
        MockOptions options = smallDrive();
        options.boot.completion = completion;
        MockDrive drive(options);
        const HostModel host = runScript(
            options, drive, {command(Kind::Write, 8, 16), command(Kind::Trim, 10, 11), command(Kind::Read, 8, 16)});
        CHECK(host.lastRead() == std::vector<std::uint32_t>{1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1});
    }
}

TEST_CASE("commands beyond the capacity are refused, up to the last sector of the address space")
{
    const MockOptions options = smallDrive();
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.script({command(Kind::Read, 1u << 30, 1), command(Kind::Write, 0xFFFFFFFFFFFFull, 8),
                 command(Kind::Trim, 0, 2000), command(Kind::Write, 0, 4)});
    drive.run(strobe_firmware_entry, host);
    CHECK(host.failures(HostStatus::OutOfRange) == 3);
    CHECK(host.failures(HostStatus::Ok) == 1);
}

TEST_CASE("a command of unknown kind is answered as not supported")
{
    const MockOptions options = smallDrive();
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.script({{9, false, 0, 1}});
    drive.run(strobe_firmware_entry, host);
    CHECK(host.failures(HostStatus::NotSupported) == 1);
}

TEST_CASE("writes are distributed over the dies in allocation order")
{
    MockOptions options = smallDrive();
    const std::vector<HostCommand> writes = writesOfPages(0, 8, 4);
    SECTION("channels first")
    {
        options.boot.allocationOrder = 0x3210;
        MockDrive drive(options);
        runScript(options, drive, writes);
        CHECK(drive.flash().programOrder == std::vector<std::uint32_t>{0, 2, 1, 3, 0, 2, 1, 3});
    }
    SECTION("ways first")
    {
        options.boot.allocationOrder = 0x3201;
        MockDrive drive(options);
        runScript(options, drive, writes);
        CHECK(drive.flash().programOrder == std::vector<std::uint32_t>{0, 1, 2, 3, 0, 1, 2, 3});
    }
    SECTION("each command on one channel")
    {
        options.boot.commandPlacement = 1;
        MockDrive drive(options);
        runScript(options, drive, {command(Kind::Write, 0, 16), command(Kind::Write, 16, 16)});
        const auto& order = drive.flash().programOrder;
        REQUIRE(order.size() == 8);
        for (std::size_t i = 0; i < 8; ++i)
            CHECK(order[i] / 2 == i / 4);
    }
}

TEST_CASE("serial writes: no page of a write is programmed before the write before it is complete, on its channel")
{
    for (std::uint32_t placement : {0u, 1u}) {
        MockOptions options = smallDrive();
        options.boot.serialWrites = 1;
        options.boot.commandPlacement = placement;
        options.bufferPages = 160;
        options.boot.writeBufferPages = 100;
        CAPTURE(placement);
        MockDrive drive(options);
        HostModel host = hostOf(options);
        host.script({command(Kind::Write, 0, 16), command(Kind::Write, 16, 16), command(Kind::Write, 32, 16),
                     command(Kind::Write, 48, 16)});
        host.atOnce();
        runFirmware(drive, host, 1);
        std::vector<std::uint32_t> pages[2]; // logical pages in the order of their programs, per channel
        for (std::size_t i = 0; i < 16; ++i)
            pages[placement * (drive.flash().programOrder[i] / 2)].push_back(drive.flash().programmed[i].logical);
        if (placement == 0) // the fourth write's data came while the first two were programmed
            CHECK(drive.flash().programmed[8].transfers == 4);
        for (const auto& order : pages) {
            for (std::size_t i = 1; i < order.size(); ++i)
                CHECK(order[i] / 4 >= order[i - 1] / 4);
        }
    }
}

TEST_CASE("small pages of one write are ordered in transfers of up to 8 KiB")
{
    const MockOptions options = smallDrive(); // pages of 2 KiB
    MockDrive drive(options);
    runScript(options, drive, {command(Kind::Write, 0, 32)});
    CHECK(drive.transfers() == 2);
}

TEST_CASE("garbage collection lets the drive be written many times over")
{
    MockOptions options = smallDrive();
    SECTION("by read and program") {}
    SECTION("by copy-back")
    {
        options.boot.gcCopyback = 1;
    }
    MockDrive drive(options);
    HostModel host = hostOf(options);
    WorkloadMix writes;
    writes.reads = 0;
    writes.trims = 0;
    writes.hot = 0;
    writes.aligned = 100;
    host.random(4000, writes);
    runFirmware(drive, host);
    CHECK(host.sectorsWritten() > 10 * host.capacity());
    CHECK(drive.flash().counters().erases > 300);
    CHECK((drive.flash().counters().copyBacks > 0) == (options.boot.gcCopyback == 1));
}

TEST_CASE("idle dies are collected in the background up to the configured number of free blocks")
{
    MockOptions options = smallDrive();
    options.boot.gcIdleBlocks = 6;
    options.boot.gcLowBlocks = 2;
    MockDrive drive(options);
    HostModel host = hostOf(options);
    WorkloadMix mix;
    mix.reads = 20;
    host.random(1500, mix);
    runFirmware(drive, host);
    for (std::uint32_t plane = 0; plane < 4; ++plane) {
        const struct plane& p = request_ftl()->blocks.plane[plane];
        const std::uint32_t victim = victim_greedy(&request_ftl()->blocks, plane);
        CHECK((p.free >= 6 || victim == NONE || request_ftl()->blocks.block[victim].valid == 8));
    }
}

TEST_CASE("an emptied block waits for an idle die, but only while host data has other space")
{
    for (const std::uint32_t waits : {0u, 1u}) {
        MockOptions options = smallDrive();
        options.boot.gcErase = waits;
        MockDrive drive(options);
        HostModel host = hostOf(options);
        WorkloadMix mix;
        mix.reads = 60;
        host.random(3000, mix);
        std::uint64_t seen = 0;
        drive.onSleep = [&] {
            const ftl& f = *request_ftl();
            for (std::uint32_t plane = 0; f.collection.planes != nullptr && f.queues.ready != nullptr && plane < 4;
                 ++plane) {
                if (f.collection.planes[plane].phase != COLLECT_EMPTIED ||
                    bitmap_has(f.collection.unwritten.planes, plane))
                    continue;
                ++seen;
                CHECK_FALSE(flash_die_is_idle(&f.flash, plane));
                CHECK(f.blocks.plane[plane].free > GC_RESERVE);
            }
        };
        drive.run(strobe_firmware_entry, host);
        checkAtRest(*request_ftl());
        CHECK(drive.flash().counters().erases > 200);
        CHECK((seen > 100) == (waits == 1));
    }
}

TEST_CASE("static wear levelling keeps the erase counts of a plane together, though most data never changes")
{
    std::uint32_t spread[2] = {};
    for (std::uint32_t levelled : {0u, 1u}) {
        MockOptions options = smallDrive();
        options.boot.wearThreshold = levelled * 4;
        options.boot.overprovisionPermille = 400;
        options.boot.checkpointPages = 64; // tables change their blocks too
        MockDrive drive(options);
        HostModel host = hostOf(options);
        WorkloadMix mix;
        mix.reads = 0;
        mix.trims = 0;
        mix.hot = 100;
        mix.aligned = 100;
        std::vector<HostCommand> fill;
        for (std::uint64_t lba = 0; lba + 4 <= 900; lba += 4)
            fill.push_back(command(Kind::Write, lba, 4));
        host.script(fill);
        host.random(4000, mix);
        runFirmware(drive, host);
        std::uint32_t least = 0xFFFFFFFF;
        std::uint32_t most = 0;
        for (std::uint32_t block = 0; block < 12; ++block) {
            least = std::min(least, drive.flash().die(0).block(block).erases);
            most = std::max(most, drive.flash().die(0).block(block).erases);
        }
        spread[levelled] = most - least;
    }
    CHECK(spread[1] <= 8); // twice the threshold
    CHECK(spread[0] > 30);
}

TEST_CASE("the spare record of a page names its logical page plus one and is never the mark of a bad block")
{
    const flash_spare record = spare_record(0, 7, SPARE_HOST, 0x12345);
    CHECK(record.word[0] == 1);
    CHECK(record.word[1] == 7);
    CHECK(record.word[2] == (SPARE_HOST | SPARE_VERSION << 8 | 0x2345u << 16));
    CHECK(spare_is_record(&record));
    CHECK(spare_erases(&record) == 0x2345);
    flash_spare changed = record;
    changed.word[1] ^= 1;
    CHECK_FALSE(spare_is_record(&changed));
    const flash_spare other = spare_record(0, 8, SPARE_HOST, 0x12345);
    CHECK(record.word[3] != other.word[3]);
}
