// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/drive_heat.h"

#include "models/base/strobe_registers.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;

TEST_CASE("throttling counts while the host manages the level, and goes on when it does so again")
{
    const ThermalConfig config;
    thermal::ThermalRecord record({}, {70, 80});
    thermal::TemperatureSensor sensor(record);
    SensedHeat heat(config, sensor);
    record.throttle({1, 8}, 1s);
    record.throttle({0, 0}, 3s);
    CHECK(heat.reading(4s).light.entries == 0); // the host has set nothing yet
    heat.manage(60, 0, 4s);
    record.throttle({1, 8}, 5s);
    record.throttle({0, 0}, 7s);
    CHECK(heat.reading(8s).light.entries == 1);
    CHECK(heat.reading(8s).light.time == Time(2s));
    heat.manage(0, 0, 8s); // a reset of the controller
    CHECK(heat.reading(8s).light.entries == 1);
    record.throttle({1, 8}, 9s); // by the drive itself
    record.throttle({0, 0}, 10s);
    CHECK(heat.reading(10s).light.time == Time(2s));
    heat.manage(62, 0, 10s);
    record.throttle({1, 8}, 11s);
    CHECK(heat.reading(14s).light.entries == 2);
    CHECK(heat.reading(14s).light.time == Time(5s));
    CHECK(heat.reading(14s).heavy.entries == 0);
}
