#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The segments of one lane of a channel: the one that waits for the bus, with its class and the time from which it is
// possible, and what each does when the bus is granted to it: how long it holds the bus and which time stamps its
// operation gets. Which segment follows is decided by the lane (die_lane.h, plane_reader.h). Owns no clock.

#include "models/channel/bus_grant.h"
#include "models/channel/bus_schedule.h"
#include "models/channel/channel_bus.h"
#include "models/channel/die_queue.h"
#include "models/channel/policy.h"

#include <cstdint>

namespace strobe::channel {

class LaneSegments {
public:
    using Phase = WaitingSegment::Phase;

    // `bus` and `schedule` must outlive it.
    LaneSegments(ChannelBus& bus, const BusSchedule& schedule, std::uint32_t die, std::uint32_t lane)
        : bus_(&bus), schedule_(&schedule), die_(die), lane_(lane)
    {
    }

    const BusSchedule& schedule() const { return *schedule_; }

    // What waits next; it replaces the segment that waited before.
    void offerRequest(const nand::Operation& op, Time possible); // the first of an idle lane
    void offer(Phase phase, const nand::Operation& op, Time possible);
    void offerResponse(const nand::Operation& op, Time possible); // it may need no bus
    // A further request of the same operation: the second half of a copy-back, the next access of a page.
    void offerSecond(Phase phase, const nand::Operation& op, bool hasData, Time now);
    void withdraw() { bus_->segments().withdraw(lane_); } // it starts, or is no longer needed

    bool hasRequest() const { return bus_->segments().hasRequest(lane_); } // offered as such
    bool hasResponse() const { return bus_->segments().hasResponse(lane_); }
    bool isSecond() const { return isSecond_; }
    Time possible() const { return bus_->segments().possible(lane_); } // of the last segment

    // The bus is granted. REQUIRES: the segment was offered last.
    BusGrant request(const Waiting& waiting, Time now) { return request(waiting, now, requestTime(waiting)); }
    BusGrant second(const Waiting& waiting, Time now); // its operation keeps the start of its first request
    // Suspend or resume: the command is sent on the payload of its operation, which keeps the start of its request.
    BusGrant cut(const Waiting& waiting, nand::Form form, Time now);
    BusGrant response(const Waiting& waiting, Time now);
    BusGrant cacheEnd(const Waiting& waiting, Time now);

private:
    Time requestTime(const Waiting& waiting) const { return schedule_->requestTime(*waiting.op); }
    BusGrant request(const Waiting& waiting, Time now, Time busTime);
    WaitingSegment segment(Phase phase, const nand::Operation& op, Time possible) const;

    ChannelBus* bus_;
    const BusSchedule* schedule_;
    std::uint32_t die_;
    std::uint32_t lane_;
    bool isSecond_ = false;
};

} // namespace strobe::channel
