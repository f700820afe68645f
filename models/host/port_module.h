#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What the platform sees of a protocol front in simulated time, whatever the protocol: both ends of the link, and its
// lines for the report.

#include "models/host/command_port.h"
#include "models/host/host_faults.h"
#include "models/host/port_figures.h"

#include <cstdint>
#include <systemc>

namespace strobe::host {

// A port with a host of Strobe's own.
class PortModule : public sc_core::sc_module, public PortFigures, public Front, public HostLink {
public:
    virtual void connect(HostPort& drive, HostSide& host) = 0; // before the simulation starts
    // The host's slot of a command in the drive, for observers.
    virtual std::uint16_t hostSlotOf(const Command& command) const { return command.slot; }
    virtual HostFaultCounters faults() const { return {}; } // of the driver, since it started

protected:
    explicit PortModule(const sc_core::sc_module_name& name) : sc_module(name) {}
};

} // namespace strobe::host
