// SPDX-License-Identifier: Apache-2.0
//
// Mapping units smaller than a page: which flash operations they cause.
#include "tests/firmware/ftl/page_map/small_drive.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::test;

namespace {

using Kind = HostCommand::Kind;
constexpr std::uint32_t perUnit = 8; // sectors
constexpr std::uint32_t perPage = 32;

HostCommand command(Kind kind, std::uint64_t lba, std::uint32_t sectors, bool fua = false)
{
    return {kind, fua, lba, sectors};
}

// Write-back, four units of 4 KiB in a page.
MockOptions unitDrive()
{
    MockOptions options = smallDrive();
    options.boot.pageBytes = 16384;
    options.boot.mappingUnit = 4096;
    options.boot.completion = 0;
    return options;
}

HostModel runScript(const MockOptions& options, MockDrive& drive, std::vector<HostCommand> commands)
{
    HostModel host = hostOf(options);
    host.verifiesAtEnd = false;
    host.script(std::move(commands));
    runFirmware(drive, host, 1);
    return host;
}

} // namespace

TEST_CASE("units of four writes to different places fill a page, with one program", "[units]")
{
    const MockOptions options = unitDrive();
    MockDrive drive(options);
    std::vector<HostCommand> writes;
    for (std::uint32_t i = 0; i < 4; ++i)
        writes.push_back(command(Kind::Write, std::uint64_t{i} * 5 * perUnit, perUnit));
    HostModel host = hostOf(options);
    host.verifiesAtEnd = false;
    host.script(writes);
    host.atOnce();
    runFirmware(drive, host, 1);
    CHECK(drive.flash().counters().programs == 1);
    CHECK(drive.flash().counters().reads == 0);
}

TEST_CASE("a write of a unit neither reads nor rewrites the other units of its page", "[units]")
{
    const MockOptions options = unitDrive();
    MockDrive drive(options);
    const HostModel host = runScript(options, drive,
                                     {command(Kind::Write, 0, perPage), command(Kind::Write, perUnit, perUnit),
                                      command(Kind::Flush, 0, 0), command(Kind::Read, 0, perPage)});
    CHECK(drive.flash().counters().programs == 2); // the second one is short
    CHECK(drive.flash().counters().reads == 3);    // of the host: unit 0, unit 1 elsewhere, units 2 and 3 together
    CHECK(host.lastRead()[0] == 1);
    CHECK(host.lastRead()[perUnit] == 2);
    CHECK(host.lastRead()[2 * perUnit] == 1);
}

TEST_CASE("a part of a unit is completed by a read of that unit only", "[units]")
{
    const MockOptions options = unitDrive();
    MockDrive drive(options);
    const HostModel host =
        runScript(options, drive,
                  {command(Kind::Write, 0, perPage), command(Kind::Flush, 0, 0), command(Kind::Write, 9, 7),
                   command(Kind::Flush, 0, 0), command(Kind::Read, 8, 2)});
    CHECK(host.lastRead() == std::vector<std::uint32_t>{1, 2});
    CHECK(drive.flash().counters().reads == 2); // sector 8 for the merge, and the host's
}

TEST_CASE("neighbouring units in a page are read by one operation", "[units]")
{
    const MockOptions options = unitDrive();
    MockDrive drive(options);
    runScript(options, drive,
              {command(Kind::Write, 0, 2 * perPage), command(Kind::Flush, 0, 0), command(Kind::Read, 0, 2 * perPage)});
    CHECK(drive.flash().counters().programs == 2);
    CHECK(drive.flash().counters().reads == 2);
}

TEST_CASE("a read with more units than may be in progress at a time reads each page once", "[units]")
{
    MockOptions options = unitDrive();
    options.boot.blocksPerPlane = 24;
    options.boot.hostSlots = 2;
    MockDrive drive(options);
    constexpr std::uint32_t pages = 40; // 160 units; 64 are in progress at a time
    std::vector<HostCommand> commands;
    for (std::uint32_t page = 0; page < pages; ++page)
        commands.push_back(command(Kind::Write, std::uint64_t{page} * perPage, perPage));
    commands.push_back(command(Kind::Flush, 0, 0));
    commands.push_back(command(Kind::Read, 0, pages * perPage));
    const HostModel host = runScript(options, drive, commands);
    CHECK(host.failures(HostStatus::Ok) == commands.size());
    CHECK(drive.flash().counters().programs == pages);
    CHECK(drive.flash().counters().reads == pages);
}

