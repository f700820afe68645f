// SPDX-License-Identifier: Apache-2.0
#include "models/host/pata_port_module.h"

namespace strobe::host {

std::vector<PortModule::Line> PataPortModule::lines() const
{
    return {{"host link", &link().line()}};
}

std::vector<Statistic> PataPortModule::statistics() const
{
    return statisticsOf(link().counters());
}

} // namespace strobe::host
