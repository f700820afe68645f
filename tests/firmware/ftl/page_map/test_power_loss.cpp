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

TEST_CASE("after an orderly power-off the planes go on with their open, free and spare blocks", "[power]")
{
    struct State {
        std::uint32_t free, spares;
        std::array<std::uint32_t, STREAMS> open, taken;
    };
    const auto stateOf = [](const ftl& layer, MockDrive& drive, std::uint32_t number) {
        const plane& p = layer.blocks.plane[number];
        State state{p.free, p.spares, {}, {}};
        // Taken for tables, but not begun: free again.
        for (std::uint32_t block = 0; block < layer.geometry.blocks; ++block) {
            const std::uint32_t perDie = layer.geometry.blocks_per_group;
            const bool isBegun = drive.flash().die(block / perDie).block(block % perDie).nextPage != 0;
            const struct block& b = layer.blocks.block[block];
            state.free += b.plane == number && b.state == BLOCK_TABLES && !isBegun ? 1U : 0U;
        }
        for (std::uint32_t stream = 0; stream < STREAMS; ++stream) {
            state.open[stream] = p.open[stream];
            state.taken[stream] = p.open[stream] == NONE ? 0U : layer.blocks.block[p.open[stream]].taken;
        }
        return state;
    };
    MockOptions options = smallDrive();
    options.seed = GENERATE(range<std::uint64_t>(1, 5));
    options.boot.planes = GENERATE(1U, 2U);
    options.boot.ways = 2 / options.boot.planes;
    options.boot.blocksPerPlane = 24;
    options.boot.spareBlocks = 4;
    CAPTURE(options.seed, options.boot.planes);
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.writesAreDurable = true;
    host.random(2500, {});
    REQUIRE(drive.run(strobe_firmware_entry, host));
    std::vector<State> before;
    for (std::uint32_t plane = 0; plane < request_ftl()->geometry.planes; ++plane)
        before.push_back(stateOf(*request_ftl(), drive, plane));
    const std::uint64_t erases = drive.flash().counters().erases;

    drive.switchOff();
    std::uint32_t open = 0;
    bool isSeen = false;
    drive.onSleep = [&] {
        if (isSeen || !drive.isReady())
            return;
        isSeen = true;
        CHECK(drive.flash().counters().erases == erases);
        for (std::uint32_t plane = 0; plane < before.size(); ++plane) {
            INFO("plane " << plane);
            CHECK(before[plane].free != 0);
            const State now = stateOf(*request_ftl(), drive, plane);
            const State& then = before[plane];
            CHECK(now.free == then.free);
            CHECK(now.spares == then.spares);
            CHECK(now.open == then.open);
            CHECK(now.taken == then.taken);
            open += before[plane].open[STREAM_HOST] != NONE ? 1U : 0U;
        }
        checkTables(*request_ftl());
    };
    HostModel again = hostOf(options);
    again.verifiesAtEnd = false;
    again.writesAreDurable = true;
    again.script(std::vector<HostCommand>(400, HostCommand{HostCommand::Write, false, 0, 8})); // into the open blocks
    CHECK(drive.run(strobe_firmware_entry, again));
    CHECK(isSeen);
    CHECK(open != 0);
    checkAtRest(*request_ftl());
}

