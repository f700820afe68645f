// SPDX-License-Identifier: Apache-2.0
//
// Resetting and finishing zones.
#include "tests/firmware/ftl/zoned/zoned_script.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::test;

TEST_CASE("zones: a zone that was reset reads as zeros, and takes data again")
{
    for (const std::uint32_t erase : {ZONE_ERASE_AT_RESET, ZONE_ERASE_WHEN_OPENED}) {
        MockOptions options = zonedOptions();
        options.boot.zoneErase = erase;
        std::vector<HostCommand> script;
        for (int round = 0; round < 6; ++round) {
            script.push_back(write(0, 100));
            script.push_back(manage(ZonedHost::Reset, 0));
            script.push_back(read(0, zoneSectors));
        }
        script.push_back(write(0, zoneSectors));
        script.push_back(read(0, zoneSectors));
        for (const HostStatus status : statusesOf(options, script))
            CHECK(status == ok);
    }
}

TEST_CASE("zones: a reset erases the blocks that hold data, and no others")
{
    struct Case {
        std::uint32_t sectors, erases;
    };
    for (const auto& [sectors, erases] :
         {Case{1, 0}, {unitSectors - 1, 0}, {unitSectors, 2}, {2 * unitSectors, 4}, {zoneSectors, 4}}) {
        const MockOptions options = zonedOptions();
        MockDrive drive(options);
        ZonedHost host(options);
        host.script({write(0, sectors), manage(ZonedHost::Reset, 0), read(0, 8)});
        drive.run(strobe_firmware_entry, host);
        INFO(sectors << " sectors");
        CHECK(drive.flash().counters().erases == erases);
    }
}

TEST_CASE("zones: finish programs the rest of a zone with data, and nothing of an empty one")
{
    struct Case {
        std::uint32_t sectors, programs;
    };
    for (const auto& [sectors, programs] : {Case{0, 0}, {1, 16}, {unitSectors + 3, 16}, {zoneSectors - 1, 16}}) {
        const MockOptions options = zonedOptions();
        MockDrive drive(options);
        ZonedHost host(options);
        std::vector<HostCommand> script{manage(ZonedHost::Finish, 0), write(0, 1), read(0, zoneSectors),
                                        manage(ZonedHost::Reset, 0),  write(0, 1), read(0, zoneSectors)};
        if (sectors != 0)
            script.insert(script.begin(), write(0, sectors));
        host.script(script);
        drive.run(strobe_firmware_entry, host);
        INFO(sectors << " sectors");
        CHECK(host.statuses()[sectors != 0 ? 2 : 1] == HostStatus::ZoneFull);
        CHECK(host.failures() == 1);
        CHECK(drive.flash().programOrder.size() == programs);
    }
}

TEST_CASE("zones: one command resets all zones")
{
    const std::vector<HostCommand> script{write(0, 50),
                                          write(3 * zoneSectors, zoneSectors),
                                          manage(ZonedHost::Open, 2),
                                          {ZonedHost::Reset, false, 0, 0},
                                          read(0, zoneSectors),
                                          read(3 * zoneSectors, zoneSectors),
                                          write(0, 1),
                                          write(3 * zoneSectors, 1),
                                          write(2 * zoneSectors, 1)};
    for (const HostStatus status : statusesOf(zonedOptions(), script))
        CHECK(status == ok);
}
