#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The drive's temperature for its protocol front (models/host/drive_heat.h), from the temperature sensor. Throttling is
// counted for the host while it manages a level, as the specification asks; the counts go on when it does so again,
// after a reset of the controller, too.

#include "models/host/drive_heat.h"
#include "models/thermal/temperature_sensor.h"
#include "platform/config/scenario.h"

namespace strobe::platform {

class SensedHeat final : public host::DriveHeat {
public:
    // Both must outlive it.
    SensedHeat(const ThermalConfig& config, thermal::TemperatureSensor& sensor) : config_(config), sensor_(sensor) {}
    host::HeatReading reading(Time now) const override;
    std::size_t sensors() const override { return thermal::nodes; }
    std::int32_t warning() const override { return config_.warning; }
    std::int32_t critical() const override { return config_.critical; }
    Range management() const override;
    void manage(std::int32_t light, std::int32_t heavy, Time now) override;
    void limitPower(double watt) override { sensor_.setPowerLimit(watt); }

private:
    struct Managed {                          // a level
        std::int32_t celsius = 0;             // 0: the host does not manage it
        host::HeatReading::Management begin;  // what the sensor had counted when the host began
        host::HeatReading::Management before; // of what the host has managed until then
    };
    static void manage(Managed& managed, std::int32_t celsius, const thermal::ThermalFigures::Level& level);
    static host::HeatReading::Management counted(const Managed& managed, const thermal::ThermalFigures::Level& level);

    const ThermalConfig& config_;
    thermal::TemperatureSensor& sensor_;
    Managed light_;
    Managed heavy_;
};

} // namespace strobe::platform
