// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/ftl/page_map/small_drive.h"
#include "tests/firmware/support/workload_case.h"
#include "tests/support/catch.h"
#include "tests/support/sanitizers.h"

#include <algorithm>

using namespace strobe;
using namespace strobe::test;

namespace {

// Each row changes one thing of the small drive; all run with both completion modes and several seeds.
const WorkloadCase cases[] = {
    {"as it is", [](MockOptions&, WorkloadMix&) {}},
    {"cost-benefit victims", [](MockOptions& o, WorkloadMix&) { o.boot.gcPolicy = 1; }},
    {"copy-back", [](MockOptions& o, WorkloadMix&) { o.boot.gcCopyback = 1; }},
    {"two planes and LUNs, copy-back",
     [](MockOptions& o, WorkloadMix&) {
         o.boot.planes = 2;
         o.boot.luns = 2;
         o.boot.ways = 1;
         o.boot.gcCopyback = 1;
         o.boot.allocationOrder = 0x0123;
     }},
    {"a command on one channel", [](MockOptions& o, WorkloadMix&) { o.boot.commandPlacement = 1; }},
    {"one write at a time", [](MockOptions& o, WorkloadMix&) { o.boot.serialWrites = o.boot.completion; }},
    {"one write at a time per channel",
     [](MockOptions& o, WorkloadMix& mix) {
         o.boot.serialWrites = o.boot.completion;
         o.boot.commandPlacement = 1;
         o.bufferPages = 160;
         o.boot.writeBufferPages = 100; // room to fetch the data of those that wait
         mix.hot = 95;
     }},
    {"polls of the channels before each command",
     [](MockOptions& o, WorkloadMix&) {
         o.boot.readPolls = 1;
         o.boot.writePolls = 2;
         o.boot.serialWrites = o.boot.completion;
     }},
    {"background collection",
     [](MockOptions& o, WorkloadMix&) {
         o.boot.gcIdleBlocks = 6;
         o.boot.gcLowBlocks = 2;
     }},
    {"erases on idle dies",
     [](MockOptions& o, WorkloadMix&) {
         o.boot.gcErase = GC_ERASE_WHEN_IDLE;
         o.boot.gcCopyback = 1;
     }},
    {"paced collection", [](MockOptions& o, WorkloadMix&) { withPacing(o); }},
    {"paced collection, cost-benefit victims, copy-back, erases on idle dies",
     [](MockOptions& o, WorkloadMix&) {
         withPacing(o);
         o.boot.gcPolicy = GC_POLICY_COST_BENEFIT;
         o.boot.gcCopyback = 1;
         o.boot.gcErase = GC_ERASE_WHEN_IDLE;
     }},
    {"paced collection, units, rows of two planes, superblocks of two dies, background collection",
     [](MockOptions& o, WorkloadMix& mix) {
         withPacing(o);
         withUnits(o, 8192, 4096);
         withRows(o, 2);
         o.boot.superblockDies = 2;
         o.boot.gcIdleBlocks = 12;
         mix.trims = 5;
     }},
    {"paced collection on a nearly full drive",
     [](MockOptions& o, WorkloadMix& mix) {
         withPacing(o);
         o.boot.overprovisionPermille = 1; // capacity is limited by garbage collection
         mix.hot = 0;
     }},
    {"paced collection, blocks that wear out, static wear levelling",
     [](MockOptions& o, WorkloadMix&) {
         withPacing(o);
         withWornBlocks(o, 24, {30, 0, 8});
         o.boot.wearThreshold = 3;
     }},
    {"paced collection, data refresh, commands on one channel",
     [](MockOptions& o, WorkloadMix&) {
         withPacing(o);
         withDataRefresh(o);
         o.boot.commandPlacement = 1;
     }},
    {"paced collection, a dynamic pSLC cache, rows of two planes",
     [](MockOptions& o, WorkloadMix&) {
         withPacing(o);
         withPslcCache(o, PSLC_CACHE_MODE_DYNAMIC);
         withRows(o, 2);
         o.boot.dieDepth = 4;
     }},
    {"hot and cold host data",
     [](MockOptions& o, WorkloadMix& mix) {
         withHotAndCold(o);
         mix.hot = 90;
     }},
    {"hot and cold host data, commands on one channel, units, trims, background collection",
     [](MockOptions& o, WorkloadMix& mix) {
         withHotAndCold(o);
         withUnits(o, 8192, 4096);
         o.boot.commandPlacement = 1;
         o.boot.gcIdleBlocks = 8;
         mix.trims = 10;
         mix.flushes = 10;
     }},
    {"hot and cold host data, word lines whose planes take turns, static wear levelling",
     [](MockOptions& o, WorkloadMix& mix) {
         withHotAndCold(o);
         withUnits(o, 8192, 4096);
         withWordLines(o, 3);
         o.boot.planes = 2;
         o.boot.wearThreshold = 3;
         mix.hot = 95;
     }},
    {"hot and cold host data, paced collection, rows of two planes, superblocks of two dies",
     [](MockOptions& o, WorkloadMix&) {
         withHotAndCold(o);
         withPacing(o);
         withUnits(o, 8192, 4096);
         withRows(o, 2);
         o.boot.superblockDies = 2;
     }},
    {"hot and cold host data, paced collection, one write at a time, blocks that wear out",
     [](MockOptions& o, WorkloadMix&) {
         withHotAndCold(o);
         withPacing(o);
         withWornBlocks(o, 28, {30, 0, 8});
         o.boot.serialWrites = o.boot.completion;
     }},
    {"data placement",
     [](MockOptions& o, WorkloadMix& mix) {
         withPlacement(o, PLACEMENT_ISOLATION_INITIALLY);
         mix.handles = 4;
     }},
    {"data placement, moved data stays with its handle, units, trims, background collection",
     [](MockOptions& o, WorkloadMix& mix) {
         withPlacement(o, PLACEMENT_ISOLATION_PERSISTENTLY);
         withUnits(o, 8192, 4096);
         o.boot.completion = 0;
         o.boot.gcIdleBlocks = 8;
         mix.handles = 4;
         mix.trims = 10;
         mix.flushes = 10;
     }},
    {"data placement, rows of two planes, blocks that wear out, writes of handles that do not exist",
     [](MockOptions& o, WorkloadMix& mix) {
         withPlacement(o, PLACEMENT_ISOLATION_INITIALLY);
         withUnits(o, 8192, 4096);
         withRows(o, 2);
         withWornBlocks(o, 40, {30, 0, 4}); // as many as there are spare superblocks
         mix.handles = 6;
         mix.hot = 90;
     }},
    {"data placement, parity of four dies",
     [](MockOptions& o, WorkloadMix& mix) {
         withPlacement(o, PLACEMENT_ISOLATION_PERSISTENTLY);
         o.boot.superblockParity = 1;
         o.boot.blocksPerPlane = 48;
         mix.handles = 4;
     }},
    {"fewer units than dies", [](MockOptions& o, WorkloadMix&) { o.boot.units = 2; }},
    {"one unit without depth",
     [](MockOptions& o, WorkloadMix&) {
         o.boot.units = 1;
         o.boot.unitDepth = 0;
     }},
    {"the smallest buffer", [](MockOptions& o, WorkloadMix&) { o.bufferPages = 7; }},
    {"32 sectors per page",
     [](MockOptions& o, WorkloadMix& mix) {
         o.boot.pageBytes = 16384;
         mix.aligned = 10;
     }},
    {"units of 4 KiB in pages of 16 KiB",
     [](MockOptions& o, WorkloadMix& mix) {
         withUnits(o, 16384, 4096);
         mix.aligned = 50;
     }},
    {"units of 8 KiB in pages of 16 KiB, two planes, copy-back",
     [](MockOptions& o, WorkloadMix& mix) {
         withUnits(o, 16384, 8192);
         o.boot.planes = 2;
         o.boot.gcCopyback = 1;
         mix.aligned = 30;
     }},
    {"units, the smallest buffer",
     [](MockOptions& o, WorkloadMix&) {
         withUnits(o, 8192, 4096);
         o.bufferPages = 8;
         o.boot.writeBufferPages = 1;
     }},
    {"units, commands on one channel, background collection",
     [](MockOptions& o, WorkloadMix& mix) {
         withUnits(o, 16384, 4096);
         o.boot.commandPlacement = 1;
         o.boot.gcIdleBlocks = 6;
         mix.hot = 95;
     }},
    {"units, one write at a time, blocks that wear out",
     [](MockOptions& o, WorkloadMix&) {
         withUnits(o, 16384, 4096);
         o.boot.serialWrites = o.boot.completion;
         withWornBlocks(o, 24, {30, 0, 8});
     }},
    {"units, trims on a nearly full drive",
     [](MockOptions& o, WorkloadMix& mix) {
         withUnits(o, 16384, 4096);
         o.boot.overprovisionPermille = 1; // capacity is limited by garbage collection
         mix.hot = 0;
         mix.trims = 10;
     }},
    {"units, static wear levelling",
     [](MockOptions& o, WorkloadMix& mix) {
         withUnits(o, 16384, 4096);
         o.boot.wearThreshold = 3;
         mix.hot = 98;
     }},
    {"word lines of three pages, units of 4 KiB",
     [](MockOptions& o, WorkloadMix&) {
         withUnits(o, 8192, 4096);
         withWordLines(o, 3);
         o.boot.planes = 2;
     }},
    {"parity of four dies, paced collection, data refresh, units",
     [](MockOptions& o, WorkloadMix& mix) {
         withParity(o);
         withUnits(o, 8192, 4096);
         withPacing(o);
         withDataRefresh(o);
         o.bufferPages = 256;
         mix.trims = 5;
     }},
    {"word lines of two pages, each a unit, background collection",
     [](MockOptions& o, WorkloadMix& mix) {
         o.boot.pageBytes = 4096;
         o.boot.programPages = 2;
         o.boot.gcIdleBlocks = 6;
         mix.hot = 95;
     }},
    {"rows of two planes, units of 4 KiB in word lines of three pages",
     [](MockOptions& o, WorkloadMix&) {
         withUnits(o, 8192, 4096);
         withWordLines(o, 3);
         withRows(o, 2);
         o.boot.dieDepth = 4;
     }},
    {"rows of three planes, whole pages, background collection, flushes",
     [](MockOptions& o, WorkloadMix& mix) {
         o.boot.pageBytes = 4096;
         withRows(o, 3);
         o.boot.gcIdleBlocks = 6;
         mix.flushes = 15;
         mix.hot = 95;
     }},
    {"superblocks of all dies, units",
     [](MockOptions& o, WorkloadMix& mix) {
         withUnits(o, 8192, 4096);
         o.boot.superblockDies = o.boot.channels * o.boot.ways * o.boot.luns;
         mix.flushes = 10;
     }},
    {"superblocks of two dies and two planes in rows, blocks that wear out",
     [](MockOptions& o, WorkloadMix&) {
         withUnits(o, 8192, 4096);
         withRows(o, 2);
         o.boot.superblockDies = 2;
         withWornBlocks(o, 24, {8, 0, 8});
     }},
    {"a dynamic pSLC cache, rows of two planes, flushes",
     [](MockOptions& o, WorkloadMix& mix) {
         withPslcCache(o, PSLC_CACHE_MODE_DYNAMIC);
         withRows(o, 2);
         o.boot.dieDepth = 4;
         mix.flushes = 10;
     }},
    {"a dynamic pSLC cache that is folded while the host is idle, superblocks of two dies",
     [](MockOptions& o, WorkloadMix& mix) {
         withPslcCache(o, PSLC_CACHE_MODE_DYNAMIC);
         o.boot.pslcCacheFold = 1;
         o.boot.superblockDies = 2;
         mix.hot = 95;
     }},
    {"a reserved pSLC cache, trims, blocks that wear out",
     [](MockOptions& o, WorkloadMix& mix) {
         withPslcCache(o, PSLC_CACHE_MODE_STATIC);
         withWornBlocks(o, 24, {20, 0, 6});
         mix.trims = 10;
     }},
    {"word lines, blocks that wear out",
     [](MockOptions& o, WorkloadMix&) {
         withUnits(o, 8192, 4096);
         o.boot.programPages = 2;
         withWornBlocks(o, 24, {30, 0, 8});
     }},
    {"read-ahead, few pages, so that many reads are in a row",
     [](MockOptions& o, WorkloadMix& mix) {
         o.boot.readAheadStreams = 3;
         o.boot.readAheadWindow = 3;
         o.boot.hostSlots = 8;
         o.boot.capacityLo = 24;
         mix.reads = 75;
         mix.trims = 5;
         mix.hot = 0;
     }},
    {"read-ahead, units of 4 KiB, unreadable pages",
     [](MockOptions& o, WorkloadMix& mix) {
         withUnits(o, 16384, 4096);
         o.boot.readAheadStreams = 2;
         o.boot.readAheadWindow = 8;
         o.boot.capacityLo = 96;
         mix.reads = 70;
         mix.hot = 0;
     }},
    {"data refresh: reads and age", [](MockOptions& o, WorkloadMix&) { withDataRefresh(o); }},
    {"data refresh, copy-back, static wear levelling, factory bad blocks",
     [](MockOptions& o, WorkloadMix& mix) {
         withDataRefresh(o);
         o.boot.gcCopyback = 1;
         o.boot.wearThreshold = 3;
         o.boot.blocksPerPlane = 16;
         o.badBlocks = 3;
         mix.hot = 95;
     }},
    {"data refresh, rows of two planes, superblocks of two dies, units, trims",
     [](MockOptions& o, WorkloadMix& mix) {
         withDataRefresh(o);
         withUnits(o, 8192, 4096);
         withWordLines(o, 3);
         withRows(o, 2);
         o.boot.superblockDies = 2;
         o.boot.dieDepth = 4;
         mix.trims = 10;
     }},
    {"data refresh, a reserved pSLC cache, background collection",
     [](MockOptions& o, WorkloadMix&) {
         withPslcCache(o, PSLC_CACHE_MODE_STATIC);
         withDataRefresh(o);
         o.boot.gcIdleBlocks = 6;
         o.boot.pslcCacheFold = 1;
     }},
    {"data refresh, blocks that wear out, the smallest buffer",
     [](MockOptions& o, WorkloadMix&) {
         withDataRefresh(o);
         withWornBlocks(o, 24, {30, 0, 8});
         o.boot.refreshAge = 1000; // more blocks take longer to move
         o.bufferPages = 7;
     }},
    {"data refresh on a nearly full drive",
     [](MockOptions& o, WorkloadMix& mix) {
         withDataRefresh(o);
         o.boot.overprovisionPermille = 1; // capacity is limited by garbage collection
         mix.hot = 0;
     }},
    {"odd page size and capacity",
     [](MockOptions& o, WorkloadMix&) {
         o.boot.pageBytes = 3 * 512;
         o.boot.capacityLo = 700;
     }},
    {"static wear levelling",
     [](MockOptions& o, WorkloadMix& mix) {
         o.boot.wearThreshold = 3;
         mix.hot = 98;
     }},
    {"many trims",
     [](MockOptions&, WorkloadMix& mix) {
         mix.trims = 25;
         mix.flushes = 5;
     }},
    {"sub-page writes",
     [](MockOptions&, WorkloadMix& mix) {
         mix.aligned = 0;
         mix.reads = 30;
     }},
    {"few hot pages",
     [](MockOptions& o, WorkloadMix& mix) {
         o.boot.hostSlots = 32;
         o.boot.capacityLo = 24;
         mix.reads = 40;
     }},
    {"factory bad blocks from the table",
     [](MockOptions& o, WorkloadMix&) {
         o.boot.blocksPerPlane = 16;
         o.badBlocks = 3;
     }},
    {"factory bad blocks by their marks",
     [](MockOptions& o, WorkloadMix&) {
         o.boot.blocksPerPlane = 16;
         o.badBlocks = 3;
         o.badBlockTable = false;
     }},
    {"blocks that wear out",
     [](MockOptions& o, WorkloadMix&) {
         withWornBlocks(o, 24, {30, 0, 8});
     }},
    {"blocks that wear out, copy-back, two planes",
     [](MockOptions& o, WorkloadMix&) {
         withWornBlocks(o, 16, {30, 0, 8});
         o.boot.planes = 2;
         o.boot.gcCopyback = 1;
     }},
    {"a large trim on a nearly full drive",
     [](MockOptions& o, WorkloadMix& mix) {
         o.boot.overprovisionPermille = 1; // capacity is limited by garbage collection
         mix.hot = 0;
     }},
};

} // namespace

