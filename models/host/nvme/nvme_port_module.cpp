// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_port_module.h"

namespace strobe::host {

void NvmePortModule::temperatureTaken(Time at)
{
    link().temperatureTaken(at);
    arm();
}

std::vector<PortModule::Line> NvmePortModule::lines() const
{
    return link().function().lines();
}

std::vector<Statistic> NvmePortModule::statistics() const
{
    return link().function().statistics();
}

std::vector<PortModule::PowerState> NvmePortModule::powerStates(Time now) const
{
    return link().function().powerStates(now);
}

} // namespace strobe::host
