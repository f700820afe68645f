// SPDX-License-Identifier: Apache-2.0
#include "models/host/direct_port_module.h"

namespace strobe::host {

std::vector<PortModule::Line> DirectPortModule::lines() const
{
    return {{"host link to host", &link().toHost()}, {"host link to drive", &link().toDrive()}};
}

} // namespace strobe::host
