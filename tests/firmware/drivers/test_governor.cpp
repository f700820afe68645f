// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

using namespace strobe::test;

namespace {

boot_block bootOf(std::uint32_t dies)
{
    boot_block boot{};
    boot.channels = dies;
    boot.ways = boot.luns = 1;
    boot.thermal_light = 75 * 16;
    boot.thermal_heavy = 83 * 16;
    boot.thermal_hysteresis = 3 * 16;
    boot.thermal_light_dies = dies / 2;
    boot.thermal_heavy_dies = 1;
    return boot;
}

struct Bench {
    FakeHal hal;
    governor subject{};

    explicit Bench(std::uint32_t dies = 16)
    {
        const boot_block boot = bootOf(dies);
        governor_init(&subject, &boot);
        hal.writes.clear();
    }
    bool look(std::int32_t sixteenths, std::uint32_t power = 0, std::uint32_t limit = 0)
    {
        hal.registers[THERMAL_TEMPERATURE] = static_cast<std::uint32_t>(sixteenths);
        hal.registers[THERMAL_POWER] = power;
        hal.registers[THERMAL_POWER_LIMIT] = limit;
        return governor_look(&subject);
    }
};

} // namespace

TEST_CASE("the governor is off unless the boot block has a temperature")
{
    FakeHal hal;
    governor subject{};
    boot_block boot = bootOf(4);
    boot.thermal_light = 0;
    governor_init(&subject, &boot);
    CHECK_FALSE(subject.is_on);
    CHECK(hal.writes.empty());
}

TEST_CASE("the governor enables the sensor and its line, and no other line loses its own")
{
    FakeHal hal;
    hal.registers[INTC_ENABLE] = 3;
    governor subject{};
    const boot_block boot = bootOf(4);
    governor_init(&subject, &boot);
    CHECK(subject.is_on);
    REQUIRE(hal.writes.size() == 2);
    CHECK(hal.writes[0] == std::pair<std::uint32_t, std::uint32_t>{INTC_ENABLE, 3u | 1u << HAL_LINE_THERMAL});
    CHECK(hal.writes[1] == std::pair<std::uint32_t, std::uint32_t>{THERMAL_CONTROL, 1});
}

TEST_CASE("a level begins at its temperature and ends below it by more than the hysteresis")
{
    Bench bench;
    CHECK_FALSE(bench.look(75 * 16 - 1));
    CHECK(bench.subject.limit == 0);
    CHECK(bench.look(75 * 16));
    CHECK(bench.subject.limit == 8);
    CHECK_FALSE(bench.look(72 * 16));
    CHECK(bench.look(83 * 16));
    CHECK(bench.subject.limit == 1);
    CHECK_FALSE(bench.look(80 * 16));
    CHECK(bench.look(80 * 16 - 1)); // heavy ends, light goes on
    CHECK(bench.subject.limit == 8);
    CHECK(bench.look(72 * 16 - 1));
    CHECK(bench.subject.limit == 0);
    CHECK(bench.hal.writes.size() == 4); // the changes
}

TEST_CASE("a temperature of the host counts if it is lower, and below zero is cold")
{
    Bench bench;
    bench.hal.registers[THERMAL_LIGHT] = 60 * 16;
    bench.hal.registers[THERMAL_HEAVY] = 100 * 16;
    CHECK(bench.look(60 * 16));
    CHECK(bench.subject.level == GOVERNOR_LIGHT);
    CHECK(bench.look(83 * 16));
    CHECK(bench.subject.level == GOVERNOR_HEAVY);
    CHECK(bench.look(-20 * 16));
    CHECK(bench.subject.level == GOVERNOR_NONE);
}

// A drive that takes 2 W and another one for each die that works.
TEST_CASE("the power limit settles at the dies whose power is the limit")
{
    Bench bench;
    double power = 0;
    double energy = 0;
    constexpr int samples = 400;
    for (int i = 0; i < samples; ++i) {
        const std::uint32_t dies = bench.subject.limit != 0 ? bench.subject.limit : 16;
        power = 2000 + 1000 * dies;
        if (i >= samples / 2)
            energy += power;
        bench.look(25 * 16, static_cast<std::uint32_t>(power), 7500);
    }
    CHECK(energy / (samples / 2) == Approx(7500).epsilon(0.05));
    bench.look(25 * 16, 7500, 0);
    CHECK(bench.subject.limit == 0);
}

TEST_CASE("at least one die works, however small the limit is")
{
    Bench bench;
    for (int i = 0; i < 200; ++i)
        bench.look(25 * 16, 9000, 100);
    CHECK(bench.subject.limit == 1);
}

TEST_CASE("a power far above the limit takes the greatest step down, and limits of any size are possible")
{
    const Bench bench;
    const std::uint32_t all = 16 * 256;
    const std::uint32_t stepped = governor_power_dies(&bench.subject, 2'000'000'000, 5000);
    CHECK(stepped == governor_power_dies(&bench.subject, 8 * 5000, 5000));
    CHECK(stepped < all);
    CHECK(stepped >= all - all / 8);
    CHECK(governor_power_dies(&bench.subject, 2'000'000'000, 2'000'000'000) < all);
    CHECK(governor_power_dies(&bench.subject, 0, 2'000'000'000) == all);
    CHECK(governor_power_dies(&bench.subject, 2'000'000'000, 1) < all);
}

TEST_CASE("the smaller of both limits counts, and a limit of all dies is none")
{
    Bench bench;
    bench.subject.power_dies = 4 * 256;
    CHECK(bench.look(76 * 16, 5000, 5000));
    CHECK(bench.subject.limit == 4);
    for (int i = 0; i < 200; ++i)
        bench.look(25 * 16, 10, 5000);
    CHECK(bench.subject.limit == 0);
}
