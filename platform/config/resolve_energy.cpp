// SPDX-License-Identifier: Apache-2.0
#include "models/base/resource_group.h"
#include "platform/config/resolve_sections.h"

#include <fmt/format.h>

namespace strobe::platform {

void resolveEnergy(Resolving& r)
{
    const auto& components = r.file.energy.components;
    for (std::size_t i = 0; i < components.size(); ++i) {
        const EnergyComponent& c = components[i];
        const auto group = enumValue<ResourceGroup>(c.group);
        r.checks.expect(c.group.empty() || (group && rowOf(*group).hasEnergy),
                        fmt::format("/energy/components/{}/group", i),
                        fmt::format("\"{}\" is not a group of resources; must be {}, or \"\" for a constant consumer",
                                    c.group, energyGroups()));
    }
    r.result.energy = r.file.energy;
}

} // namespace strobe::platform
