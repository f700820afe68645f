#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The temperature sensor on the bus. It samples at fixed intervals of simulated time, from power-on: it asks for the
// energy that each node has taken since power-on, drives its line, and tells a listener.

#include "models/cpu/peripheral_module.h"
#include "models/thermal/temperature_sensor.h"

#include <functional>

namespace strobe::thermal {

class TemperatureSensorModule : public cpu::PeripheralModule {
public:
    struct Taken {
        PerNode joule{};         // since power-on
        bool isMeasured = false; // now is measured time
    };
    using Source = std::function<Taken(Time now)>;

    // `record` must outlive the module.
    TemperatureSensorModule(const sc_core::sc_module_name& name, ThermalRecord& record, Time interval);

    void connect(Source source) { source_ = std::move(source); } // none: no energy
    void onLine(std::function<void(bool asserted, Time at)> line) { line_ = std::move(line); }
    void onSample(std::function<void(Time at)> listener) { listener_ = std::move(listener); }
    // At the end of the simulation or of the supply: the part of an interval that is over. It is no peak power.
    void takeLast();
    // Nothing but samples goes on, and firmware will not react to them any more: nothing else was due at the last one
    // and firmware does not listen, or at many and the temperature has settled.
    bool isAlone() const;

    TemperatureSensor& sensor() { return sensor_; }
    const TemperatureSensor& sensor() const { return sensor_; }

private:
    Access readRegister(std::uint32_t offset, std::uint32_t& value, Time at) override;
    Access writeRegister(std::uint32_t offset, std::uint32_t value) override;
    Access viewRegister(std::uint32_t offset, std::uint32_t& value) const override;
    Time step(Time now) override;
    void sample(Time now, bool isWhole); // an interval
    void drive(Time now);

    TemperatureSensor sensor_;
    Time interval_;
    Time next_;
    Source source_;
    Taken before_;
    std::function<void(bool, Time)> line_;
    std::function<void(Time)> listener_;
    bool wasAsserted_ = false;
    unsigned alone_ = 0; // samples, until the last one, at which nothing else was due in the simulation
};

} // namespace strobe::thermal
