// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/ftl/superblock_map/durable_host.h"
#include "tests/firmware/ftl/superblock_map/small_superblocks.h"
#include "tests/support/catch.h"
#include "tests/support/sanitizers.h"

#include <algorithm>
#include <iterator>

using namespace strobe;
using namespace strobe::test;

namespace {

// Lives on one drive, each cut at a random event, also during recovery; then a life without a cut.
struct Lives {
    std::uint64_t cuts = 0, flushes = 0, lost = 0;
    std::uint64_t readOnly = 0; // lives in which the drive refused writes
};

// A drive refuses writes only if so many superblocks of an area of the journal have failed that one is left.
void requireWornJournal()
{
    const journal& journal = superblock_drive.journal;
    std::int64_t left = AREA_MOST;
    for (const area* area : {&journal.log[0], &journal.table[0]}) {
        left = std::min<std::int64_t>(left, std::count(area->failed, area->failed + area->members, false));
    }
    REQUIRE(left <= 1);
}

Lives livesWithCuts(const MockOptions& options, std::uint32_t lives, bool wearsOutAll)
{
    MockDrive drive(options);
    DurableHost host(options.boot.hostSlots, options.boot.pageBytes / 512, options.seed);
    Rng rng(options.seed, "power");
    Lives result;
    for (std::uint32_t life = 0; life < lives; ++life) {
        host.next(400);
        const std::uint64_t refused = host.refused();
        // Short lives end in recovery or soon after it.
        drive.cutAfter(rng.below(rng.chance(0.4) ? 300 : 10'000));
        if (runSuperblocks(drive, host))
            drive.powerOff();
        else
            ++result.cuts;
        if (host.refused() != refused) {
            if (!wearsOutAll)
                requireWornJournal();
            ++result.readOnly;
        }
    }
    host.next(100);
    runSuperblocks(drive, host);
    result.flushes = host.flushes();
    result.lost = host.lost();
    return result;
}

struct Row {
    const char* name;
    void (*change)(MockOptions& options);
    bool wearsOutAll = false; // so the drive becomes read-only for want of any kind of block
};
const Row rows[] = {
    {"merging flush", [](MockOptions&) {}},
    {"optimised flush", [](MockOptions& o) { o.boot.parkingSuperblocks = 3; }},
    {"optimised flush, tables twice",
     [](MockOptions& o) {
         o.boot.parkingSuperblocks = 2;
         o.boot.replicateTables = 1;
     }},
    {"short logs", [](MockOptions& o) { o.boot.checkpointRecords = 3; }},
    {"small superblocks",
     [](MockOptions& o) {
         o.boot.superchipBus = o.boot.superchipChip = 1;
         o.boot.parkingSuperblocks = 8;
     }},
    {"levelling", [](MockOptions& o) { o.boot.wearThreshold = 2; }},
    {"blocks that wear out",
     [](MockOptions& o) {
         o.boot.blocksPerPlane = 40;
         o.boot.spareBlocks = 14;
         o.boot.parkingSuperblocks = 2;
         o.faults = {8, 0, 16};
     }},
    {"so many that the drive becomes read-only",
     [](MockOptions& o) {
         o.boot.parkingSuperblocks = 3;
         o.faults = {60, 0, 100};
     },
     true},
};

Lives everyRow(std::uint64_t firstSeed, std::uint64_t lastSeed)
{
    Lives all;
    for (const Row& row : rows) {
        for (std::uint64_t seed = firstSeed; seed <= lastSeed; ++seed) {
            MockOptions options = smallSuperblocks();
            options.seed = seed;
            row.change(options);
            CAPTURE(row.name, seed);
            Lives lives;
            REQUIRE_NOTHROW(lives = livesWithCuts(options, 12, row.wearsOutAll));
            all.cuts += lives.cuts;
            all.flushes += lives.flushes;
            all.lost += lives.lost;
            all.readOnly += lives.readOnly;
        }
    }
    return all;
}

} // namespace

TEST_CASE("after any loss of power flushed data is there, other sectors have an old or a new version")
{
    const unsigned lives = test::isSanitized ? 1 : 4; // of each row
    const Lives all = everyRow(1, lives);
    CHECK(all.cuts > 150 * lives / 4);
    CHECK(all.flushes > 300 * lives / 4);
    CHECK(all.lost > 0); // so a loss of durable data would be detected
    CHECK(all.readOnly > 5 * lives / 4);
}

// In this life a program of the tables fails after its first page, and the next member of the area holds all of them.
TEST_CASE("after a loss of power the tables are found behind a member whose program has failed")
{
    const Row& row = rows[std::size(rows) - 1];
    MockOptions options = smallSuperblocks();
    options.seed = 1157;
    row.change(options);
    Lives lives;
    REQUIRE_NOTHROW(lives = livesWithCuts(options, 12, row.wearsOutAll));
    CHECK(lives.readOnly > 0);
}

// test_firmware_superblock_map "[long]": about 20,000 losses of power.
TEST_CASE("the same for hours", "[.long]")
{
    const Lives all = everyRow(1000, 1250);
    CHECK(all.cuts > 15'000);
    CHECK(all.readOnly > 500);
}
