#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A drive small enough that everything happens often, and one run of the firmware on it.

#include "tests/firmware/ftl/page_map/ftl_invariants.h"
#include "tests/firmware/support/firmware_headers.h"
#include "tests/firmware/support/host_model.h"
#include "tests/firmware/support/mock_drive.h"
#include "tests/support/catch.h"

extern "C" void strobe_firmware_entry(const strobe_native_hal* hal);

namespace strobe::test {

inline ftl* request_ftl()
{
    return &request_app()->ftl;
}

inline MockOptions smallDrive()
{
    MockOptions options;
    cpu::BootBlock& boot = options.boot;
    boot.channels = 2;
    boot.ways = 2;
    boot.luns = 1;
    boot.planes = 1;
    boot.blocksPerPlane = 12;
    boot.pagesPerBlock = 8;
    boot.pageBytes = 2048;
    boot.units = 4;
    boot.unitDepth = 1;
    boot.hostSlots = 8;
    boot.overprovisionPermille = 300;
    boot.allocationOrder = 0x3210;
    boot.gcLowBlocks = 3;
    boot.gcIdleBlocks = 0;
    boot.completion = 1;
    boot.writeBufferPages = 16;
    return options;
}

// Several mapping units in a page of the flash.
inline void withUnits(MockOptions& options, std::uint32_t pageBytes, std::uint32_t unitBytes)
{
    options.boot.pageBytes = pageBytes;
    options.boot.mappingUnit = unitBytes;
}

inline void withWordLines(MockOptions& options, std::uint32_t pages)
{
    options.boot.programPages = pages;
    options.boot.pagesPerBlock = 12;
}

// All planes of a die are programmed together.
inline void withRows(MockOptions& options, std::uint32_t planes)
{
    options.boot.planes = planes;
    options.boot.rowPlanes = planes;
}

// Blocks fail during the run, and there are spares for them.
inline void withWornBlocks(MockOptions& options, std::uint32_t blocksPerPlane, const MockFaults& faults)
{
    options.boot.blocksPerPlane = blocksPerPlane;
    options.boot.spareBlocks = 8;
    options.faults = faults;
}

// Word lines of three pages of TLC, of which each plane of a die caches two blocks in pSLC mode.
inline void withPslcCache(MockOptions& options, std::uint32_t mode)
{
    cpu::BootBlock& boot = options.boot;
    withUnits(options, 8192, 4096);
    withWordLines(options, 3);
    boot.pslcPages = 4;
    boot.blocksPerPlane = 16;
    boot.pslcCache = mode;
    boot.pslcCacheBlocks = 4;
}

// Two streams of host data have more open blocks, so the drive has more blocks.
inline void withHotAndCold(MockOptions& options)
{
    options.boot.hostStreams = HOST_STREAMS_HOT_COLD;
    options.boot.blocksPerPlane = 16;
}

// Superblocks of all dies, four handles: as many open blocks, and as many for moved data if it stays with its handle.
inline void withPlacement(MockOptions& options, std::uint32_t isolation)
{
    cpu::BootBlock& boot = options.boot;
    boot.superblockDies = boot.channels * boot.ways * boot.luns;
    boot.blocksPerPlane = isolation == PLACEMENT_ISOLATION_PERSISTENTLY ? 32 : 24;
    boot.placementHandles = 4;
    boot.placementIsolation = isolation;
    options.bufferPages = 256;
}

inline void withPacing(MockOptions& options)
{
    options.boot.gcPacing = GC_PACING_FREE_SPACE;
}

// Superblocks of four dies, one of which holds the parity of the others; large enough for what that costs.
inline void withParity(MockOptions& options)
{
    options.boot.superblockDies = 4;
    options.boot.superblockParity = 1;
    options.boot.blocksPerPlane = 24;
}

// Blocks are due so often that some always are.
inline void withDataRefresh(MockOptions& options)
{
    options.boot.refreshReads = 25;
    options.boot.refreshAge = 100;
    options.boot.scrubInterval = 200;
    options.alarmsAfterHost = 100;
}

// Runs the firmware that is linked into the test; the tables are checked at every `checkEvery`th sleep and at the end.
inline void runFirmware(MockDrive& drive, HostModel& host, std::uint64_t checkEvery = 16)
{
    drive.onSleep = [&drive, checkEvery] {
        if (drive.sleeps() % checkEvery == 0 && request_ftl()->collection.planes != nullptr &&
            request_ftl()->queues.ready != nullptr)
            checkTables(*request_ftl());
    };
    drive.run(strobe_firmware_entry, host);
    checkAtRest(*request_ftl());
}

// The host gets all its answers, among them at least those to `commands`, and the drive takes writes to the end. The
// host compares every read with the last version written.
inline void checkRun(MockDrive& drive, HostModel& host, std::uint64_t commands)
{
    REQUIRE_NOTHROW(runFirmware(drive, host));
    CHECK(host.completedCommands() >= commands);
    CHECK_FALSE(request_ftl()->read_only);
}

} // namespace strobe::test