// Collection has taken the last free block of a plane, and power is switched off while no program and no erase is in
// progress: as at the end of functional preconditioning, where time stands still. What is moved then has to fit into
// the open block, whatever the policy.
TEST_CASE("after an orderly power-off a plane without a free block goes on with its collection", "[power]")
{
    MockOptions options = smallDrive();
    options.seed = GENERATE(range<std::uint64_t>(1, 9));
    options.boot.gcPolicy = GENERATE(0U, 1U);
    CAPTURE(options.seed, options.boot.gcPolicy);
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.writesAreDurable = true;
    host.random(4000, {});
    const auto pagesOf = [&drive](std::uint32_t block) { // programmed
        const std::uint32_t perDie = request_ftl()->geometry.blocks_per_group;
        return drive.flash().die(block / perDie).block(block % perDie).nextPage;
    };
    const auto isCollectedWithoutFreeBlock = [&pagesOf](std::uint32_t number) {
        const block_table& table = request_ftl()->blocks;
        const plane& p = table.plane[number];
        for (std::uint32_t block = 0; block < table.geometry.blocks; ++block) {
            const struct block& b = table.block[block];
            if (b.plane == number && b.state != BLOCK_BAD && pagesOf(block) == 0)
                return false; // taken, but not begun: free again
        }
        return p.free == 0 && p.open[STREAM_MOVE] != NONE &&
               request_ftl()->collection.planes[number].phase == COLLECT_MOVING;
    };
    const auto hasChanges = [&drive] {
        for (std::uint32_t die = 0; die < request_ftl()->geometry.dies; ++die) {
            const nand::Die::Running* running = drive.flash().die(die).running(drive.now());
            if (running != nullptr && running->opcode != nand::Opcode::Read)
                return true;
        }
        return false;
    };
    struct Plane { // that was being collected
        std::uint32_t number;
        std::uint32_t taken; // pages of the open block
    };
    std::vector<Plane> planes;
    drive.onSleep = [&] {
        if (!planes.empty() || !drive.isReady() || hasChanges())
            return;
        for (std::uint32_t number = 0; number < request_ftl()->geometry.planes; ++number) {
            if (!isCollectedWithoutFreeBlock(number))
                continue;
            const std::uint32_t open = request_ftl()->blocks.plane[number].open[STREAM_MOVE];
            planes.push_back({number, pagesOf(open)});
        }
        if (!planes.empty())
            drive.cutAfter(0);
    };
    REQUIRE_FALSE(drive.run(strobe_firmware_entry, host));
    REQUIRE_FALSE(planes.empty());

    drive.switchOff();
    const std::uint64_t erases = drive.flash().counters().erases;
    bool isSeen = false;
    drive.onSleep = [&] {
        if (isSeen || !drive.isReady())
            return;
        isSeen = true;
        CHECK(drive.flash().counters().erases == erases);
        for (const auto& [number, taken] : planes) {
            INFO("plane " << number);
            const block_table& table = request_ftl()->blocks;
            const collector& collector = request_ftl()->collection.planes[number];
            CHECK(table.plane[number].free == 0);
            CHECK((collector.phase == COLLECT_MOVING || collector.phase == COLLECT_ERASING));
            REQUIRE(collector.victim != NONE);
            CHECK(table.block[collector.victim].valid + taken <= table.geometry.pages_per_block);
            for (std::uint32_t block = 0; block < table.geometry.blocks; ++block) {
                const struct block& b = table.block[block];
                CHECK((b.plane != number || b.state != BLOCK_FULL || b.valid >= table.block[collector.victim].valid));
            }
        }
        checkTables(*request_ftl());
    };
    REQUIRE(drive.run(strobe_firmware_entry, host)); // reads everything back
    CHECK(isSeen);
    checkAtRest(*request_ftl());
}

TEST_CASE("a block that fails during recovery costs a spare, and the drive works", "[power]")
{
    const std::uint64_t seed = GENERATE(range<std::uint64_t>(1, 9));
    CAPTURE(seed);
    MockOptions options = smallDrive();
    options.seed = seed;
    options.boot.blocksPerPlane = 24;
    options.boot.spareBlocks = 3;
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.writesAreDurable = true;
    host.random(1500, {});
    drive.cutAfter(4000);
    REQUIRE_FALSE(drive.run(strobe_firmware_entry, host));
    drive.flash().faults() = {seed % 2 == 0 ? 10000u : 3000u, 0, 2};
    CHECK(drive.run(strobe_firmware_entry, host));
    CHECK(drive.flash().wornOut() == 2);
    CHECK_FALSE(request_ftl()->read_only);
    checkAtRest(*request_ftl());
}

// Checkpoints list them beside the blocks that failed in use, which spares have replaced.
TEST_CASE("factory bad blocks cost no spare when power returns", "[power]")
{
    const bool isOrderly = GENERATE(false, true);
    const bool hasTable = GENERATE(false, true);
    CAPTURE(isOrderly, hasTable);
    MockOptions options = smallDrive();
    options.boot.blocksPerPlane = 24;
    options.boot.spareBlocks = 3;
    options.boot.checkpointPages = 64;
    options.badBlocks = 3;
    options.badBlockTable = hasTable;
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.writesAreDurable = true;
    host.random(800, {});
    REQUIRE(drive.run(strobe_firmware_entry, host));
    REQUIRE(request_ftl()->checkpoint.number > 2);
    isOrderly ? drive.switchOff() : drive.powerOff();
    HostModel again = hostOf(options);
    again.writesAreDurable = true;
    again.verifiesAtEnd = false;
    again.script({{HostCommand::Write, false, 0, 4}});
    REQUIRE(drive.run(strobe_firmware_entry, again));
    for (std::uint32_t number = 0; number < request_ftl()->geometry.planes; ++number) {
        const plane& p = request_ftl()->blocks.plane[number];
        CHECK(p.spares + p.owed == 3);
    }
}
