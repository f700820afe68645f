#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The SATA link in simulated time: it wakes when the frame on the line ends. Calls of both sides start
// a frame at once if the line is free.

#include "models/host/port_module.h"
#include "models/host/sata_link.h"
#include "models/tlm/agenda.h"

namespace strobe::host {

class SataPortModule final : public PortModule {
public:
    SataPortModule(const sc_core::sc_module_name& name, const SataConfig& config, DataMode dataMode);
    void connect(HostPort& drive, HostSide& host) override { link_.connect(drive, host); }
    std::vector<Line> lines() const override { return {{"host link", &link_.line()}}; }
    std::vector<Counter> counters() const override;
    void resetUsage() override { link_.resetUsage(); }

    void driveReady(Time at) override;
    void transfer(const TransferOrder& order, Time at) override;
    void complete(std::uint16_t slot, CommandStatus status, Time at) override;
    void issue(const Command& command, Time at) override;

    SataLink& link() { return link_; }
    const SataLink& link() const { return link_; }

private:
    void step();
    void arm();

    SataLink link_;
    Wake wake_ = Wake::calls<&SataPortModule::step>(*this);
};

} // namespace strobe::host
