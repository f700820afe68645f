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
    reading.light = since(light_, figures.light);
    reading.heavy = since(heavy_, figures.heavy);
    return reading;
}

host::DriveHeat::Range SensedHeat::management() const
{
    constexpr std::int32_t lowest = ThermalConfig::lowestManaged;
    if (!config_.throttle.isEnabled || config_.throttle.heavy <= lowest)
        return {};
    return {lowest, config_.throttle.heavy};
}

void SensedHeat::begin(Managed& managed, std::int32_t celsius, const thermal::ThermalFigures::Level& level)
{
    if (managed.celsius == 0 && celsius != 0)
        managed.before = {level.entries, level.time};
    managed.celsius = celsius;
}

host::HeatReading::Management SensedHeat::since(const Managed& managed, const thermal::ThermalFigures::Level& level)
{
    if (managed.celsius == 0)
        return {};
    return {level.entries - managed.before.entries, level.time - managed.before.time};
}

void SensedHeat::manage(std::int32_t light, std::int32_t heavy, Time now)
{
    const thermal::ThermalFigures figures = sensor_.record().figures(now);
    begin(light_, light, figures.light);
    begin(heavy_, heavy, figures.heavy);
    sensor_.setManagement(light, heavy);
}

} // namespace strobe::platform
