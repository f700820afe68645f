#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The supply of a drive during a power cycle: what happens when it fails or is switched off, and the counts of losses
// and recoveries. Capacitors supply a drive with a protected write cache for a while: the host is gone, and firmware
// saves what it has acknowledged.

#include "models/host/host_driver_module.h"
#include "models/tlm/agenda.h"
#include "platform/assembly/lasting_state.h"
#include "platform/assembly/measurement.h"
#include "platform/assembly/sampling.h"
#include "platform/assembly/ssd_module.h"

#include <cstdint>
#include <optional>

namespace strobe::platform {

class Supply {
public:
    // Of one power cycle; all must outlive it.
    Supply(const Scenario& scenario, LastingState& lasting, SsdModule& ssd, host::HostDriverModule& host,
           Measurement& measurement, Sampling& sampling, Agenda& agenda, Time powerOn);

    void countRecovery();                        // the drive is back, or was about to be
    void countReadBack(std::optional<Time> end); // nothing: power was lost before. REQUIRES: the drive is back
    // At this instant; the simulation is over.
    void fail();
    // The same, but each die ends the operation that is in its array; what it has suspended is interrupted.
    void switchOff();

private:
    void holdUp();
    void losePower(Time ofDies);
    std::uint64_t sectorsReadBack() const;

    const Scenario& scenario_;
    LastingState& lasting_;
    SsdModule& ssd_;
    host::HostDriverModule& host_;
    Measurement& measurement_;
    Sampling& sampling_;
    Agenda& agenda_;
    Time powerOn_;
    bool isNew_; // nothing to recover
    bool isRecovered_ = false;
    bool isReadBack_ = false;
    std::uint64_t readBackBefore_ = 0; // sectors, when the drive was ready
};

} // namespace strobe::platform
