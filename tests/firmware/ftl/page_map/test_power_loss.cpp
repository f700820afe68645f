// SPDX-License-Identifier: Apache-2.0
//
// Power lost at any event, again and again, recovery included; the host reads everything back each time.
#include "tests/firmware/ftl/page_map/small_drive.h"
#include "tests/firmware/support/workload_case.h"
#include "tests/support/catch.h"
#include "tests/support/sanitizers.h"

using namespace strobe;
using namespace strobe::test;

namespace {

// Rows of two planes in superblocks of two dies, behind a buffer that a power loss does not empty.
void withProtectedSuperblocks(MockOptions& o)
{
    withUnits(o, 8192, 4096);
    withRows(o, 2);
    o.boot.superblockDies = 2;
    o.boot.completion = 0;
    o.boot.writeCache = WRITE_CACHE_PROTECTED;
}

const WorkloadCase cases[] = {
    {"as it is", [](MockOptions&, WorkloadMix&) {}},
    {"write-back", [](MockOptions& o, WorkloadMix&) { o.boot.completion = 0; }},
    {"write-back, many trims and flushes",
     [](MockOptions& o, WorkloadMix& mix) {
         o.boot.completion = 0;
         mix.trims = 25;
         mix.flushes = 10;
         mix.reads = 10;
     }},
    {"copy-back, two planes",
     [](MockOptions& o, WorkloadMix& mix) {
         o.boot.completion = 0;
         o.boot.planes = 2;
         o.boot.ways = 1;
         o.boot.gcCopyback = 1;
         mix.reads = 10;
     }},
    {"few hot pages",
     [](MockOptions& o, WorkloadMix& mix) {
         o.boot.completion = 0;
         o.boot.hostSlots = 32;
         mix.hot = 98;
         mix.reads = 20;
         mix.aligned = 20;
         mix.flushes = 6;
     }},
    {"marks of bad blocks instead of a table",
     [](MockOptions& o, WorkloadMix&) {
         o.boot.blocksPerPlane = 16;
         o.badBlocks = 2;
         o.badBlockTable = false;
         o.boot.spareBlocks = 1;
     }},
    {"static wear levelling",
     [](MockOptions& o, WorkloadMix& mix) {
         o.boot.wearThreshold = 3;
         o.boot.completion = 0;
         mix.hot = 98;
         mix.reads = 5;
     }},
    {"background collection",
     [](MockOptions& o, WorkloadMix&) {
         o.boot.gcIdleBlocks = 6;
         o.boot.gcLowBlocks = 2;
     }},
    {"erases on idle dies", [](MockOptions& o, WorkloadMix&) { o.boot.gcErase = GC_ERASE_WHEN_IDLE; }},
    {"paced collection, write-back",
     [](MockOptions& o, WorkloadMix& mix) {
         withPacing(o);
         o.boot.completion = 0;
         mix.flushes = 5;
     }},
    {"paced collection, protected buffer, rows of two planes, superblocks of two dies",
     [](MockOptions& o, WorkloadMix& mix) {
         withPacing(o);
         withProtectedSuperblocks(o);
         mix.trims = 5;
     }},
    {"hot and cold host data",
     [](MockOptions& o, WorkloadMix& mix) {
         withHotAndCold(o);
         o.boot.completion = 0;
         mix.hot = 90;
         mix.flushes = 8;
         mix.trims = 5;
     }},
    {"hot and cold host data, paced collection, protected buffer, rows of two planes, superblocks of two dies",
     [](MockOptions& o, WorkloadMix& mix) {
         withHotAndCold(o);
         withPacing(o);
         withProtectedSuperblocks(o);
         mix.hot = 90;
     }},
    {"data placement",
     [](MockOptions& o, WorkloadMix& mix) {
         withPlacement(o, PLACEMENT_ISOLATION_INITIALLY);
         o.boot.completion = 0;
         mix.handles = 4;
         mix.flushes = 8;
     }},
    {"data placement, moved data stays with its handle, protected buffer",
     [](MockOptions& o, WorkloadMix& mix) {
         withPlacement(o, PLACEMENT_ISOLATION_PERSISTENTLY);
         withUnits(o, 8192, 4096);
         o.boot.completion = 0;
         o.boot.writeCache = WRITE_CACHE_PROTECTED;
         mix.handles = 4;
         mix.trims = 5;
     }},
    {"units of 4 KiB in pages of 16 KiB",
     [](MockOptions& o, WorkloadMix& mix) {
         withUnits(o, 16384, 4096);
         o.boot.completion = 0;
         mix.trims = 10;
         mix.flushes = 10;
     }},
    {"units of 8 KiB, two planes, copy-back",
     [](MockOptions& o, WorkloadMix& mix) {
         withUnits(o, 16384, 8192);
         o.boot.planes = 2;
         o.boot.ways = 1;
         o.boot.gcCopyback = 1;
         o.boot.completion = 0;
         mix.flushes = 5;
     }},
    {"protected buffer",
     [](MockOptions& o, WorkloadMix& mix) {
         o.boot.completion = 0;
         o.boot.writeCache = WRITE_CACHE_PROTECTED;
         mix.trims = 15;
         mix.reads = 10;
     }},
    {"protected buffer, few hot pages, erases on idle dies",
     [](MockOptions& o, WorkloadMix& mix) {
         o.boot.completion = 0;
         o.boot.writeCache = WRITE_CACHE_PROTECTED;
         o.boot.hostSlots = 32;
         o.boot.gcErase = GC_ERASE_WHEN_IDLE;
         mix.hot = 98;
         mix.aligned = 20;
         mix.reads = 20;
     }},
    {"parity of four dies, write-back",
     [](MockOptions& o, WorkloadMix& mix) {
         withParity(o);
         o.boot.completion = 0;
         mix.trims = 10;
         mix.flushes = 8;
     }},
    {"parity of two dies, units, rows of two planes, protected buffer",
     [](MockOptions& o, WorkloadMix& mix) {
         withParity(o);
         withProtectedSuperblocks(o);
         mix.trims = 5;
     }},
    {"protected buffer, serial writes that complete in flash",
     [](MockOptions& o, WorkloadMix&) {
         o.boot.writeCache = WRITE_CACHE_PROTECTED;
         o.boot.serialWrites = 1;
     }},
    {"protected buffer, units of 4 KiB in pages of 16 KiB",
     [](MockOptions& o, WorkloadMix& mix) {
         withUnits(o, 16384, 4096);
         o.boot.completion = 0;
         o.boot.writeCache = WRITE_CACHE_PROTECTED;
         mix.trims = 10;
     }},
    {"word lines of three pages, units of 4 KiB",
     [](MockOptions& o, WorkloadMix& mix) {
         withUnits(o, 8192, 4096);
         withWordLines(o, 3);
         o.boot.completion = 0;
         mix.trims = 10;
         mix.flushes = 10;
     }},
    {"word lines of two pages, each a unit, write-through",
     [](MockOptions& o, WorkloadMix&) {
         o.boot.pageBytes = 4096;
         o.boot.programPages = 2;
     }},
    {"rows of two planes, word lines of three pages",
     [](MockOptions& o, WorkloadMix& mix) {
         withUnits(o, 8192, 4096);
         withWordLines(o, 3);
         withRows(o, 2);
         o.boot.dieDepth = 4;
         o.boot.completion = 0;
         mix.trims = 10;
         mix.flushes = 10;
     }},
    {"superblocks of all dies, units",
     [](MockOptions& o, WorkloadMix& mix) {
         withUnits(o, 8192, 4096);
         o.boot.superblockDies = o.boot.channels * o.boot.ways * o.boot.luns;
         mix.trims = 10;
         mix.flushes = 10;
     }},
    {"superblocks of all dies: more operations of recovery than of other work",
     [](MockOptions& o, WorkloadMix&) {
         o.boot.channels = o.boot.ways = 4;
         o.boot.superblockDies = 16;
         o.boot.blocksPerPlane = 16;
         o.bufferPages = 256;
     }},
    {"superblocks of two dies, rows of two planes, copies in the buffer",
     [](MockOptions& o, WorkloadMix& mix) {
         withUnits(o, 8192, 4096);
         withRows(o, 2);
         o.boot.superblockDies = 2;
         o.boot.completion = 0;
         mix.hot = 95;
         mix.flushes = 10;
     }},
    {"a dynamic pSLC cache, rows of two planes",
     [](MockOptions& o, WorkloadMix& mix) {
         withPslcCache(o, PSLC_CACHE_MODE_DYNAMIC);
         withRows(o, 2);
         o.boot.dieDepth = 4;
         o.boot.completion = 0;
         mix.trims = 10;
         mix.flushes = 10;
     }},
    {"a reserved pSLC cache that is folded while the host is idle, superblocks of two dies",
     [](MockOptions& o, WorkloadMix& mix) {
         withPslcCache(o, PSLC_CACHE_MODE_STATIC);
         o.boot.pslcCacheFold = 1;
         o.boot.superblockDies = 2;
         o.boot.completion = 0;
         mix.flushes = 10;
     }},
    {"data refresh",
     [](MockOptions& o, WorkloadMix& mix) {
         withDataRefresh(o);
         o.boot.completion = 0;
         mix.flushes = 5;
     }},
    {"data refresh, protected buffer, few hot pages",
     [](MockOptions& o, WorkloadMix& mix) {
         withDataRefresh(o);
         o.boot.completion = 0;
         o.boot.writeCache = WRITE_CACHE_PROTECTED;
         mix.hot = 98;
         mix.reads = 60;
     }},
    {"data refresh, a dynamic pSLC cache, rows of two planes, superblocks of two dies",
     [](MockOptions& o, WorkloadMix& mix) {
         withPslcCache(o, PSLC_CACHE_MODE_DYNAMIC);
         withDataRefresh(o);
         withRows(o, 2);
         o.boot.superblockDies = 2;
         o.boot.dieDepth = 4;
         o.boot.completion = 0;
         mix.trims = 10;
         mix.flushes = 10;
     }},
    {"units, write-through", [](MockOptions& o, WorkloadMix&) { withUnits(o, 8192, 4096); }},
};

struct Life {
    std::uint64_t cuts = 0;
    std::uint64_t reverted = 0;
    std::uint64_t saves = 0;
};

// Cycles until the host has finished, each of the first `cuts` cut after up to `most` events.
Life live(const MockOptions& options, const WorkloadMix& mix, std::uint64_t commands, std::uint64_t most,
          std::uint64_t cuts = 60)
{
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.writesAreDurable = options.boot.completion == 1;
    host.isProtected = options.boot.writeCache == WRITE_CACHE_PROTECTED;
    host.random(commands, mix);
    Rng rng(options.seed, "cuts");
    Life life;
    drive.onSleep = [&drive] {
        const ftl& layer = *request_ftl();
        if (drive.sleeps() % 64 == 0 && layer.journal.live != nullptr && layer.recovery == nullptr)
            checkTables(layer);
    };
    drive.cutAfter(rng.below(most));
    while (!drive.run(strobe_firmware_entry, host)) {
        if (++life.cuts < cuts)
            drive.cutAfter(rng.below(most));
    }
    checkAtRest(*request_ftl());
    life.reverted = host.reverted();
    life.saves = drive.saves();
    return life;
}

} // namespace

