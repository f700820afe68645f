// SPDX-License-Identifier: Apache-2.0
#include "models/thermal/temperature_sensor_module.h"

#include "models/base/strobe_registers.h"
#include "models/tlm/time_bridge.h"

#include <algorithm>
#include <iterator>

namespace strobe::thermal {

TemperatureSensorModule::TemperatureSensorModule(const sc_core::sc_module_name& name, ThermalRecord& record,
                                                 Time interval)
    : PeripheralModule(name, regs::thermal::table, std::size(regs::thermal::table)), sensor_(record),
      interval_(interval), next_(now() + interval)
{
    catchUp(); // arms the first sample
}

Access TemperatureSensorModule::readRegister(std::uint32_t offset, std::uint32_t& value, Time at)
{
    const Access access = sensor_.read(offset, value);
    drive(at);
    return access;
}

Access TemperatureSensorModule::viewRegister(std::uint32_t offset, std::uint32_t& value) const
{
    return sensor_.view(offset, value);
}

Access TemperatureSensorModule::writeRegister(std::uint32_t offset, std::uint32_t value)
{
    const Access access = sensor_.write(offset, value, now());
    drive(now());
    return access;
}

// The energy of what is in progress may be counted before or after it is spent; it never falls below what was counted.
void TemperatureSensorModule::sample(Time now, bool isWhole)
{
    Taken taken = source_ ? source_(now) : Taken{};
    taken.isMeasured = taken.isMeasured && isWhole;
    PerNode joule{};
    for (std::size_t node = 0; node < nodes; ++node)
        joule[node] = std::max(taken.joule[node] - before_.joule[node], 0.0);
    sensor_.sample(now, joule, taken.isMeasured && before_.isMeasured);
    before_ = {{std::max(taken.joule[Controller], before_.joule[Controller]),
                std::max(taken.joule[Flash], before_.joule[Flash])},
               taken.isMeasured};
}

void TemperatureSensorModule::takeLast()
{
    if (now() > next_ - interval_)
        sample(now(), false);
}

bool TemperatureSensorModule::isAlone() const
{
    constexpr unsigned many = 64;
    const bool isNext = fromSc(sc_core::sc_time_to_pending_activity()) == next_ - now(); // nothing before
    const bool isUseless = sensor_.isListened() ? alone_ >= many && sensor_.record().isSettled() : alone_ > 0;
    return isUseless && isNext;
}

Time TemperatureSensorModule::step(Time now)
{
    if (now >= next_) {
        alone_ = nextOfOthers() == never ? alone_ + 1 : 0;
        next_ += interval_;
        sample(now, true);
        drive(now);
        if (listener_)
            listener_(now);
    }
    return next_;
}

void TemperatureSensorModule::drive(Time now)
{
    const bool isAsserted = sensor_.isAsserted();
    if (isAsserted == wasAsserted_)
        return;
    wasAsserted_ = isAsserted;
    if (line_)
        line_(isAsserted, now);
}

} // namespace strobe::thermal
