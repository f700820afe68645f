// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/ftl/superblock_map/small_superblocks.h"
#include "tests/firmware/support/control_memory.h"
#include "tests/support/catch.h"

#include "firmware/ftl/superblock_map/footprint.h"

using namespace strobe;
using namespace strobe::test;

namespace {

const std::vector<MemoryCase> cases{
    {"small", [](MockOptions&) {}},
    {"more blocks", [](MockOptions& o) { o.boot.blocksPerPlane = 200; }},
    {"two planes",
     [](MockOptions& o) {
         o.boot.planes = 2;
         o.boot.blocksPerPlane = 40;
     }},
    {"larger blocks", [](MockOptions& o) { o.boot.pagesPerBlock = 32; }},
    {"software units", [](MockOptions& o) { useSoftwareUnits(o); }},
    {"parking", [](MockOptions& o) { o.boot.parkingSuperblocks = 3; }},
    {"many slots of the host", [](MockOptions& o) { o.boot.hostSlots = 100; }},
    {"a limit of superblocks", [](MockOptions& o) { o.boot.superblockLimit = 20; }},
};

} // namespace

TEST_CASE("superblock mapping starts with as much control memory as its footprint, and not with much less")
{
    for (const auto& [name, change, mostUnused] : cases) {
        MockOptions options = smallSuperblocks();
        change(options);
        const std::uint32_t bytes = controlMemoryOf(options, &superblock_map_footprint);
        INFO(name << ": " << bytes << " bytes");
        CHECK(startsWithin(bytes, options));
        CHECK_FALSE(startsWithin(bytes - mostUnused, options));
    }
}