TEST_CASE("whatever the instant of a power loss, no durable data is lost and no sectors are mixed up", "[power]")
{
    const WorkloadCase& row = GENERATE(from_range(std::begin(cases), std::end(cases)));
    const std::uint64_t seed = GENERATE(range<std::uint64_t>(1, test::isSanitized ? 2 : 5));
    CAPTURE(row.name, seed);
    MockOptions options = smallDrive();
    WorkloadMix mix;
    options.seed = seed;
    row.change(options, mix);
    const Life life = live(options, mix, 2500, 3000);
    CHECK(life.cuts > 3);
}

// Nothing is flushed: what a write or trim has acknowledged is found again, because firmware saves it.
TEST_CASE("a protected buffer loses nothing that was acknowledged, though nothing is flushed", "[power]")
{
    MockOptions options = smallDrive();
    options.boot.completion = 0;
    options.boot.writeCache = WRITE_CACHE_PROTECTED;
    options.seed = GENERATE(range<std::uint64_t>(1, 5));
    WorkloadMix mix;
    mix.flushes = 0;
    mix.fua = 0;
    mix.reads = 0;
    mix.trims = 10;
    const Life life = live(options, mix, 2000, 2000);
    CHECK(life.saves > 3);
}

TEST_CASE("repeated power losses during recovery lose nothing durable", "[power]")
{
    MockOptions options = smallDrive();
    options.boot.completion = 0;
    options.seed = GENERATE(range<std::uint64_t>(1, 5));
    WorkloadMix mix;
    mix.flushes = 10;
    const Life life = live(options, mix, 600, 500);
    CHECK(life.cuts > 20);
}

TEST_CASE("data that was written but not flushed may be lost in a power loss", "[power]")
{
    MockOptions options = smallDrive();
    options.boot.completion = 0;
    WorkloadMix mix;
    mix.flushes = 0;
    mix.fua = 0;
    mix.reads = 0;
    CHECK(live(options, mix, 2000, 2000).reverted > 0);
}
