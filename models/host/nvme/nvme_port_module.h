#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The NVMe port in simulated time: it wakes when packets arrive and when the driver has something to do.

#include "models/host/link_port_module.h"
#include "models/host/nvme/nvme_link.h"

namespace strobe::host {

class NvmePortModule final : public LinkPortModule<NvmeLink> {
public:
    NvmePortModule(const sc_core::sc_module_name& name, const NvmeConfig& config, DataMode dataMode)
        : LinkPortModule(name, config, dataMode)
    {
    }
    std::uint16_t hostSlotOf(const Command& command) const override
    {
        return link().driver().slotOf(command.origin >> 16U, static_cast<std::uint16_t>(command.origin));
    }
    void temperatureTaken(Time at) override;
    HostFaultCounters faults() const override { return link().driver().faults(); }
    std::vector<Line> lines() const override;
    std::vector<Statistic> statistics() const override;
    std::vector<PowerState> powerStates(Time now) const override;
};

} // namespace strobe::host
