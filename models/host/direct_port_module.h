#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The direct link in simulated time: it wakes when something arrives.

#include "models/host/direct_link.h"
#include "models/host/link_port_module.h"

namespace strobe::host {

class DirectPortModule final : public LinkPortModule<DirectLink> {
public:
    DirectPortModule(const sc_core::sc_module_name& name, const DirectConfig& config, DataMode dataMode)
        : LinkPortModule(name, config, dataMode)
    {
    }
    std::vector<Line> lines() const override;
};

} // namespace strobe::host
