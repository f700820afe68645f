// SPDX-License-Identifier: Apache-2.0
//
// The layer of zones on a mock drive: capacity, commands that are refused, and random traffic.
#include "tests/firmware/ftl/zoned/zoned_script.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::test;

TEST_CASE("zones: the capacity is that of all zones, 4 in each of 2 groups of dies")
{
    const MockOptions options = zonedOptions();
    MockDrive drive(options);
    ZonedHost host(options);
    host.script({read(0, 1)});
    drive.run(strobe_firmware_entry, host);
    CHECK(host.capacity() == 8 * zoneSectors);
    CHECK(drive.zones().sectors == zoneSectors);
    CHECK(drive.zones().capacity == zoneSectors);
    CHECK(drive.zones().open == 3);
    CHECK(drive.zones().active == 4);
}

TEST_CASE("zones: commands that the specification refuses get its status, and the data stays")
{
    const std::vector<HostCommand> script{
        write(0, 10),
        write(12, 1),                     // not at the pointer
        write(10, zoneSectors),           // beyond the zone
        append(0, zoneSectors - 9),       // the same
        read(100, 40),                    // across the border
        read(8 * zoneSectors, 1),         // beyond the drive
        {HostCommand::Trim, false, 0, 8}, // zones are reset
        manage(ZonedHost::Close, 3),      // it is empty
        manage(ZonedHost::Open, 1),
        manage(ZonedHost::Open, 2),
        manage(ZonedHost::Open, 3), // closes zone 0
        write(4 * zoneSectors, 1),
        write(10, 1),
        manage(ZonedHost::Close, 3),
        manage(ZonedHost::Close, 2),
        write(10, 1),
        read(0, zoneSectors),
    };
    CHECK(statusesOf(zonedOptions(), script) ==
          std::vector<HostStatus>{ok, HostStatus::ZoneInvalidWrite, HostStatus::ZoneBoundary, HostStatus::ZoneBoundary,
                                  HostStatus::ZoneBoundary, HostStatus::OutOfRange, HostStatus::NotSupported,
                                  HostStatus::InvalidZoneTransition, ok, ok, ok, HostStatus::TooManyActiveZones,
                                  HostStatus::TooManyOpenZones, ok, ok, ok, ok});
}

TEST_CASE("zones: random commands to all zones at the same time")
{
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        MockOptions options = zonedOptions();
        options.seed = seed;
        options.boot.zoneErase = seed % 2;
        options.boot.zoneDies = seed % 3 == 0 ? 1 : seed % 3 == 1 ? 2 : 4;
        const std::uint32_t size = zoneSectors / 2 * options.boot.zoneDies;
        MockDrive drive(options);
        ZonedHost host(options, size);
        host.random(1500);
        INFO("seed " << seed);
        REQUIRE(drive.run(strobe_firmware_entry, host));
        CHECK(host.failures() == 0);
        CHECK(host.completedOf(ZonedHost::Reset) > 10);
        CHECK(host.completedOf(ZonedHost::Finish) > 0);
    }
}
