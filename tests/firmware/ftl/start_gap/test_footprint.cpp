// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/control_memory.h"
#include "tests/support/catch.h"

#include "firmware/ftl/start_gap/footprint.h"

using namespace strobe;
using namespace strobe::test;

namespace {

MockOptions smallMemory()
{
    MockOptions options;
    cpu::BootBlock& boot = options.boot;
    boot.channels = 2;
    boot.ways = boot.luns = boot.planes = 1;
    boot.blocksPerPlane = 4;
    boot.pagesPerBlock = 4;
    boot.pageBytes = 2048;
    boot.units = 2;
    boot.unitDepth = 1;
    boot.hostSlots = 8;
    boot.allocationOrder = 0x3210;
    boot.startGapInterval = 10;
    options.overwritable = true;
    options.bufferPages = 16;
    return options;
}

const std::vector<MemoryCase> cases{
    {"small", [](MockOptions&) {}, 1024},
    {"more lines", [](MockOptions& o) { o.boot.blocksPerPlane = 400; }, 1024},
    {"as many pieces as there may be", [](MockOptions& o) { o.bufferPages = 200; }, 1024},
    {"many slots of the host", [](MockOptions& o) { o.boot.hostSlots = 100; }, 1024},
};

} // namespace

TEST_CASE("Start-Gap starts with as much control memory as its footprint, and not with much less")
{
    for (const auto& [name, change, mostUnused] : cases) {
        MockOptions options = smallMemory();
        change(options);
        const std::uint32_t bytes = controlMemoryOf(options, &start_gap_footprint);
        INFO(name << ": " << bytes << " bytes");
        CHECK(startsWithin(bytes, options));
        CHECK_FALSE(startsWithin(bytes - mostUnused, options));
    }
}
