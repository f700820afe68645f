#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Connects RequestStages to a drive, its port and the host for one power cycle, and disconnects it at the end.

#include "models/channel/bus_watcher.h"
#include "models/host/driver.h"
#include "models/host/port_module.h"
#include "platform/assembly/request_stages.h"
#include "platform/assembly/ssd_module.h"
#include "platform/assembly/stage_sink.h"

#include <deque>

namespace strobe::platform {

class StageObservation {
public:
    // `sink`: null, or outlives it.
    StageObservation(SsdModule& ssd, const host::PortModule& port, host::HostDriver& driver, RequestStages::Done done,
                     StageSink* sink);
    ~StageObservation();
    StageObservation(const StageObservation&) = delete;
    StageObservation& operator=(const StageObservation&) = delete;

private:
    class Watch final : public channel::BusWatcher {
    public:
        Watch(RequestStages& stages, const channel::NandInterface& interface, channel::BusWatcher* next,
              StageSink* sink)
            : stages_(stages), interface_(interface), next_(next), sink_(sink)
        {
        }
        void granted(const channel::NandInterface::Grant& grant, Time start) override;
        void readyAt(std::uint32_t die, Time ready) override;

    private:
        RequestStages& stages_;
        const channel::NandInterface& interface_;
        channel::BusWatcher* next_; // was there before; null: none
        StageSink* sink_;
    };

    host::HostDriver& driver_;
    RequestStages stages_;
    std::deque<Watch> watches_; // of the channels
};

} // namespace strobe::platform
