// SPDX-License-Identifier: Apache-2.0
#include "models/thermal/temperature_sensor.h"

#include "models/base/strobe_registers.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace strobe::thermal {

namespace reg = regs::thermal;

namespace {

constexpr double milli = 1e-3;

std::uint32_t stepsOf(double celsius)
{
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(std::floor(celsius * stepsPerDegree)));
}

std::uint32_t milliwatt(double watt)
{
    return static_cast<std::uint32_t>(std::lround(std::clamp(watt / milli, 0.0, 2e9)));
}

} // namespace

TemperatureSensor::TemperatureSensor(ThermalRecord& record)
    : record_(record), registers_(reg::table, std::size(reg::table), reg::size)
{
    registers_.poke(reg::TEMPERATURE, stepsOf(record_.composite()));
    registers_.onWrite(reg::THROTTLE, [this](std::uint32_t, std::uint32_t value) {
        record_.throttle({value & reg::THROTTLE_strength_mask, value >> reg::THROTTLE_dies_shift}, now_);
    });
}

Access TemperatureSensor::read(std::uint32_t offset, std::uint32_t& value)
{
    if (offset == reg::TEMPERATURE)
        isNew_ = false;
    return registers_.read(offset, value);
}

Access TemperatureSensor::write(std::uint32_t offset, std::uint32_t value, Time now)
{
    now_ = now;
    return registers_.write(offset, value);
}

void TemperatureSensor::sample(Time now, const PerNode& joule, bool isMeasured)
{
    record_.sample(now, joule, isMeasured);
    registers_.poke(reg::TEMPERATURE, stepsOf(record_.composite()));
    registers_.poke(reg::POWER, milliwatt(record_.watt()));
    isNew_ = true;
}

bool TemperatureSensor::isAsserted() const
{
    return isNew_ && isListened();
}

bool TemperatureSensor::isListened() const
{
    return (registers_.peek(reg::CONTROL) & reg::CONTROL_enable_mask) != 0;
}

void TemperatureSensor::setManagement(std::int32_t light, std::int32_t heavy)
{
    registers_.poke(reg::LIGHT, static_cast<std::uint32_t>(light * stepsPerDegree));
    registers_.poke(reg::HEAVY, static_cast<std::uint32_t>(heavy * stepsPerDegree));
}

void TemperatureSensor::setPowerLimit(double watt)
{
    registers_.poke(reg::POWER_LIMIT, milliwatt(watt));
}

} // namespace strobe::thermal
