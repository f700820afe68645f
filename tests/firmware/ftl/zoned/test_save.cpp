// SPDX-License-Identifier: Apache-2.0
//
// What is written when the supply fails.
#include "tests/firmware/ftl/zoned/zoned_script.h"
#include "tests/support/catch.h"

#include <optional>

using namespace strobe;
using namespace strobe::test;

namespace {

std::uint64_t programsOfSave(std::uint32_t sectors, MockFaults faults = {})
{
    MockOptions options = zonedOptions();
    options.faults = faults;
    MockDrive drive(options);
    ZonedHost host(options);
    host.returnsAfterLosses(drive);
    std::vector<HostCommand> script(10, read(0, 1));
    script.insert(script.begin(), write(0, sectors));
    host.script(script);
    std::optional<std::uint64_t> before;
    drive.onSleep = [&] {
        if (host.statuses().size() < 3 || before || !flash_is_idle(&zoned_instance()->flash))
            return;
        before = drive.flash().counters().programs;
        drive.cutAfter(0);
    };
    REQUIRE_FALSE(drive.run(strobe_firmware_entry, host));
    CHECK(drive.saves() == 1);
    return drive.flash().counters().programs - before.value();
}

} // namespace

TEST_CASE("zones: a save writes the tables, and of the data what is not in the flash")
{
    const std::uint64_t tables = programsOfSave(2 * unitSectors);
    CHECK(tables > 0);
    CHECK(programsOfSave(unitSectors - 1) == tables + 4); // a unit: two pages in each plane of its die
    CHECK(programsOfSave(unitSectors + 1) == tables + 4);
}