TEST_CASE("FUA and flushes do not wait for a page to fill", "[units]")
{
    const MockOptions options = unitDrive();
    MockDrive drive(options);
    const HostModel host = runScript(options, drive,
                                     {command(Kind::Write, 0, perUnit, true), command(Kind::Write, 64, perUnit),
                                      command(Kind::Flush, 0, 0), command(Kind::Read, 64, perUnit)});
    CHECK(host.failures(HostStatus::Ok) == 4); // HostStatus::Ok counts the commands that succeeded
    CHECK(drive.flash().counters().programs == 2);
}

TEST_CASE("units that do not fill a page are written out when the host is idle", "[units]")
{
    const MockOptions options = unitDrive();
    MockDrive drive(options);
    runScript(options, drive, {command(Kind::Write, 0, perUnit), command(Kind::Write, 64, perUnit)});
    CHECK(drive.flash().counters().programs == 1);
    CHECK(request_ftl()->queues.gathered_slots == 0);
}

TEST_CASE("a unit that is trimmed while it waits for others is not programmed", "[units]")
{
    const MockOptions options = unitDrive();
    MockDrive drive(options);
    const HostModel host =
        runScript(options, drive,
                  {command(Kind::Write, 0, perUnit), command(Kind::Trim, 0, perUnit), command(Kind::Read, 0, perUnit)});
    CHECK(host.lastRead() == std::vector<std::uint32_t>(perUnit, 0));
    CHECK(map_find(&request_ftl()->map, 0) == MAP_UNMAPPED);
}

TEST_CASE("collection packs valid units: a page of the victim is read once, and fewer pages are written", "[units]")
{
    MockOptions options = unitDrive();
    options.boot.ways = 1;
    options.boot.channels = 1;
    options.boot.units = 1;
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.verifiesAtEnd = false;
    host.random(4000, {0, 0, 0, 0, 100, 12}); // whole units, all over
    runFirmware(drive, host, 64);
    const nand::DieCounters counted = drive.flash().counters();
    const auto written = static_cast<double>(host.sectorsWritten()) / perPage;
    CHECK(counted.erases > 20);
    CHECK(static_cast<double>(counted.programs) < 2.5 * written); // each unit in a page of its own would be four times
    const std::uint64_t moved = counted.programs - static_cast<std::uint64_t>(written);
    CHECK(counted.reads < 4 * moved); // less than one read for each unit that was moved
}

TEST_CASE("sequential reads are served from units read ahead, whole pages at a time, also after a write", "[units]")
{
    MockOptions options = unitDrive();
    options.boot.readAheadStreams = 1;
    options.boot.readAheadWindow = 8;
    MockDrive drive(options);
    std::vector<HostCommand> commands{command(Kind::Write, 0, 2 * perPage),
                                      command(Kind::Write, 2 * perPage, 2 * perPage), command(Kind::Flush, 0, 0)};
    for (std::uint32_t unit = 0; unit < 16; ++unit) {
        commands.push_back(command(Kind::Read, std::uint64_t{unit} * perUnit, perUnit));
        if (unit == 5) // unit 7 has been read ahead, and the host model checks that its new data is returned
            commands.push_back(command(Kind::Write, 7 * perUnit, perUnit, true));
    }
    const HostModel host = runScript(options, drive, commands);
    CHECK(host.failures(HostStatus::Ok) == commands.size());
    // Units 0 to 2 by commands, 3 alone, then 4 to 15 in pages of four; 7 again.
    CHECK(drive.flash().counters().reads == 3 + 1 + 3 + 1);
}

TEST_CASE("a unit that one stream has read ahead is not held by another one too, so a write drops it", "[units]")
{
    MockOptions options = unitDrive();
    options.boot.readAheadStreams = 2;
    options.boot.readAheadWindow = 4;
    MockDrive drive(options);
    const auto reads = [](std::uint32_t unit, std::uint32_t units) {
        return command(Kind::Read, std::uint64_t{unit} * perUnit, units * perUnit);
    };
    std::vector<HostCommand> commands;
    for (std::uint32_t page = 0; page < 5; ++page)
        commands.push_back(command(Kind::Write, std::uint64_t{page} * perPage, perPage));
    commands.push_back(command(Kind::Flush, 0, 0));
    for (const std::uint32_t unit : {10U, 11U, 12U, 3U, 4U, 5U}) // the first stream holds 13 to 15
        commands.push_back(reads(unit, 1));
    commands.push_back(reads(6, 6)); // the second stream comes to them
    commands.push_back(command(Kind::Write, 14 * perUnit, perUnit, true));
    commands.push_back(reads(14, 1)); // the host model expects the new data
    CHECK(runScript(options, drive, commands).failures(HostStatus::Ok) == commands.size());
}
