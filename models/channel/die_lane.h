#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What one die of a channel does as a whole: its queue, the operation or train of joined operations in progress
// (lane_train.h), the read option to which the die is set, and which segment follows. One operation at a time, or one
// train: others wait in the queue. What a segment does on the bus: lane_segments.h. Owns no clock.
//
// Parts with plane-independent reads: while isOpenToPlaneReads() the lane offers no segment of its own; the caller asks
// the planes first (plane_reader.h), which call offerNext() when none of them has anything to do.

#include "models/channel/bus_grant.h"
#include "models/channel/channel_counters.h"
#include "models/channel/die_queue.h"
#include "models/channel/die_usage.h"
#include "models/channel/join_policy.h"
#include "models/channel/lane_segments.h"
#include "models/channel/lane_train.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace strobe::channel {

class alignas(64) DieLane {
public:
    // `isPlain`: nothing on the channel is joined or suspended, and no part has word lines or plane-independent reads.
    // `join` and `counters` must outlive it.
    DieLane(const LaneSegments& segments, const JoinPolicy& join, bool isPlain, ChannelCounters& counters);

    // Arrivals join the queue; then the lane considers what they change.
    void push(const Waiting& waiting) { queue_.push(waiting); }
    void arrived(Time now);
    // R/B# rises after the request granted last, maybe in the future. Returns from when on the next segment is
    // possible.
    Time arrayFinished(Time ready);
    // The lane's segment gets the bus. Nothing: it was a suspend command, and it is too late for it.
    std::optional<BusGrant> start(Time now) { return segments_.hasRequest() ? startRequest(now) : startResponse(now); }
    std::optional<BusGrant> startResponse(Time now);
    // Which lines the lane's segment would take if it started now. REQUIRES: it has one; separate command lines.
    LineUse upcoming() const;
    // A stepped operation is suspended: nothing of it waits for the bus until proceed().
    bool isHeld() const { return isHeld_; }
    void proceed(Time now); // REQUIRES: isHeld()
    // The response ends: stamps op.done. False: a further request of the same operation follows.
    bool finish(Time now);

    bool isActive() const { return isActive_; } // an operation is between request and finish
    const DieQueue& queue() const { return queue_; }
    DieUsage& usage() { return usage_; }
    const DieUsage& usage() const { return usage_; }
    void resetUsage(Time now);

    // --- for the planes
    // -----------------------------------------------------------------------------------------------
    bool isOpenToPlaneReads() const { return hasPlaneReads_ && (!isActive_ || train_.servesReads()); }
    bool isSuspended() const { return train_.servesReads(); } // and serves reads
    // The place in the queue of the read that `plane` may start; LaneTrain::noRead if there is none.
    std::size_t findPlaneRead(std::uint32_t plane) const
    {
        return train_.findPlaneRead(queue_, *join_, part(), readOption_, plane);
    }
    Waiting takePlaneRead(std::size_t place);
    void planeReadEnded(Time now) { idleSince_ = now; }
    void withdraw() { segments_.withdraw(); }
    // No plane reads: the next operation of the whole die, or what follows the reads of a suspension.
    void offerNext(Time since);

private:
    using Step = LaneTrain::Step;

    const nand::Part& part() const { return segments_.schedule().part(); }
    const Waiting& running() const { return train_.first(); }

    LineUse upcomingRequest(const nand::Operation& op) const;
    LineUse upcomingStep() const;
    void offerRequest();
    void offerResponse(Time possible) { segments_.offerResponse(*running().op, possible); }
    void offerStep(Time possible);
    void offerAccess(LaneSegments::Phase phase, bool hasData, Time now);
    void considerSuspend(Time from);

    BusGrant startRequest(Time now);
    std::optional<BusGrant> startStep(Time now);
    BusGrant startNextRequest(Time now);
    BusGrant startCacheEnd(Time now);
    std::optional<BusGrant> startSuspend(Time now);
    BusGrant startResume(Time now);
    BusGrant startRead(Time now);
    void setReadOption(nand::Operation& op);

    // First what each operation of a channel that joins nothing needs, in four cache lines: everything up to the first
    // operation of the train.
    DieQueue queue_;
    LaneSegments segments_;
    ChannelCounters* counters_;
    Time idleSince_{};
    Time heldUntil_{}; // the response of a suspended operation is possible then, at the earliest
    bool isPlain_;
    bool hasPlaneReads_;
    bool isActive_ = false;
    bool isAnswered_ = false; // R/B# has risen, or will at a known time
    bool isHeld_ = false;
    std::uint8_t readOption_ = 0; // to which the die is set
    DieUsage usage_;
    LaneTrain train_;
    const JoinPolicy* join_;
};

} // namespace strobe::channel
