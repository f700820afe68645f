// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

#include <array>
#include <vector>

using namespace strobe::test;

namespace {

struct Bench {
    FakeHal hal;
    std::array<flash_die, 4> dies{};
    flash_turns turns{};

    explicit Bench(std::uint32_t limit)
    {
        flash_turns_init(&turns);
        turns.governor.limit = limit;
        for (flash_die& die : dies)
            die.queued = 2;
    }
    bool mayGo(std::uint32_t die) { return flash_turns_may_go(&turns, dies.data(), die); }
    void begin(std::uint32_t die)
    {
        dies[die].outstanding = 1;
        ++turns.active;
    }
    void end(std::uint32_t die)
    {
        dies[die].outstanding = 0;
        --turns.active;
    }
};

} // namespace

TEST_CASE("as many dies as the limit may work, the others wait in order")
{
    Bench bench(2);
    for (const std::uint32_t die : {3u, 1u}) {
        CHECK(bench.mayGo(die));
        bench.begin(die);
    }
    CHECK_FALSE(bench.mayGo(0));
    CHECK_FALSE(bench.mayGo(2));
    CHECK_FALSE(bench.mayGo(0)); // it waits once
    CHECK(flash_turns_next(&bench.turns, bench.dies.data()) == FLASH_NONE);
    bench.end(1);
    CHECK(flash_turns_next(&bench.turns, bench.dies.data()) == 0);
    bench.begin(0);
    bench.end(3);
    CHECK(flash_turns_next(&bench.turns, bench.dies.data()) == 2);
    CHECK(flash_turns_next(&bench.turns, bench.dies.data()) == FLASH_NONE);
}

TEST_CASE("a die that works goes on as long as no other die waits")
{
    Bench bench(1);
    CHECK(bench.mayGo(0));
    bench.begin(0);
    CHECK(bench.mayGo(0));
    CHECK_FALSE(bench.mayGo(1));
    CHECK_FALSE(bench.mayGo(0));
    bench.end(0);
    CHECK_FALSE(bench.mayGo(0)); // behind die 1, although the place is free
    CHECK(flash_turns_next(&bench.turns, bench.dies.data()) == 1);
}

TEST_CASE("dies that work when the limit comes end what they have, and only as many as may go on")
{
    Bench bench(1);
    bench.begin(0);
    bench.begin(1);
    CHECK_FALSE(bench.mayGo(0));
    CHECK_FALSE(bench.mayGo(1));
    bench.end(0);
    CHECK_FALSE(bench.mayGo(0));
    CHECK(bench.turns.line.head == 0);
    bench.end(1);
    CHECK(flash_turns_next(&bench.turns, bench.dies.data()) == 0);
}

TEST_CASE("a die with nothing to do does not wait")
{
    Bench bench(1);
    bench.begin(0);
    bench.dies[1].queued = 0;
    CHECK_FALSE(bench.mayGo(1));
    CHECK(bench.turns.line.head == FLASH_NONE);
}

TEST_CASE("when the limit goes, the turn of all has come")
{
    Bench bench(1);
    bench.begin(0);
    CHECK_FALSE(bench.mayGo(1));
    CHECK_FALSE(bench.mayGo(2));
    bench.turns.governor.limit = 0;
    CHECK(flash_turns_next(&bench.turns, bench.dies.data()) == 1);
    CHECK(flash_turns_next(&bench.turns, bench.dies.data()) == 2);
}

TEST_CASE("the sensor is read when it has a sample, and then the dies that work are counted")
{
    Bench bench(0);
    boot_block boot{};
    boot.channels = 4;
    boot.ways = boot.luns = 1;
    boot.thermal_light = 75 * 16;
    boot.thermal_heavy = 83 * 16;
    boot.thermal_light_dies = 2;
    boot.thermal_heavy_dies = 1;
    governor_init(&bench.turns.governor, &boot);
    bench.hal.registers[THERMAL_TEMPERATURE] = 90 * 16;
    bench.dies[1].outstanding = bench.dies[2].reads_apart = 1;
    CHECK_FALSE(flash_turns_govern(&bench.turns, bench.dies.data(), 4));
    bench.hal.registers[INTC_PENDING] = 1u << HAL_LINE_THERMAL;
    CHECK(flash_turns_govern(&bench.turns, bench.dies.data(), 4));
    CHECK(bench.turns.governor.limit == 1);
    CHECK(bench.turns.active == 2);
    CHECK_FALSE(flash_turns_govern(&bench.turns, bench.dies.data(), 4)); // nothing new
}

TEST_CASE("firmware that is busy looks at the sensor once in sixteen rounds")
{
    Bench bench(0);
    boot_block boot{};
    boot.channels = 4;
    boot.ways = boot.luns = boot.thermal_light = 1;
    boot.thermal_light_dies = boot.thermal_heavy_dies = 1;
    boot.thermal_heavy = 1000;
    governor_init(&bench.turns.governor, &boot);
    bench.hal.registers[THERMAL_TEMPERATURE] = 16;
    bench.hal.registers[INTC_PENDING] = 1u << HAL_LINE_THERMAL;
    std::vector<int> changed;
    for (int round = 1; round <= 20; ++round) {
        if (flash_turns_govern_busy(&bench.turns, bench.dies.data(), 4))
            changed.push_back(round);
    }
    CHECK(changed == std::vector<int>{16});
}
