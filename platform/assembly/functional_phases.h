#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The functional phases of a power cycle: when the host has come to one and the drive has nothing left to do, they are
// served at this instant, without simulated time (functional_drive.h).

#include "models/host/host_driver_module.h"
#include "models/host/port_module.h"
#include "platform/assembly/lasting_state.h"
#include "platform/assembly/run_ending.h"
#include "platform/assembly/ssd_module.h"

namespace strobe::platform {

class FunctionalPhases {
public:
    // Of one power cycle; all must outlive it.
    FunctionalPhases(const Scenario& scenario, host::HostDriver& driver, SsdModule& ssd, host::HostDriverModule& module,
                     host::PortModule& port)
        : scenario_(scenario), driver_(driver), ssd_(ssd), module_(module), port_(port)
    {
    }

    bool isDue();        // one is next, and the drive has nothing left to do before it
    bool isNext() const; // the phase that the host has come to is functional

    enum class End {
        Served,
        Stuck,  // firmware sleeps and the flash has nothing to do, but requests are outstanding
        Overdue // the user has stopped the run, and commands do not end
    };
    End serve(RunObserver& observer, RunEnding& ending); // all that follow each other

private:
    const Scenario& scenario_;
    host::HostDriver& driver_;
    SsdModule& ssd_;
    host::HostDriverModule& module_;
    host::PortModule& port_;
};

} // namespace strobe::platform
