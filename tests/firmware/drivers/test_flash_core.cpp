// SPDX-License-Identifier: Apache-2.0
//
// The flash driver in two halves: core 0 fills in descriptors, core 1 has the units.
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

using namespace strobe::test;

namespace {

using Writes = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

boot_block bootOfTwoCores()
{
    boot_block boot{};
    boot.cores = 2;
    boot.channels = 2;
    boot.ways = boot.luns = 1;
    boot.units = 2;
    boot.unit_depth = 1;
    boot.memory_base = FakeHal::base;
    boot.memory_size = FakeHal::size;
    return boot;
}

std::vector<std::pair<std::uint32_t, flash_status>> ended;

// Core 0 with the front half of the driver, core 1 as the image runs it.
struct TwoHalves {
    FakeHal hal;
    boot_block boot = bootOfTwoCores();
    arena memory{};
    flash front{};
    peer host{}; // as core 1 sees it

    TwoHalves()
    {
        ended.clear();
        memory = peer_arena(&boot);
        hal.onWait = [this] {
            hal.onWait = {};
            arena own{};
            peer_await(&host, &boot, &own);
            flash_core_init(&boot, &own, &host);
            peer_ready(&host, &own);
        };
        flash_init_on_first_core(&front, &boot, &memory, 2, 32, nullptr,
                                 [](void*, std::uint32_t op, flash_status status) { ended.emplace_back(op, status); });
        for (const auto& [address, value] : hal.writes)
            ring = address == FLASH_RING_BASE ? value : ring;
        hal.writes.clear();
    }
    // The hardware has ended an operation.
    void end(std::uint32_t op, std::uint32_t status)
    {
        std::uint32_t* entry = hal.words(ring + 16 * events++);
        entry[2] = op;
        entry[0] = status | RING_PHASE;
    }
    std::uint32_t ring = 0;
    std::uint32_t events = 0;
};

} // namespace

TEST_CASE("core 0 fills in descriptors, core 1 starts the units and sends back the status of operations")
{
    TwoHalves halves;
    flash_read(&halves.front, 3, {1, 7, 2, false}, 3, 0x80000, FLASH_FOR_HOST);
    flash_erase(&halves.front, 4, {1, 9, 0, false}, FLASH_FOR_COLLECTION);
    CHECK(halves.hal.writes.empty()); // the units are not core 0's
    CHECK_FALSE(flash_die_is_idle(&halves.front, 1));
    CHECK(flash_die_is_idle(&halves.front, 0));
    CHECK_FALSE(flash_is_idle(&halves.front));

    CHECK(flash_core_serve());
    const std::uint32_t at = halves.front.descriptors_at;
    CHECK(halves.hal.writes == Writes{{FLASH_UNIT_HEAD + FLASH_UNIT_HEAD_STEP, at + 3 * 64},
                                      {FLASH_UNIT_HEAD + FLASH_UNIT_HEAD_STEP, at + 4 * 64}});
    CHECK(halves.front.descriptors[3].start_sector == 2);
    CHECK_FALSE(flash_core_serve());
    CHECK(flash_poll(&halves.front) == 0);

    halves.end(3, FLASH_UNCORRECTABLE);
    halves.end(4, FLASH_OK);
    CHECK(flash_core_serve());
    CHECK(ended.empty());
    CHECK(flash_poll(&halves.front) == 2);
    CHECK(ended == std::vector<std::pair<std::uint32_t, flash_status>>{{3, FLASH_UNCORRECTABLE}, {4, FLASH_OK}});
    CHECK(flash_die_is_idle(&halves.front, 1));
    CHECK(flash_is_idle(&halves.front));
}

TEST_CASE("a descriptor that the hardware refuses stops core 1 with the place")
{
    TwoHalves halves;
    flash_read(&halves.front, 3, {1, 7, 2, false}, 3, 0x80000, FLASH_FOR_HOST);
    flash_core_serve();
    halves.end(3, FLASH_ILLEGAL);
    CHECK_THROWS_WITH(flash_core_serve(), "the die rejected flash opcode 1 at die 1 block 7 sector 2");
}
