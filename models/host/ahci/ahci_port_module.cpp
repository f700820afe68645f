// SPDX-License-Identifier: Apache-2.0
#include "models/host/ahci/ahci_port_module.h"

namespace strobe::host {

std::vector<PortModule::Line> AhciPortModule::lines() const
{
    return {{"host link", &link().link().line()}};
}

std::vector<Statistic> AhciPortModule::statistics() const
{
    return withErrors(statisticsOf(link().link().counters(), link().hba().counters()), link().link().config().errors,
                      link().link().errors());
}

} // namespace strobe::host
