#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The SATA link in simulated time: one SC_METHOD that wakes when the frame on the line ends. Calls of both sides start
// a frame at once if the line is free.

#include "models/host/sata_link.h"

#include <systemc>

namespace strobe::host {

class SataPortModule : public sc_core::sc_module, public Front, public HostLink {
public:
    SataPortModule(const sc_core::sc_module_name& name, const SataConfig& config, DataMode dataMode);
    void connect(HostPort& drive, HostSide& host) { link_.connect(drive, host); } // before the simulation starts

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
    sc_core::sc_event wake_;
    Time armed_ = never;
};

} // namespace strobe::host
