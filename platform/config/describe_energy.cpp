// SPDX-License-Identifier: Apache-2.0
//
// Every parameter of energy, once; the energies of the dies: describe_part.cpp.
#include "models/base/resource_group.h"
#include "platform/config/describe_tools.h"
#include "platform/config/scenario_file.h"

namespace strobe::platform {

void describeEnergy(Fields& f, EnergyConfig& c)
{
    f.listOf(
        "components", c.components, "Consumers other than the arrays of the dies, whose energies are in the part.",
        [](Fields& g, EnergyComponent& e) {
            g.required().text("name", e.name, "Name in the report.");
            g.text("group", e.group,
                   "Group of resources whose busy time counts (" + energyGroups() + "); empty: a constant consumer.");
            const auto counted = [&]() -> Fields& {
                return g.onlyIf(!e.group.empty(), "a group of resources",
                                "without a group it is a constant consumer, which is idle all the time", {"group"});
            };
            physical(counted(), "active", Quantity::Power, e.activeWatt, "Power of each resource while busy.");
            physical(g, "idle", Quantity::Power, e.idleWatt, "Power of each resource while idle.");
            physical(counted(), "perJob", Quantity::Energy, e.perJobJoule, "Energy of each job served.");
            g.text("source", e.source, "Source of the numbers.");
        });
}

} // namespace strobe::platform
