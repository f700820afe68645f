#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The bus of one channel: the segments that wait for it, which of them is next (segment_arbiter.h), until when it is
// held, and how long it was in use. What a segment does to its operation is decided by its lane (lane_segments.h). Owns
// no clock. With separate command lines the bus is DQ, and split() has CA beside it: then the caller asks split() what
// may start, and announces with plan() which lines the segment that it starts will take.

#include "models/base/check.h"
#include "models/base/resource.h"
#include "models/channel/segment_arbiter.h"
#include "models/channel/split_bus.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace strobe::channel {

// Aligned: what each segment needs is in three cache lines.
class alignas(64) ChannelBus {
public:
    // REQUIRES: as SegmentArbiter.
    ChannelBus(std::uint32_t lanes, std::unique_ptr<BusPolicy> policy, bool hasCommandLines = false)
        : segments_(lanes, std::move(policy)), split_(hasCommandLines ? std::make_unique<Split>() : nullptr)
    {
    }

    // Segments wait here; at most one of each lane.
    SegmentArbiter& segments() { return segments_; }
    const SegmentArbiter& segments() const { return segments_; }

    // The segment that the lane added last holds the bus for `duration`. Its wait is counted since it was possible.
    void hold(std::uint32_t lane, Time now, Time duration)
    {
        if (split_ != nullptr) {
            check(split_->planned.duration == duration, "a segment takes other lines than planned");
            split_->bus.take(split_->planned, std::max(segments_.possible(lane), measuredFrom_), now, bus_);
            return;
        }
        bus_.account(std::max(segments_.possible(lane), measuredFrom_), now, duration);
        bus_.holdUntil(now + duration);
    }
    bool isFree(Time now) const { return now >= bus_.freeAt(); }
    Time freeAt() const { return bus_.freeAt(); }
    const SplitBus* split() const { return split_ != nullptr ? &split_->bus : nullptr; } // null: one resource
    void plan(const LineUse& use) { split_->planned = use; }                             // REQUIRES: split()
    // The earliest time, not before `now`, at which a segment may start, as far as is known now; never if there is
    // none.
    Time nextOpportunity(Time now) const { return segments_.nextOpportunity(now, bus_.freeAt()); }

    const Resource& resource() const { return bus_; } // jobs are segments
    void resetUsage(Time now)                         // what holds the bus counts from now on
    {
        measuredFrom_ = now;
        if (split_ != nullptr)
            split_->bus.resetUsage(now, bus_);
        else
            bus_.resetUsageAt(now);
    }

private:
    struct Split {
        SplitBus bus;
        LineUse planned; // of the segment that starts
    };

    SegmentArbiter segments_;
    Resource bus_;
    Time measuredFrom_{};
    std::unique_ptr<Split> split_; // null without separate command lines
};

} // namespace strobe::channel
