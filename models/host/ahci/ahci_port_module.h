#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The AHCI port in simulated time: it wakes for the link, the adapter and the driver.

#include "models/host/ahci/ahci_link.h"
#include "models/host/link_port_module.h"

namespace strobe::host {

class AhciPortModule final : public LinkPortModule<AhciLink> {
public:
    AhciPortModule(const sc_core::sc_module_name& name, const AhciPortConfig& config, DataMode dataMode)
        : LinkPortModule(name, config, dataMode)
    {
    }
    HostFaultCounters faults() const override { return link().driver().faults(); }
    std::vector<Line> lines() const override;
    std::vector<Statistic> statistics() const override;
};

} // namespace strobe::host
