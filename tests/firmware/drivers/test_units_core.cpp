// SPDX-License-Identifier: Apache-2.0
//
// The driver of flash units in two halves: core 0 prepares descriptors, core 1 has the units.
#include "tests/firmware/drivers/units_headers.h"
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

#include <tuple>

using namespace strobe::test;

namespace {

using Writes = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
using Ended = std::tuple<std::uint32_t, flash_status, std::uint32_t>; // slot, status, chip
std::vector<Ended> ended;

struct TwoHalves {
    FakeHal hal;
    boot_block boot{};
    arena memory{};
    units front{};
    peer host{}; // as core 1 sees it
    std::uint32_t ring = 0, events = 0;

    TwoHalves()
    {
        ended.clear();
        boot.cores = 2;
        boot.channels = boot.ways = boot.luns = 1;
        boot.units = 2;
        boot.foreground_unit = 2;
        boot.memory_base = FakeHal::base;
        boot.memory_size = FakeHal::size;
        memory = peer_arena(&boot);
        hal.onWait = [this] { // core 1 starts when core 0 waits for it
            hal.onWait = {};
            arena own{};
            peer_await(&host, &boot, &own);
            flash_core_init(&boot, &own, &host);
            peer_ready(&host, &own);
        };
        const units_client client{[](void*, std::uint32_t slot, units_result result) {
                                      ended.emplace_back(slot, result.status, result.chip);
                                  },
                                  nullptr, nullptr};
        units_init(&front, &memory, &boot, 4, client);
        for (const auto& [address, value] : hal.writes)
            ring = address == FLASH_RING_BASE ? value : ring;
        hal.writes.clear();
    }
    TwoHalves(const TwoHalves&) = delete;
    TwoHalves& operator=(const TwoHalves&) = delete;
    std::uint32_t descriptor(std::uint32_t slot) const
    {
        return front.descriptors_at + slot * static_cast<std::uint32_t>(sizeof(flash_descriptor));
    }
    // The hardware has ended an operation.
    void end(std::uint32_t slot, std::uint32_t status)
    {
        std::uint32_t* entry = hal.words(ring + RING_ENTRY_BYTES * events++);
        entry[2] = slot;
        entry[0] = status | RING_PHASE;
    }
};

} // namespace

TEST_CASE("units of another core: core 1 gives slots to the unit that core 0 has chosen")
{
    TwoHalves halves;
    units_prepare(&halves.front, 3, FLASH_PROGRAM, 0, FLASH_FOR_HOST);
    units_submit(&halves.front, 3, 1);
    units_submit_foreground(&halves.front, 2);
    CHECK(halves.hal.writes.empty()); // the units are not core 0's
    CHECK(flash_core_serve());
    CHECK(halves.hal.writes == Writes{{FLASH_UNIT_HEAD + FLASH_UNIT_HEAD_STEP, halves.descriptor(3)},
                                      {FLASH_UNIT_HEAD + 2 * FLASH_UNIT_HEAD_STEP, halves.descriptor(2)}});
    CHECK_FALSE(flash_core_serve());
    CHECK(units_poll(&halves.front) == 0);
}

TEST_CASE("units of another core: results reach core 0 with their status and the chip that failed")
{
    TwoHalves halves;
    units_prepare(&halves.front, 3, FLASH_PROGRAM, 0, FLASH_FOR_HOST);
    units_submit(&halves.front, 3, 1);
    units_submit(&halves.front, 0, 1);
    flash_core_serve();
    halves.end(3, FLASH_PROGRAM_FAILED | 5u << FLASH_EVENT_STATUS_CHIP_SHIFT);
    halves.end(0, FLASH_OK);
    CHECK(flash_core_serve());
    CHECK(ended.empty());
    CHECK(units_poll(&halves.front) == 2);
    CHECK(ended == std::vector<Ended>{{3, FLASH_PROGRAM_FAILED, 5}, {0, FLASH_OK, 0}});
}

TEST_CASE("units of another core: what the hardware refuses stops core 1 with the place")
{
    TwoHalves halves;
    units_prepare(&halves.front, 3, FLASH_PROGRAM, 9, FLASH_FOR_HOST);
    units_submit(&halves.front, 3, 1);
    flash_core_serve();
    halves.end(3, FLASH_ILLEGAL);
    CHECK_THROWS_WITH(flash_core_serve(), Catch::Matchers::Contains("superchip opcode 2 at superchip 9"));
}
