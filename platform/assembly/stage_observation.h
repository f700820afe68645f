#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Connects StageEvents to a drive, its port and the host for one power cycle, and disconnects it at the end.

#include "models/channel/bus_watcher.h"
#include "models/host/driver.h"
#include "models/host/port_module.h"
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
    void flush() { events_.flush(); } // the statistics have everything that has ended

private:
    class Watch final : public channel::BusWatcher {
    public:
        Watch(StageEvents& events, const channel::NandInterface& interface, channel::BusWatcher* next)
            : events_(events), interface_(interface), next_(next)
        {
        }
        void granted(const channel::NandInterface::Grant& grant, Time start) override;
        void readyAt(std::uint32_t lane, Time ready) override;

    private:
        StageEvents& events_;
        const channel::NandInterface& interface_;
        channel::BusWatcher* next_; // was there before; null: none
    };

    host::HostDriver& driver_;
    StageEvents events_;
    std::deque<Watch> watches_; // of the channels
};

} // namespace strobe::platform
