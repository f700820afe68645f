#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The direct link in simulated time: it wakes when something arrives.

#include "models/host/direct_link.h"
#include "models/host/port_module.h"
#include "models/tlm/agenda.h"

namespace strobe::host {

class DirectPortModule final : public PortModule {
public:
    DirectPortModule(const sc_core::sc_module_name& name, const DirectConfig& config, DataMode dataMode);
    void connect(HostPort& drive, HostSide& host) override { link_.connect(drive, host); }
    std::vector<Line> lines() const override;
    void resetUsage() override { link_.resetUsage(); }

    void driveReady(Time at) override;
    void transfer(const TransferOrder& order, Time at) override;
    void complete(std::uint16_t slot, CommandStatus status, Time at) override;
    void issue(const Command& command, Time at) override;

    const DirectLink& link() const { return link_; }

private:
    void step();
    void arm();

    DirectLink link_;
    Wake wake_ = Wake::calls<&DirectPortModule::step>(*this);
    bool isStepping_ = false;
};

} // namespace strobe::host
