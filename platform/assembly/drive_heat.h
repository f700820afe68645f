#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The drive's temperature for its protocol front (models/host/drive_heat.h), from the temperature sensor. Throttling is
// counted for the host from the moment at which it sets a temperature, as the specification asks.

#include "models/host/drive_heat.h"
#include "models/thermal/temperature_sensor_module.h"
#include "platform/config/scenario.h"

namespace strobe::platform {

class SensedHeat final : public host::DriveHeat {
public:
    // Both must outlive it.
    SensedHeat(const ThermalConfig& config, thermal::TemperatureSensorModule& module)
        : config_(config), sensor_(module.sensor())
    {
    }
    host::HeatReading reading(Time now) const override;
    std::int32_t warning() const override { return config_.warning; }
    std::int32_t critical() const override { return config_.critical; }
    Range management() const override;
    void manage(std::int32_t light, std::int32_t heavy, Time now) override;
    void limitPower(double watt) override { sensor_.setPowerLimit(watt); }

private:
    struct Managed { // a level
        std::int32_t celsius = 0;
        host::HeatReading::Management before; // when the host began
    };
    static void begin(Managed& managed, std::int32_t celsius, const thermal::ThermalFigures::Level& level);
    static host::HeatReading::Management since(const Managed& managed, const thermal::ThermalFigures::Level& level);

    const ThermalConfig& config_;
    thermal::TemperatureSensor& sensor_;
    Managed light_;
    Managed heavy_;
};

} // namespace strobe::platform
