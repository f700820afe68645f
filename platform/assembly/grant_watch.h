#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Reports the grants of a channel's bus to StageEvents, and all that it is told to the watcher that was there before.

#include "models/channel/bus_watcher.h"
#include "platform/assembly/stage_events.h"

namespace strobe::platform {

class GrantWatch final : public channel::BusWatcher {
public:
    // `next`: null, or was there before. All outlive it.
    GrantWatch(StageEvents& events, const channel::NandInterface& interface, channel::BusWatcher* next)
        : events_(events), interface_(interface), next_(next)
    {
    }
    void granted(const channel::NandInterface::Grant& grant, Time start) override;
    void readyAt(std::uint32_t lane, Time ready) override;

private:
    StageEvents& events_;
    const channel::NandInterface& interface_;
    channel::BusWatcher* next_;
};

} // namespace strobe::platform
