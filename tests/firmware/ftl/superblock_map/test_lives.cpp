// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/ftl/superblock_map/small_superblocks.h"
#include "tests/firmware/support/workload_case.h"
#include "tests/support/catch.h"
#include "tests/support/sanitizers.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace strobe;
using namespace strobe::test;

namespace {

const superblock_map& sbm = superblock_drive;

// Each row changes one thing of the small drive.
const WorkloadCase cases[] = {
    {"no change", [](MockOptions&, WorkloadMix&) {}},
    {"write-through", [](MockOptions& o, WorkloadMix&) { o.boot.completion = 1; }},
    {"optimised flush",
     [](MockOptions& o, WorkloadMix& mix) {
         o.boot.parkingSuperblocks = 3;
         mix.flushes = 10;
     }},
    {"tables kept twice", [](MockOptions& o, WorkloadMix&) { o.boot.replicateTables = 1; }},
    {"flushes ignored", [](MockOptions& o, WorkloadMix&) { o.boot.flushHandling = FLUSH_HANDLING_IGNORE; }},
    {"one unit", [](MockOptions& o, WorkloadMix&) { o.boot.units = 1, o.boot.foregroundUnit = 1; }},
    {"a small buffer",
     [](MockOptions& o, WorkloadMix&) {
         o.boot.sectorBuffer = 64;
         o.boot.flushWatermark = 20;
     }},
    {"a buffer of 300 sectors, not a power of two", [](MockOptions& o, WorkloadMix&) { o.boot.sectorBuffer = 300; }},
    {"without a feeder", [](MockOptions& o, WorkloadMix&) { o.feeder = false; }},
    {"without a feeder, a small buffer",
     [](MockOptions& o, WorkloadMix&) {
         o.feeder = false;
         o.boot.sectorBuffer = 100;
         o.boot.flushWatermark = 20;
     }},
    {"one superblock at a time", [](MockOptions& o, WorkloadMix&) { o.boot.superblockLimit = 1; }},
    {"single chips", [](MockOptions& o, WorkloadMix&) { o.boot.superchipBus = o.boot.superchipChip = 1; }},
    {"one superchip",
     [](MockOptions& o, WorkloadMix&) {
         o.boot.superchipChip = 4;
         o.boot.replicateTables = 1;
     }},
    {"two planes",
     [](MockOptions& o, WorkloadMix&) {
         o.boot.planes = 2;
         o.boot.ways = 2;
         o.boot.luns = 2;
     }},
    {"factory bad blocks", [](MockOptions& o, WorkloadMix&) { o.badBlocks = 2; }},
    {"blocks that wear out",
     [](MockOptions& o, WorkloadMix&) {
         o.boot.spareBlocks = 8;
         o.boot.blocksPerPlane = 32;
         o.faults = {20, 0, 12};
     }},
    {"explicit levelling",
     [](MockOptions& o, WorkloadMix& mix) {
         o.boot.wearThreshold = 4;
         mix.hot = 98;
     }},
    {"no implicit levelling", [](MockOptions& o, WorkloadMix&) { o.boot.implicitWear = 0; }},
    {"many trims",
     [](MockOptions& o, WorkloadMix& mix) {
         o.boot.parkingSuperblocks = 2;
         mix.trims = 25;
         mix.flushes = 5;
     }},
    {"software units", [](MockOptions& o, WorkloadMix&) { useSoftwareUnits(o); }},
    {"software units, optimised flush",
     [](MockOptions& o, WorkloadMix& mix) {
         useSoftwareUnits(o);
         o.boot.parkingSuperblocks = 3;
         mix.flushes = 10;
     }},
    {"more software units than a die takes operations",
     [](MockOptions& o, WorkloadMix&) {
         useSoftwareUnits(o);
         o.boot.units = 6;
         o.boot.unitDepth = 1;
     }},
    {"software units, single chips",
     [](MockOptions& o, WorkloadMix&) {
         o.boot.superchipBus = o.boot.superchipChip = 1;
         useSoftwareUnits(o);
     }},
    {"software units, one superchip, two planes",
     [](MockOptions& o, WorkloadMix&) {
         o.boot.planes = 2;
         o.boot.ways = 2;
         o.boot.luns = 2;
         o.boot.superchipChip = 4;
         o.boot.replicateTables = 1;
         useSoftwareUnits(o);
     }},
    {"software units, blocks that wear out",
     [](MockOptions& o, WorkloadMix&) {
         useSoftwareUnits(o);
         o.boot.spareBlocks = 8;
         o.boot.blocksPerPlane = 32;
         o.faults = {20, 0, 12};
     }},
    {"software units, explicit levelling",
     [](MockOptions& o, WorkloadMix& mix) {
         useSoftwareUnits(o);
         o.boot.wearThreshold = 4;
         mix.hot = 98;
     }},
    {"few hot sectors",
     [](MockOptions& o, WorkloadMix& mix) {
         o.boot.capacityLo = 100;
         mix.reads = 40;
     }},
};

} // namespace

