// SPDX-License-Identifier: Apache-2.0
//
// The hand-over of a list to a unit, and the message about one that the hardware has refused.
#include "tests/firmware/drivers/units_headers.h"
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

using namespace strobe::test;

TEST_CASE("unit lists: the head of a list goes into the register of its unit")
{
    FakeHal hal;
    unit_list_start(2, 0x1240);
    CHECK(hal.writes == decltype(hal.writes){{FLASH_UNIT_HEAD + 2 * FLASH_UNIT_HEAD_STEP, 0x1240}});
}

TEST_CASE("unit lists: a refused descriptor is named with its operation and place")
{
    const FakeHal hal;
    flash_descriptor d{};
    d.control = FLASH_PROGRAM | FLASH_DESCRIPTOR_CONTROL_REPORT_MASK;
    d.superchip = 3;
    d.start_sector = 40;
    d.sectors = 8;
    CHECK_THROWS_WITH(unit_list_refuse(&d, FLASH_ILLEGAL),
                      "a die rejected superchip opcode 2 at superchip 3 sector 40 sectors 8");
    CHECK_THROWS_WITH(unit_list_refuse(&d, FLASH_MALFORMED),
                      "malformed descriptor, superchip opcode 2 at superchip 3 sector 40 sectors 8");
}
