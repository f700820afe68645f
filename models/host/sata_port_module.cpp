// SPDX-License-Identifier: Apache-2.0
#include "models/host/sata_port_module.h"

namespace strobe::host {

std::vector<PortModule::Line> SataPortModule::lines() const
{
    return {{"host link", &link().line()}};
}

std::vector<PortModule::Counter> SataPortModule::counters() const
{
    const SataCounters& c = link().counters();
    return {{"data_phases", c.dataPhases},
            {"completions_coalesced", c.coalesced},
            {"held_for_memory_ps", static_cast<std::uint64_t>(c.held.count())}};
}

} // namespace strobe::host