TEST_CASE("every read of a random life returns the last version written")
{
    const std::uint64_t seeds = test::isSanitized ? 1 : 4;
    for (const WorkloadCase& row : cases) {
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            MockOptions options = smallSuperblocks();
            WorkloadMix mix;
            options.seed = seed;
            row.change(options, mix);
            CAPTURE(row.name, seed);
            HostModel host(options.boot.hostSlots, options.boot.pageBytes / 512, seed);
            host.random(1500, mix);
            MockDrive drive(options);
            REQUIRE_NOTHROW(runSuperblocks(drive, host));
            CHECK(host.completedCommands() >= 1500);
            CHECK_FALSE(sbm.read_only);
        }
    }
}

// A parking round that finds nothing to park ends at once; then the flush has to be merged, in a round of the loop
// without an event.
TEST_CASE("the CPU does not sleep while a software unit can take a step")
{
    for (const bool oneByOne : {true, false}) {
        MockOptions options = smallSuperblocks();
        useSoftwareUnits(options);
        options.boot.superchipBus = options.boot.superchipChip = 1;
        options.boot.pagesPerBlock = 2;
        options.boot.parkingSuperblocks = 4;
        HostModel host(options.boot.hostSlots, options.boot.pageBytes / 512, 1);
        std::vector<HostCommand> commands;
        for (std::uint32_t i = 0; i < 60; ++i) {
            commands.push_back({HostCommand::Write, false, i % 7 * 11, 8});
            commands.push_back({HostCommand::Flush, false, 0, 0});
        }
        host.script(commands);
        if (!oneByOne)
            host.atOnce();
        CAPTURE(oneByOne);
        MockDrive drive(options);
        REQUIRE_NOTHROW(runSuperblocks(drive, host));
        CHECK(host.completedCommands() >= commands.size());
    }
}

namespace {

std::string panicOf(const MockOptions& options)
{
    MockDrive drive(options);
    HostModel host(options.boot.hostSlots, 4, 1);
    try {
        drive.run(strobe_firmware_entry, host);
    } catch (const FirmwarePanic& panic) {
        return panic.what();
    }
    return "none";
}

// Largest difference of the erase counts of a group.
std::uint32_t spread()
{
    std::uint32_t most = 0;
    for (std::uint32_t group = 0; group < sbm.layout.groups; ++group) {
        std::uint32_t low = NONE;
        std::uint32_t high = 0;
        for (std::uint32_t i = 0; i < sbm.layout.per_superchip / sbm.layout.planes; ++i) {
            const superblock& s = sbm.superblocks.superblock[member_of_group(&sbm.layout, group, i)];
            if (s.state == SUPERBLOCK_RESERVED || s.state == SUPERBLOCK_UNUSABLE)
                continue;
            low = std::min(low, s.erases);
            high = std::max(high, s.erases);
        }
        most = std::max(most, high - low);
    }
    return most;
}

// After many writes to an eighth of a drive that is full, one at a time, so that the drive is idle now and then.
std::uint32_t spreadAfter(std::uint32_t threshold, std::uint32_t implicit)
{
    MockOptions options = smallSuperblocks();
    options.boot.wearThreshold = threshold;
    options.boot.implicitWear = implicit;
    MockDrive drive(options);
    HostModel host(options.boot.hostSlots, 4, 7);
    Rng rng(7, "wear");
    std::vector<HostCommand> writes;
    for (std::uint32_t lba = 0; lba < 3200; lba += 64)
        writes.push_back({HostCommand::Write, false, lba, 64});
    for (std::uint32_t i = 0; i < 3000; ++i) {
        writes.push_back({HostCommand::Write, false, rng.below(800), 8});
        if (i % 4 == 3)
            writes.push_back({HostCommand::Flush, false, 0, 0}); // after it the drive is idle
    }
    host.script(writes);
    runSuperblocks(drive, host);
    return spread();
}

} // namespace

