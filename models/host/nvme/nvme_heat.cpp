// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_heat.h"

#include <algorithm>
#include <chrono>

namespace strobe::host::nvme {

namespace {

template <class Unit>
std::uint32_t whole(Time time)
{
    return static_cast<std::uint32_t>(
        std::min<std::int64_t>(std::chrono::duration_cast<Unit>(time).count(), UINT32_MAX));
}

} // namespace

NvmeStatus ThermalManagement::set(std::uint32_t value, DriveHeat& heat, Time now)
{
    const DriveHeat::Range range = heat.management();
    const std::uint32_t light = value >> 16U;
    const std::uint32_t heavy = value & 0xFFFFU;
    const auto isPossible = [&range](std::uint32_t temperature) {
        return temperature == 0 || (temperature >= toKelvin(range.lowest) && temperature <= toKelvin(range.highest));
    };
    if (!isPossible(light) || !isPossible(heavy) || (light != 0 && heavy != 0 && light >= heavy))
        return NvmeStatus::InvalidField;
    value_ = value;
    const auto celsius = [](std::uint32_t temperature) {
        return temperature == 0 ? 0 : static_cast<std::int32_t>(temperature) - celsiusZero;
    };
    heat.manage(celsius(light), celsius(heavy), now);
    return NvmeStatus::Success;
}

HeatFields heatFields(const DriveHeat* heat, Time now)
{
    HeatFields fields;
    if (heat == nullptr)
        return fields;
    const HeatReading reading = heat->reading(now);
    fields.composite = toKelvin(reading.composite);
    for (const std::int32_t sensor : reading.sensors)
        fields.sensors.push_back(toKelvin(sensor));
    fields.warningMinutes = whole<std::chrono::minutes>(reading.warning - reading.critical); // below CCTEMP
    fields.criticalMinutes = whole<std::chrono::minutes>(reading.critical);
    fields.light = {static_cast<std::uint32_t>(reading.light.entries), whole<std::chrono::seconds>(reading.light.time)};
    fields.heavy = {static_cast<std::uint32_t>(reading.heavy.entries), whole<std::chrono::seconds>(reading.heavy.time)};
    return fields;
}

} // namespace strobe::host::nvme
