// SPDX-License-Identifier: Apache-2.0
//
// Writes and appends.
#include "tests/firmware/ftl/zoned/zoned_script.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::test;

TEST_CASE("zones: an append is written at the write pointer, and the host learns where that is")
{
    const MockOptions options = zonedOptions();
    MockDrive drive(options);
    ZonedHost host(options);
    host.script({append(1, 5), append(1, 20), write(zoneSectors + 25, 3), append(1, 100),
                 read(zoneSectors, zoneSectors), append(1, 1)});
    drive.run(strobe_firmware_entry, host);
    CHECK(host.places() == std::vector<std::uint32_t>{0, 5, 28});
    CHECK(host.statuses() == std::vector<HostStatus>{ok, ok, ok, ok, ok, HostStatus::ZoneFull});
    CHECK(drive.zone(1).state == ZONE_FULL);
    CHECK(drive.zone(0).state == ZONE_EMPTY);
}
