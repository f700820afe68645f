#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The energy that a drive has taken since power-on, while it runs: the energy of the report (energy.h), by the node of
// the thermal model that turns it into heat. The dies, and components over the group of the dies, are flash; all others
// are the controller. The energy of a sample of measured time is also divided among the power states, by the time in
// each. A job counts when its resource takes it or its end is known, so what is in progress may count a little early or
// late.

#include "models/thermal/temperature_sensor_module.h"
#include "platform/assembly/measurement.h"
#include "platform/config/scenario.h"

#include <vector>

namespace strobe::platform {

class PowerMeter {
public:
    // All must outlive the meter.
    PowerMeter(const Scenario& scenario, Measurement& measurement, MeasuredSums& sums, Time powerOn);
    thermal::TemperatureSensorModule::Taken taken(Time now); // at each sample
    // What the drive does between these calls takes no time, and no energy.
    void suspend(Time now) { held_ = joules(measurement_.activity(now), now); }
    void resume(Time now);

private:
    thermal::PerNode joules(const Measurement::Activity& activity, Time now) const;
    void divide(const std::vector<host::PortFigures::PowerState>& states,
                const thermal::TemperatureSensorModule::Taken& taken);

    const Scenario& scenario_;
    Measurement& measurement_;
    MeasuredSums& sums_;
    Time powerOn_;
    thermal::PerNode begin_{};                          // what does not count: time before power-on, functional phases
    thermal::PerNode held_{};                           // when it was suspended
    double asOf_ = 0;                                   // J, at the sample before
    std::vector<host::PortFigures::PowerState> states_; // the same
};

} // namespace strobe::platform
