// SPDX-License-Identifier: Apache-2.0
//
// Functional preconditioning: pages of host data that are programmed past the buffer.
#include "tests/firmware/ftl/page_map/small_drive.h"
#include "tests/firmware/support/workload_case.h"
#include "tests/support/catch.h"
#include "tests/support/sanitizers.h"

using namespace strobe;
using namespace strobe::test;

namespace {

// The first third of the flash, in writes of three pages.
std::vector<HostCommand> filling(const MockOptions& options)
{
    const cpu::BootBlock& boot = options.boot;
    const std::uint32_t perPage = boot.pageBytes / 512;
    const std::uint32_t pages =
        boot.channels * boot.ways * boot.luns * boot.planes * boot.blocksPerPlane * boot.pagesPerBlock / 3;
    std::vector<HostCommand> writes;
    for (std::uint32_t page = 0; page + 3 <= pages; page += 3)
        writes.push_back({HostCommand::Write, false, std::uint64_t{page} * perPage, 3 * perPage});
    return writes;
}

// Where no time passes, writes of at least a page of the flash go past the buffer (page_fill.h).
const WorkloadCase pastTheBuffer[] = {
    {"pages", [](MockOptions&, WorkloadMix&) {}},
    {"units, trims, flushes",
     [](MockOptions& o, WorkloadMix& mix) {
         withUnits(o, 16384, 4096);
         mix.trims = 10;
         mix.flushes = 5;
     }},
    {"rows of two planes, units in word lines of three pages, superblocks of two dies",
     [](MockOptions& o, WorkloadMix&) {
         withUnits(o, 8192, 4096);
         withWordLines(o, 3);
         withRows(o, 2);
         o.boot.superblockDies = 2;
         o.boot.dieDepth = 4;
     }},
    {"units of 8 KiB, blocks that wear out, background collection",
     [](MockOptions& o, WorkloadMix&) {
         withUnits(o, 16384, 8192);
         withWornBlocks(o, 24, {30, 0, 8});
         o.boot.gcIdleBlocks = 6;
     }},
    {"read-ahead, factory bad blocks",
     [](MockOptions& o, WorkloadMix& mix) {
         o.boot.blocksPerPlane = 16;
         o.badBlocks = 3;
         o.boot.readAheadStreams = 3;
         o.boot.readAheadWindow = 3;
         mix.reads = 40;
     }},
};

} // namespace

TEST_CASE("where no time passes the same holds for pages that are programmed past the buffer")
{
    for (const WorkloadCase& row : pastTheBuffer) {
        for (std::uint64_t seed = 1; seed <= (isSanitized ? 1U : 3U); ++seed) {
            MockOptions options = smallDrive();
            WorkloadMix mix{20, 0, 0, 5, 90, 0};
            options.seed = seed;
            options.stores = true;
            options.boot.overprovisionPermille = 600;
            options.boot.hostSlots = 16;
            options.boot.completion = static_cast<std::uint32_t>(seed % 2);
            row.change(options, mix);
            CAPTURE(row.name, seed);
            HostModel host = hostOf(options);
            const std::vector<HostCommand> fill = filling(options);
            host.script(fill);
            host.atOnce();
            host.random(1000, mix);
            MockDrive drive(options);
            checkRun(drive, host, 1000 + fill.size());
            CHECK(drive.flash().stored() * options.boot.programPages > fill.size()); // of three pages each
        }
    }
}
