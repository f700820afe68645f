// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/ftl/page_map/small_drive.h"
#include "tests/firmware/support/control_memory.h"
#include "tests/support/catch.h"

#include "firmware/ftl/page_map/footprint.h"

using namespace strobe;
using namespace strobe::test;

namespace {

const std::vector<MemoryCase> cases{
    {"small", [](MockOptions&) {}},
    {"two planes", [](MockOptions& o) { o.boot.planes = 2; }},
    {"many planes",
     [](MockOptions& o) {
         o.boot.channels = 8;
         o.boot.ways = 8;
         o.boot.planes = 4;
     }},
    {"larger blocks", [](MockOptions& o) { o.boot.pagesPerBlock = 64; }},
    {"more blocks", [](MockOptions& o) { o.boot.blocksPerPlane = 300; }},
    {"large pages", [](MockOptions& o) { o.boot.pageBytes = 16384; }},
    {"mapping units",
     [](MockOptions& o) {
         o.boot.pageBytes = 16384;
         o.boot.mappingUnit = 4096;
     }},
    {"word lines",
     [](MockOptions& o) {
         o.boot.pageBytes = 4096;
         o.boot.programPages = 4;
         o.boot.blocksPerPlane = 48;
     },
     2560}, // alignment of pages of four
    {"rows of planes, superblocks of dies",
     [](MockOptions& o) {
         o.boot.planes = o.boot.rowPlanes = 2;
         o.boot.superblockDies = 2;
     }},
    {"many slots of the host", [](MockOptions& o) { o.boot.hostSlots = 200; }},
    {"a large buffer", [](MockOptions& o) { o.bufferPages = 2000; }},
    {"commands on a channel, one after the other",
     [](MockOptions& o) {
         o.boot.commandPlacement = COMMAND_PLACEMENT_CHANNEL;
         o.boot.serialWrites = 1;
     }},
    {"read-ahead",
     [](MockOptions& o) {
         o.boot.readAheadStreams = 8;
         o.boot.readAheadWindow = 100;
     }},
    {"hot and cold host data",
     [](MockOptions& o) {
         o.boot.hostStreams = HOST_STREAMS_HOT_COLD;
         o.boot.planes = 2;
         o.boot.programPages = 2;
         o.boot.pageBytes = 4096;
     }},
    {"data placement",
     [](MockOptions& o) {
         o.boot.superblockDies = o.boot.channels * o.boot.ways * o.boot.luns;
         o.boot.blocksPerPlane = 40;
         o.boot.placementHandles = 8;
         o.bufferPages = 256;
     }},
    {"paced collection",
     [](MockOptions& o) {
         o.boot.gcPacing = GC_PACING_FREE_SPACE;
         o.boot.planes = 4;
     }},
    {"data refresh",
     [](MockOptions& o) {
         o.boot.refreshReads = 1000;
         o.alarmsAfterHost = 0;
         o.boot.refreshAge = 1000;
     }},
    {"data refresh by scrubbing, superblocks",
     [](MockOptions& o) {
         o.boot.planes = o.boot.rowPlanes = 2;
         o.boot.superblockDies = 2;
         o.boot.refreshReads = 1000;
         o.alarmsAfterHost = 0;
         o.boot.scrubInterval = 1'000'000;
     }},
    {"parity",
     [](MockOptions& o) {
         withParity(o);
         withUnits(o, 8192, 4096);
         withRows(o, 2);
         o.boot.dieDepth = 4;
         o.bufferPages = 256;
         o.alarmsAfterHost = 0;
     }},
    {"bad block scan", [](MockOptions& o) { o.badBlockTable = false; }},
    {"recovery", [](MockOptions& o) { o.boot.recover = 1; }, 3584}, // what recovery has released is used again
    {"given capacity", [](MockOptions& o) { o.boot.capacityLo = 900; }},
};

} // namespace

TEST_CASE("page mapping starts with as much control memory as its footprint, and not with much less")
{
    for (const auto& [name, change, mostUnused] : cases) {
        MockOptions options = smallDrive();
        change(options);
        const std::uint32_t bytes = controlMemoryOf(options, &page_map_footprint);
        INFO(name << ": " << bytes << " bytes");
        CHECK(startsWithin(bytes, options));
        CHECK_FALSE(startsWithin(bytes - mostUnused, options));
    }
}
