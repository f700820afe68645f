// SPDX-License-Identifier: Apache-2.0
//
// Buffers of units when blocks fail.
#include "tests/firmware/ftl/zoned/zoned_script.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::test;

TEST_CASE("zones: blocks whose programs or erases fail cost zones, not data")
{
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        MockOptions options = zonedOptions();
        options.seed = seed;
        options.boot.zoneErase = seed % 2;
        options.boot.spareBlocks = 4;
        options.boot.blocksPerPlane = 12;
        options.boot.writeBufferPages = 24 * 4;
        options.bufferPages = 120;
        options.faults.wearOut = 50; // of 10,000 programs and erases
        MockDrive drive(options);
        ZonedHost host(options);
        host.random(800);
        INFO("seed " << seed);
        REQUIRE(drive.run(strobe_firmware_entry, host)); // every sector that is read is right
        CHECK(drive.flash().wornOut() > 0);
    }
}
