// SPDX-License-Identifier: Apache-2.0
#include "models/host/sata_port_module.h"

namespace strobe::host {

std::vector<PortModule::Line> SataPortModule::lines() const
{
    return {{"host link", &link().line()}};
}

std::vector<Statistic> SataPortModule::statistics() const
{
    return withErrors(statisticsOf(link().counters()), link().config().errors, link().errors());
}

} // namespace strobe::host
