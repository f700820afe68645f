// SPDX-License-Identifier: Apache-2.0
//
// Slots of the driver of flash units in hardware, on one core; software units and both on the controller's model:
// test_software_units.cpp, with two cores: test_peer.cpp and tests/firmware/ftl/superblock_map.
#include "tests/firmware/drivers/units_headers.h"
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

#include <vector>

using namespace strobe::test;

namespace {

struct Ended {
    std::uint32_t slot;
    flash_status status;
    std::uint32_t chip;
};
std::vector<Ended> ended;

struct Bench {
    FakeHal hal;
    boot_block boot{};
    units driver{};
    std::uint32_t events = 0;

    Bench()
    {
        ended.clear();
        boot.cores = 1;
        boot.foreground_unit = 7;
        const units_client client{[](void*, std::uint32_t slot, units_result result) {
                                      ended.push_back({slot, result.status, result.chip});
                                  },
                                  nullptr, nullptr};
        units_init(&driver, &hal.arena, &boot, 4, client);
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;
    void put(std::uint32_t slot, std::uint32_t status)
    {
        auto* entry = const_cast<std::uint32_t*>(&driver.ring.entries[4 * events++]);
        entry[2] = slot;
        entry[0] = RING_PHASE | status;
    }
};

} // namespace

TEST_CASE("units: a slot's descriptor is cleared, and says what every operation needs")
{
    Bench b;
    b.driver.descriptors[2].blocks = 99;
    const flash_descriptor* d = units_prepare(&b.driver, 2, FLASH_ERASE, 5, FLASH_FOR_COLLECTION);
    CHECK(d == &b.driver.descriptors[2]);
    CHECK(d->control == (FLASH_ERASE | FLASH_FOR_COLLECTION << FLASH_DESCRIPTOR_CONTROL_PURPOSE_SHIFT |
                         FLASH_DESCRIPTOR_CONTROL_REPORT_MASK));
    CHECK(d->superchip == 5);
    CHECK(d->cookie == 2);
    CHECK(d->blocks == 0);
}

TEST_CASE("units: a slot is handed to its unit, or to the foreground unit of the boot block")
{
    Bench b;
    b.hal.writes.clear();
    units_submit(&b.driver, 1, 3);
    units_submit_foreground(&b.driver, 2);
    const std::uint32_t bytes = sizeof(flash_descriptor);
    CHECK(b.hal.writes ==
          decltype(b.hal.writes){{FLASH_UNIT_HEAD + 3 * FLASH_UNIT_HEAD_STEP, b.driver.descriptors_at + bytes},
                                 {FLASH_UNIT_HEAD + 7 * FLASH_UNIT_HEAD_STEP, b.driver.descriptors_at + 2 * bytes}});
}

TEST_CASE("units: the end of an operation has its status and the chip that failed, and events are given back once")
{
    Bench b;
    CHECK(units_poll(&b.driver) == 0);
    b.put(3, FLASH_OK);
    b.put(0, FLASH_PROGRAM_FAILED | 5u << FLASH_EVENT_STATUS_CHIP_SHIFT);
    b.hal.writes.clear();
    CHECK(units_poll(&b.driver) == 2);
    CHECK(b.driver.ended == 2);
    REQUIRE(ended.size() == 2);
    CHECK(ended[0].slot == 3);
    CHECK(ended[0].status == FLASH_OK);
    CHECK(ended[1].slot == 0);
    CHECK(ended[1].status == FLASH_PROGRAM_FAILED);
    CHECK(ended[1].chip == 5);
    CHECK(b.hal.writes == decltype(b.hal.writes){{FLASH_RING_CONSUMER, 2}});
    CHECK(units_poll(&b.driver) == 0);
    CHECK(b.driver.ended == 0);
    CHECK(b.hal.writes.size() == 1);
}

TEST_CASE("units: an operation that the hardware refuses is a bug of the firmware")
{
    for (const flash_status status : {FLASH_ILLEGAL, FLASH_MALFORMED}) {
        Bench b;
        units_prepare(&b.driver, 1, FLASH_PROGRAM, 2, FLASH_FOR_HOST);
        b.put(1, static_cast<std::uint32_t>(status));
        CHECK_THROWS_WITH(units_poll(&b.driver), Catch::Matchers::Contains("superchip opcode 2"));
        CHECK(ended.empty());
    }
}
