#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The SATA link in simulated time: it wakes when the frame on the line ends. Calls of both sides start
// a frame at once if the line is free.

#include "models/host/link_port_module.h"
#include "models/host/sata_link.h"

namespace strobe::host {

class SataPortModule final : public LinkPortModule<SataLink> {
public:
    SataPortModule(const sc_core::sc_module_name& name, const SataConfig& config, DataMode dataMode)
        : LinkPortModule(name, config, dataMode)
    {
    }
    std::vector<Line> lines() const override;
    std::vector<Statistic> statistics() const override;
};

} // namespace strobe::host
