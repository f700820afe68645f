// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_port_module.h"

namespace strobe::host {

std::vector<PortModule::Line> NvmePortModule::lines() const
{
    const PcieLink& pcie = link().function().link();
    return {{"host link to host", &pcie.toHost()}, {"host link to drive", &pcie.toDrive()}};
}

std::vector<Statistic> NvmePortModule::statistics() const
{
    const nvme::NvmePciFunction& function = link().function();
    return withErrors(statisticsOf(function.link().counters(), function.controller().counters()),
                      function.link().config().errors, function.link().errors());
}

} // namespace strobe::host
