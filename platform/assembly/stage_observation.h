#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Connects StageEvents to a drive, its port and the host for one power cycle, and disconnects it at the end.

#include "models/host/driver.h"
#include "models/host/port_module.h"
#include "platform/assembly/grant_watch.h"
#include "platform/assembly/ssd_module.h"
#include "platform/assembly/stage_events.h"

#include <deque>

namespace strobe::platform {

class StageObservation {
public:
    // `statistics` and `sink`: null, or outlive it.
    StageObservation(SsdModule& ssd, const host::PortModule& port, host::HostDriver& driver,
                     RequestStatistics* statistics, StageSink* sink);
    ~StageObservation();
    StageObservation(const StageObservation&) = delete;
    StageObservation& operator=(const StageObservation&) = delete;
    void stayInThread() { events_.stayInThread(); } // as of StageEvents
    void end() { events_.end(); } // the statistics have everything that has ended; nothing more is observed

private:
    host::HostDriver& driver_;
    StageEvents events_;
    std::deque<GrantWatch> watches_; // of the channels
};

} // namespace strobe::platform
