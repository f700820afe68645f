// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_port_module.h"

namespace strobe::host {

std::vector<PortModule::Line> NvmePortModule::lines() const
{
    return {{"host link to host", &link().link().toHost()}, {"host link to drive", &link().link().toDrive()}};
}

std::vector<PortModule::Counter> NvmePortModule::counters() const
{
    const PcieCounters& packets = link().link().counters();
    const nvme::ControllerCounters c = link().controller().counters();
    return {{"packets_to_host", packets.packetsToHost},
            {"packets_to_drive", packets.packetsToDrive},
            {"commands_fetched", c.commands},
            {"fetches", c.fetches},
            {"interrupts", c.messages},
            {"completions_held_back", c.heldBack},
            {"commands_urgent", c.byPriority[0]},
            {"commands_high", c.byPriority[1]},
            {"commands_medium", c.byPriority[2]},
            {"commands_low", c.byPriority[3]}};
}

} // namespace strobe::host
