// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/drive_heat.h"

#include <cmath>

namespace strobe::platform {

host::HeatReading SensedHeat::reading(Time now) const
{
    const thermal::ThermalRecord& record = sensor_.record();
    const thermal::ThermalFigures figures = record.figures(now);
    const auto whole = [](double celsius) { return static_cast<std::int32_t>(std::floor(celsius)); };
    host::HeatReading reading;
    reading.composite = whole(record.composite());
    for (const double celsius : record.celsius())
        reading.sensors.push_back(whole(celsius));
    reading.warning = figures.warning;
    reading.critical = figures.critical;
    reading.light = counted(light_, figures.light);
    reading.heavy = counted(heavy_, figures.heavy);
    return reading;
}

host::DriveHeat::Range SensedHeat::management() const
{
    constexpr std::int32_t lowest = ThermalConfig::lowestManaged;
    if (!config_.throttle.isEnabled || config_.throttle.heavy <= lowest)
        return {};
    return {lowest, config_.throttle.heavy};
}

void SensedHeat::manage(Managed& managed, std::int32_t celsius, const thermal::ThermalFigures::Level& level)
{
    managed.before = counted(managed, level);
    managed.begin = {level.entries, level.time};
    managed.celsius = celsius;
}

host::HeatReading::Management SensedHeat::counted(const Managed& managed, const thermal::ThermalFigures::Level& level)
{
    if (managed.celsius == 0)
        return managed.before;
    return {managed.before.entries + level.entries - managed.begin.entries,
            managed.before.time + level.time - managed.begin.time};
}

void SensedHeat::manage(std::int32_t light, std::int32_t heavy, Time now)
{
    const thermal::ThermalFigures figures = sensor_.record().figures(now);
    manage(light_, light, figures.light);
    manage(heavy_, heavy, figures.heavy);
    sensor_.setManagement(light, heavy);
}

} // namespace strobe::platform
