#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Energy of the measured time, per component: named powers and energies of the scenario applied to the activity of the
// resources, and the array operations of the dies by the part's figures.
//   component  activeWatt * busy + idleWatt * (members * measured - busy) + perJobJoule * jobs   (over its group)
//   dies       operations * joule of the part, and idleWatt * (dies * measured - array busy)
// In power states that are not operational the drive takes the state's power in place of all idle powers: `measured`
// above is the time in the others then.

#include "models/host/port_figures.h"
#include "models/nand/die.h"
#include "platform/config/scenario.h"
#include "platform/report/report.h"

namespace strobe::platform {

std::vector<EnergyReport> energyOf(const Scenario& scenario, const std::vector<ResourceReport>& resources,
                                   const nand::DieCounters& array, const nand::PslcCounters& pslc,
                                   const std::vector<host::PortFigures::PowerState>& states, Time measured);
// With the energy in each. `metered`: in the operational states, by PowerMeter, which divides their energy; without
// any, their times divide it.
std::vector<PowerStateReport> powerStatesOf(const std::vector<host::PortFigures::PowerState>& states,
                                            const std::vector<double>& metered,
                                            const std::vector<EnergyReport>& energy);

} // namespace strobe::platform
