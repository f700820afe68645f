// SPDX-License-Identifier: Apache-2.0
#include "models/host/pata_port_module.h"

namespace strobe::host {

std::vector<PortModule::Line> PataPortModule::lines() const
{
    return {{"host link", &link().line()}};
}

std::vector<PortModule::Counter> PataPortModule::counters() const
{
    const PataCounters& c = link().counters();
    return {{"bursts", c.bursts},
            {"paused_for_host_ps", static_cast<std::uint64_t>(c.hostPaused.count())},
            {"held_for_memory_ps", static_cast<std::uint64_t>(c.held.count())}};
}

} // namespace strobe::host
