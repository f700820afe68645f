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
    const Time awake = states.empty() ? measured : states.front().time;
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
    for (std::size_t i = 1; i < states.size(); ++i)
        energy.push_back({"power state " + std::to_string(i), asleepJoule(states[i]), "host.nvme.powerStates", ""});
    return energy;
}

std::vector<PowerStateReport> powerStatesOf(const std::vector<PowerState>& states,
                                            const std::vector<EnergyReport>& energy)
{
    double awake = 0;
    for (const EnergyReport& row : energy)
        awake += row.joule;
    std::vector<PowerStateReport> report;
    for (const PowerState& state : states) {
        report.push_back({state.watt, state.time, state.entries, asleepJoule(state)});
        if (report.size() > 1)
            awake -= report.back().joule;
    }
    if (!report.empty())
        report.front().joule = awake;
    return report;
}

} // namespace strobe::platform
