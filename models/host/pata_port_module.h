#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The parallel ATA cable in simulated time: it wakes when registers have been written or read and when a burst ends.

#include "models/host/link_port_module.h"
#include "models/host/pata_link.h"

namespace strobe::host {

class PataPortModule final : public LinkPortModule<PataLink> {
public:
    PataPortModule(const sc_core::sc_module_name& name, const PataConfig& config, DataMode dataMode)
        : LinkPortModule(name, config, dataMode)
    {
    }
    std::vector<Line> lines() const override;
    std::vector<Statistic> statistics() const override;
};

} // namespace strobe::host