TEST_CASE("every read of a random workload returns the last version written, whatever the policies")
{
    const std::uint64_t seeds = test::isSanitized ? 1 : 3;
    for (const WorkloadCase& row : cases) {
        for (std::uint32_t completion : {0u, 1u}) {
            for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
                MockOptions options = smallDrive();
                WorkloadMix mix;
                options.seed = seed;
                options.boot.completion = completion;
                row.change(options, mix);
                CAPTURE(row.name, completion, seed);
                HostModel host = hostOf(options);
                host.random(3000, mix);
                MockDrive drive(options);
                checkRun(drive, host, 3000);
            }
        }
    }
}

TEST_CASE("move slots are shared fairly: all planes are collected, however few slots there are")
{
    MockOptions options = smallDrive();
    options.boot.channels = 4;
    options.boot.ways = 4;
    options.boot.units = 16;
    options.boot.pagesPerBlock = 16;
    options.boot.hostSlots = 32;
    options.boot.overprovisionPermille = 350;
    options.boot.completion = 0;
    options.boot.writeBufferPages = 16;
    options.bufferPages = 33; // 8 move slots for 16 planes
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.random(12000, {0, 0, 0, 0, 100, 12}); // whole pages, written all over
    host.verifiesAtEnd = false;
    runFirmware(drive, host, 256);

    std::vector<std::uint64_t> erases;
    for (std::uint32_t die = 0; die < drive.flash().dies(); ++die) {
        std::uint64_t sum = 0;
        for (std::uint32_t block = 0; block < options.boot.blocksPerPlane; ++block)
            sum += drive.flash().die(die).block(block).erases;
        erases.push_back(sum);
    }
    const auto [least, most] = std::minmax_element(erases.begin(), erases.end());
    CAPTURE(erases);
    CHECK(*least > 0);
    CHECK(2 * *least >= *most);
    const auto written = static_cast<double>(host.sectorsWritten()) / (options.boot.pageBytes / 512);
    const double amplification = static_cast<double>(drive.flash().counters().programs) / written;
    CHECK(amplification < 3);
}