TEST_CASE("explicit levelling bounds the spread of erase counts, implicit levelling alone does not")
{
    const std::uint32_t without = spreadAfter(0, 1);
    const std::uint32_t with = spreadAfter(5, 1);
    CAPTURE(without, with);
    CHECK(without > 30);
    CHECK(with <= 5 + 3); // merges that begin before the drive is idle again
    CHECK(spreadAfter(5, 0) <= 5 + 3);
    CHECK(spreadAfter(0, 0) > 30);
}

TEST_CASE("erase counts equal those of the blocks, and survive a loss of power")
{
    MockOptions options = smallSuperblocks();
    MockDrive drive(options);
    HostModel host(options.boot.hostSlots, 4, 3);
    host.random(800, {});
    runSuperblocks(drive, host);
    for (std::uint32_t number = 0; number < sbm.layout.superblocks; ++number) {
        const std::uint32_t die = layout_die(&sbm.layout, superchip_of(&sbm.layout, number), 0);
        const std::uint32_t block = sbm.superblocks.blocks[number * sbm.layout.chips];
        CHECK(sbm.superblocks.superblock[number].erases == drive.flash().die(die).block(block).erases);
    }
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    const auto sum = [](std::uint64_t& to) {
        for (std::uint32_t number = 0; number < sbm.layout.superblocks; ++number)
            to += sbm.superblocks.superblock[number].erases;
    };
    sum(before);
    drive.powerOff();
    HostModel quiet(options.boot.hostSlots, 4, 4);
    runSuperblocks(drive, quiet);
    sum(after);
    CHECK(after >= before - sbm.layout.superblocks / 10); // the last erases of the log and table areas are not recorded
    CHECK(after <= before + 10);
}

TEST_CASE("without spares and free superblocks the drive turns read-only and keeps acknowledged data")
{
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        MockOptions options = smallSuperblocks();
        options.seed = seed;
        options.boot.spareBlocks = 1;
        options.boot.completion = seed % 2;
        options.boot.parkingSuperblocks = seed % 3 == 0 ? 2 : 0;
        options.faults = {100, 0, 60};
        MockDrive drive(options);
        HostModel host(options.boot.hostSlots, 4, seed);
        host.toleratesFaults = true;
        host.random(2500, {});
        CAPTURE(seed);
        REQUIRE_NOTHROW(runSuperblocks(drive, host));
        CHECK(sbm.read_only);
        CHECK(host.failures(HostStatus::DeviceFault) > 100);
        REQUIRE(drive.console().size() == 1);
        CHECK(drive.console()[0].find(": the drive is read-only") != std::string::npos);
    }
}

TEST_CASE("uncorrectable data fails the read; a merge is tried again")
{
    MockOptions options = smallSuperblocks();
    options.faults = {0, 20, 0};
    MockDrive drive(options);
    HostModel host(options.boot.hostSlots, 4, 5);
    host.toleratesLoss = true;
    host.random(2000, {});
    REQUIRE_NOTHROW(runSuperblocks(drive, host));
    CHECK(host.failures(HostStatus::Uncorrectable) > 0);
    CHECK(host.failures(HostStatus::Ok) > 1500);
}

TEST_CASE("a boot block that does not fit is a panic that names the problem")
{
    MockOptions options = smallSuperblocks();
    SECTION("foreground unit")
    {
        options.boot.foregroundUnit = 0;
        CHECK(panicOf(options) == "superblock mapping: a foreground unit and a table of bad blocks are required");
    }
    SECTION("bad block table")
    {
        options.badBlockTable = false;
        CHECK(panicOf(options) == "superblock mapping: a foreground unit and a table of bad blocks are required");
    }
    SECTION("sector buffer")
    {
        options.boot.sectorBuffer = 640;
        CHECK(panicOf(options).find("superblock mapping: the sector buffer must have") == 0);
    }
    SECTION("capacity")
    {
        options.boot.capacityLo = 100000;
        CHECK(panicOf(options).find("superblock mapping: the capacity is not possible") == 0);
    }
    SECTION("too few superblocks")
    {
        options.boot.blocksPerPlane = 9;
        CHECK(panicOf(options) == "superblock mapping: too few superblocks for the journal");
    }
    SECTION("parking area")
    {
        options.boot.parkingSuperblocks = 33;
        CHECK(panicOf(options) == "boot block: PARKING_SUPERBLOCKS must be 0 to 32");
    }
    SECTION("control memory")
    {
        options.memoryBytes = 16384;
        CHECK(panicOf(options).find("control memory too small: up to and including ") == 0);
    }
}
