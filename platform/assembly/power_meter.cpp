// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/power_meter.h"

#include "platform/assembly/energy.h"

#include <algorithm>

namespace strobe::platform {

PowerMeter::PowerMeter(const Scenario& scenario, Measurement& measurement, MeasuredSums& sums, Time powerOn)
    : scenario_(scenario), measurement_(measurement), sums_(sums), powerOn_(powerOn)
{
    measurement_.keepActivity();
    const Measurement::Activity& activity = measurement_.activity(powerOn);
    begin_ = joules(activity, powerOn);
    states_ = activity.powerStates;
}

thermal::PerNode PowerMeter::joules(const Measurement::Activity& activity, Time now) const
{
    thermal::PerNode joule{};
    for (const EnergyReport& row :
         energyOf(scenario_, activity.resources, activity.array, activity.pslc, activity.powerStates, now - powerOn_))
        joule[row.group == enumName(ResourceGroup::Die) ? thermal::Flash : thermal::Controller] += row.joule;
    return joule;
}

thermal::TemperatureSensorModule::Taken PowerMeter::taken(Time now)
{
    thermal::TemperatureSensorModule::Taken taken;
    const Measurement::Activity& activity = measurement_.activity(now);
    taken.joule = joules(activity, now);
    for (std::size_t node = 0; node < thermal::nodes; ++node)
        taken.joule[node] -= begin_[node];
    taken.isMeasured = measurement_.isCounting();
    divide(activity.powerStates, taken);
    return taken;
}

void PowerMeter::resume(Time now)
{
    const thermal::PerNode present = joules(measurement_.activity(now), now);
    for (std::size_t node = 0; node < thermal::nodes; ++node)
        begin_[node] += present[node] - held_[node];
}

// Between two samples the drive is in more than one state only if the host has just changed it.
void PowerMeter::divide(const std::vector<host::PortFigures::PowerState>& states,
                        const thermal::TemperatureSensorModule::Taken& taken)
{
    const double total = taken.joule[thermal::Controller] + taken.joule[thermal::Flash];
    const double joule = std::max(total - asOf_, 0.0);
    asOf_ = std::max(total, asOf_);
    Time passed{};
    for (std::size_t i = 0; i < states.size(); ++i)
        passed += states[i].time - states_[i].time;
    if (taken.isMeasured && passed > Time{}) {
        sums_.meteredJoule.resize(states.size());
        for (std::size_t i = 0; i < states.size(); ++i)
            sums_.meteredJoule[i] += joule * toSeconds(states[i].time - states_[i].time) / toSeconds(passed);
    }
    states_ = states;
}

} // namespace strobe::platform
