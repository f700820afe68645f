// SPDX-License-Identifier: Apache-2.0
//
// The image of the tables.
#include "tests/firmware/ftl/zoned/zoned_script.h"
#include "tests/support/catch.h"

#include <utility>

using namespace strobe;
using namespace strobe::test;

TEST_CASE("zones: states and write pointers outlive a power loss; open zones are closed, those without data empty")
{
    const MockOptions options = zonedOptions();
    MockDrive drive(options);
    ZonedHost host(options);
    host.returnsAfterLosses(drive);
    host.script({write(0, 5), append(1, 40), write(2 * zoneSectors, zoneSectors), write(3 * zoneSectors, 1),
                 manage(ZonedHost::Finish, 3), manage(ZonedHost::Open, 4), manage(ZonedHost::Finish, 5), read(0, 5),
                 read(0, 5), append(1, 3), write(5, 11), read(zoneSectors, 43), read(3 * zoneSectors, 100),
                 write(3 * zoneSectors + 1, 1)});
    bool isCut = false;
    drive.onSleep = [&] {
        if (host.statuses().size() >= 8 && !std::exchange(isCut, true))
            drive.cutAfter(0);
    };
    REQUIRE_FALSE(drive.run(strobe_firmware_entry, host));
    drive.onSleep = [&] {
        if (!drive.isReady() || !std::exchange(isCut, false))
            return;
        const std::uint32_t states[] = {ZONE_CLOSED, ZONE_CLOSED, ZONE_FULL, ZONE_FULL, ZONE_EMPTY, ZONE_FULL};
        for (std::uint32_t zone = 0; zone < 6; ++zone)
            CHECK(drive.zone(zone).state == states[zone]);
        CHECK(drive.zone(0).pointer == 5);
        CHECK(drive.zone(1).pointer == 40);
    };
    REQUIRE(drive.run(strobe_firmware_entry, host));
    CHECK(host.failures() == 1);
    CHECK(host.statuses().back() == HostStatus::ZoneFull);
    CHECK(host.places().back() == 40);
}

TEST_CASE("zones: a finish that a power loss undoes may leave more active zones than the limit")
{
    MockOptions options = zonedOptions();
    options.boot.openZones = options.boot.activeZones = 1;
    options.boot.zoneErase = ZONE_ERASE_WHEN_OPENED;
    std::vector<HostCommand> script;
    for (std::uint64_t zone = 0; zone < 8; zone += 2) // so that the blocks of their group have to be erased
        script.push_back(write(zone * zoneSectors, zoneSectors));
    for (std::uint64_t zone = 0; zone < 8; zone += 2)
        script.push_back(manage(ZonedHost::Reset, zone));
    const std::vector<HostCommand> rest{write(0, 5),
                                        manage(ZonedHost::Finish, 0), // waits for the erases
                                        write(zoneSectors, 5),
                                        read(0, 5), // lost
                                        write(2 * zoneSectors, 5),
                                        manage(ZonedHost::Reset, 0),
                                        manage(ZonedHost::Reset, 1),
                                        read(0, 5),
                                        read(zoneSectors, 5),
                                        write(2 * zoneSectors, 5),
                                        read(2 * zoneSectors, zoneSectors)};
    script.insert(script.end(), rest.begin(), rest.end());
    MockDrive drive(options);
    ZonedHost host(options);
    host.returnsAfterLosses(drive);
    host.script(script, 2);
    bool isCut = false;
    drive.onSleep = [&] {
        if (host.statuses().size() == 10 && !std::exchange(isCut, true)) // all but the finish and the read
            drive.cutAfter(0);
    };
    REQUIRE_FALSE(drive.run(strobe_firmware_entry, host));
    drive.onSleep = [&] {
        if (!drive.isReady() || !std::exchange(isCut, false))
            return;
        CHECK(drive.zone(0).state == ZONE_CLOSED);
        CHECK(drive.zone(1).state == ZONE_CLOSED);
    };
    REQUIRE(drive.run(strobe_firmware_entry, host));
    REQUIRE(host.statuses().size() == 17);
    CHECK(std::vector<HostStatus>(host.statuses().begin() + 10, host.statuses().end()) ==
          std::vector<HostStatus>{HostStatus::TooManyActiveZones, ok, ok, ok, ok, ok, ok});
}
