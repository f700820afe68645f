#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Watches a channel's bus: reports its grants to StageEvents, and passes every call on to the watcher that the channel
// had before.

#include "models/channel/bus_watcher.h"
#include "platform/assembly/stage_events.h"

namespace strobe::platform {

class GrantWatch final : public channel::BusWatcher {
public:
    // `next`: the watcher that the channel had before, or null. All outlive this one.
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
