// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_port_module.h"

namespace strobe::host {

std::vector<PortModule::Line> NvmePortModule::lines() const
{
    return {{"host link to host", &link().link().toHost()}, {"host link to drive", &link().link().toDrive()}};
}

std::vector<Statistic> NvmePortModule::statistics() const
{
    return statisticsOf(link().link().counters(), link().controller().counters());
}

} // namespace strobe::host
