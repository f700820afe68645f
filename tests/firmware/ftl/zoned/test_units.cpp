// SPDX-License-Identifier: Apache-2.0
//
// Buffers of units when blocks fail, and when there are too few of them.
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

TEST_CASE("zones: zones that have failed may hold all buffers while writes of others wait")
{
    std::uint64_t failures = 0;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        MockOptions options = zonedOptions();
        options.seed = seed;
        options.boot.zoneErase = seed % 2;
        options.boot.blocksPerPlane = 24;
        options.faults.wearOut = 400; // of 10,000 programs and erases
        MockDrive drive(options);
        ZonedHost host(options);
        host.random(600);
        INFO("seed " << seed);
        REQUIRE(drive.run(strobe_firmware_entry, host));
        failures += host.failures();
    }
    CHECK(failures > 8);
}

TEST_CASE(
    "zones: when zones have failed, writes that no buffer is left for fail, and what was acknowledged can be read")
{
    std::uint64_t failures = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        MockOptions options = zonedOptions();
        options.seed = seed;
        options.boot.zoneErase = seed % 2;
        options.boot.blocksPerPlane = 12;
        options.faults.wearOut = 300; // of 10,000 programs and erases
        std::vector<HostCommand> script;
        for (std::uint64_t zone = 0; zone < 8; ++zone) {
            for (std::uint64_t sector = 0; sector < zoneSectors; sector += 64)
                script.push_back(write(zone * zoneSectors + sector, 64));
            script.push_back(manage(seed % 3 == 0 ? ZonedHost::Reset : ZonedHost::Finish, zone / 2));
        }
        for (std::uint64_t zone = 0; zone < 8; ++zone)
            script.push_back(read(zone * zoneSectors, zoneSectors));
        MockDrive drive(options);
        ZonedHost host(options);
        host.script(script);
        INFO("seed " << seed);
        REQUIRE(drive.run(strobe_firmware_entry, host)); // every sector that is read is right
        CHECK(host.statuses().size() == script.size());
        failures += host.failures();
    }
    CHECK(failures > 12);
}
