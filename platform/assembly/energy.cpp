// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/energy.h"

#include <algorithm>

namespace strobe::platform {

namespace {

EnergyReport componentEnergy(const EnergyComponent& component, const std::vector<ResourceReport>& resources,
                             Time measured)
{
    double busy = 0;
    double jobs = 0;
    double members = 0;
    for (const ResourceReport& resource : resources) {
        if (enumName(resource.group) == component.group) {
            busy += toSeconds(resource.usage.busy);
            jobs += static_cast<double>(resource.usage.jobs);
            members += 1;
        }
    }
    const double time = std::max(members, 1.0) * toSeconds(measured); // a constant consumer counts once
    return {component.name,
            component.activeWatt * busy + component.idleWatt * std::max(0.0, time - busy) +
                component.perJobJoule * jobs,
            component.source, component.group};
}

using PowerState = host::PortFigures::PowerState;

double asleepJoule(const PowerState& state)
{
    return state.watt * toSeconds(state.time);
}

} // namespace

std::vector<EnergyReport> energyOf(const Scenario& scenario, const std::vector<ResourceReport>& resources,
                                   const nand::DieCounters& array, const nand::PslcCounters& pslc,
                                   const std::vector<PowerState>& states, Time measured)
{
    Time awake = states.empty() ? measured : Time{};
    for (const PowerState& state : states)
        awake += state.isOperational ? state.time : Time{};
    const nand::Part& part = scenario.nand.part;
    const nand::ArrayEnergy joules = nand::arrayEnergy(part, array, pslc);
    const double dieSeconds = scenario.nand.array.dies() * toSeconds(awake);
    const double idleSeconds = std::max(0.0, dieSeconds - toSeconds(array.arrayBusy));

    std::vector<EnergyReport> energy;
    energy.push_back({"die reads", joules.reads, part.name, "die"});
    energy.push_back({"die programs", joules.programs, part.name, "die"});
    energy.push_back({"die erases", joules.erases, part.name, "die"});
    energy.push_back({"die idle", idleSeconds * part.energy.idleWatt, part.name, "die"});
    for (const EnergyComponent& component : scenario.energy.components)
        energy.push_back(componentEnergy(component, resources, awake));
    for (std::size_t i = 1; i < states.size(); ++i) {
        if (states[i].isOperational)
            continue;
        energy.push_back({"power state " + std::to_string(i), asleepJoule(states[i]), "host.nvme.powerStates", ""});
    }
    return energy;
}

std::vector<PowerStateReport> powerStatesOf(const std::vector<PowerState>& states, const std::vector<double>& metered,
                                            const std::vector<EnergyReport>& energy)
{
    double awake = 0; // in all operational states
    for (const EnergyReport& row : energy)
        awake += row.joule;
    double share = 0;   // of what was metered
    double seconds = 0; // in them, for a time without a sample
    std::vector<PowerStateReport> report;
    for (std::size_t i = 0; i < states.size(); ++i) {
        const PowerState& state = states[i];
        report.push_back({state.watt, state.time, state.entries, asleepJoule(state)});
        if (!state.isOperational) {
            awake -= report.back().joule;
            continue;
        }
        seconds += toSeconds(state.time);
        share += i < metered.size() ? metered[i] : 0;
    }
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (!states[i].isOperational)
            continue;
        if (share > 0)
            report[i].joule = awake * metered[i] / share;
        else if (seconds > 0)
            report[i].joule = awake * toSeconds(states[i].time) / seconds;
        else
            report[i].joule = i == 0 ? awake : 0;
    }
    return report;
}

} // namespace strobe::platform
