#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The drive in a guest's slot during one power cycle, and what is measured of it. It is newly made in a separate
// simulation context, whose clock continues: what survives a power loss is in the lasting state.

#include "models/host/pcie/host_memory.h"
#include "models/tlm/agenda.h"
#include "platform/assembly/kernel_context.h"
#include "platform/assembly/lasting_state.h"
#include "platform/assembly/measurement.h"
#include "platform/assembly/ssd_module.h"
#include "platform/config/scenario.h"
#include "platform/guest/command_meter.h"
#include "platform/guest/guest_port_module.h"

#include <memory>
#include <string>

namespace strobe::platform::guest {

class GuestDrive {
public:
    // All must outlive it. The first one is at time 0.
    GuestDrive(const Scenario& scenario, LastingState& lasting, host::HostMemory& memory, Time powerOn);
    GuestDrive(const GuestDrive&) = delete;
    GuestDrive& operator=(const GuestDrive&) = delete;

    void beginPhase(const std::string& name, bool isMeasured, Time at);
    void cutPower(); // at this instant, when the guest is gone; the simulation is over
    // Into the lasting state, when the simulation is over. Once.
    void takeFindings();

    Agenda& agenda() { return *agenda_; }
    CommandMeter& meter() { return meter_; }
    GuestPortModule& port() { return port_; }
    SsdModule& ssd() { return ssd_; }

private:
    void countRecovery();
    std::unique_ptr<host::PciDriveFunction> makeFunction(host::HostMemory& memory) const;
    GuestCosts costs() const;

    KernelContext kernel_; // first, so that the modules go before it
    const Scenario& scenario_;
    LastingState& lasting_;
    Time powerOn_;
    bool isNew_; // nothing to recover
    bool isReady_ = false;
    std::shared_ptr<Agenda> agenda_ = Agenda::ofContext(); // before the modules that it wakes
    SsdModule ssd_;
    CommandMeter meter_;
    GuestPortModule port_;
    Measurement measurement_;
};

} // namespace strobe::platform::guest
