// SPDX-License-Identifier: Apache-2.0
#include "models/thermal/temperature_sensor.h"

#include "models/base/strobe_registers.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::thermal;
using namespace strobe::regs::thermal;
using namespace std::chrono_literals;

namespace {

NetworkConfig warm()
{
    NetworkConfig config;
    config.controller = {10'000, 1};
    config.flash = {10'000, 1};
    config.coupling = 0;
    config.ambient = 40.5;
    return config;
}

struct Board {
    ThermalRecord record{warm(), {70, 80}};
    TemperatureSensor sensor{record};

    std::uint32_t read(std::uint32_t offset)
    {
        std::uint32_t value = 0;
        REQUIRE(sensor.read(offset, value) == Access::Ok);
        return value;
    }
};

} // namespace

TEST_CASE("the register has sixteenths of a degree, from power-on")
{
    Board board;
    CHECK(board.read(TEMPERATURE) == 40 * 16 + 8);
    board.sensor.sample(1s, {2.25, 0}, true);
    CHECK(board.read(TEMPERATURE) == 42 * 16 + 11); // 42.75, and a little is lost
    CHECK(board.read(POWER) == 2250);
}

TEST_CASE("temperatures below zero are negative numbers")
{
    NetworkConfig config = warm();
    config.ambient = -10;
    ThermalRecord record(config, {70, 80});
    TemperatureSensor sensor(record);
    std::uint32_t value = 0;
    REQUIRE(sensor.read(TEMPERATURE, value) == Access::Ok);
    CHECK(static_cast<std::int32_t>(value) == -160);
}

TEST_CASE("a sample asserts the line until the temperature is read, if that is enabled")
{
    Board board;
    board.sensor.sample(1s, {}, true);
    CHECK_FALSE(board.sensor.isAsserted());
    board.sensor.write(CONTROL, 1, 1s);
    CHECK(board.sensor.isAsserted());
    std::uint32_t value = 0;
    CHECK(board.sensor.view(TEMPERATURE, value) == Access::Ok);
    CHECK(board.sensor.isAsserted()); // a look has no effect
    board.read(POWER);
    CHECK(board.sensor.isAsserted());
    board.read(TEMPERATURE);
    CHECK_FALSE(board.sensor.isAsserted());
    board.sensor.sample(2s, {}, true);
    CHECK(board.sensor.isAsserted());
}

TEST_CASE("what the host wants is there for firmware, and what firmware does goes into the record")
{
    Board board;
    board.sensor.setManagement(70, 0);
    board.sensor.setPowerLimit(6.5);
    CHECK(board.read(LIGHT) == 70 * 16);
    CHECK(board.read(HEAVY) == 0);
    CHECK(board.read(POWER_LIMIT) == 6500);
    board.sensor.write(THROTTLE, 2U | 3U << THROTTLE_dies_shift, 5s);
    CHECK(board.record.throttle() == Throttle{2, 3});
    CHECK(board.record.figures(7s).heavy.time == Time(2s));
    CHECK(board.sensor.write(TEMPERATURE, 0, 5s) == Access::Ok);
    CHECK(board.read(TEMPERATURE) != 0); // read-only
}
