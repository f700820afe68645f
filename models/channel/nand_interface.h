#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The NAND interface block of one channel (NAND_IF), without a kernel: one bus, and for each die a queue and the
// operations that it executes. This class connects the parts; they own the state, and each has a test of its own:
//
// clang-format off
//   ChannelBus        the segments that wait, which is next, how long the bus is held   channel_bus.h, segment_arbiter.h
//   LaneSegments      a lane's segments: class, time, what a grant does                 lane_segments.h
//   DieLane           what one die does as a whole, and which segment follows           die_lane.h, lane_train.h
//   PlaneReader       plane-independent reads of one die, in a lane for each plane      plane_reader.h, plane_lanes.h
//   DieUsage          how long a die was in use                                         die_usage.h
//   ChannelCounters   operations that wait, are in progress and have finished           channel_counters.h
// clang-format on
//
// With separate command lines (line_use.h) a segment of one die may start while another's is under way; which one is
// next is decided in the same order among those whose lines are free. A segment with data keeps the other planes of its
// die from the lines until it ends.
//
// The bus is held only for requests and responses, never for array time. A request holds it from the first command
// cycle to the confirm cycle, data-in included: it is never split.
// Programs of the pages of a word line wait until they are complete (word_lines.h) and are executed as one.
// A copy-back in halves (nand::Form::CopyOut) keeps its die from the first request to the last response.
// One operation per die at a time, or one train of joined ones (JoinPolicy): others of that die wait in its queue, in
// order of arrival, foreground before background.
//
// The block keeps the read option (nand::Operation::readOption) to which each die is set. A read with another one
// begins with SET FEATURES, in the same tenure of the bus, so that no operation can come between.
//
// Time is an argument. The caller calls next() whenever the bus is free, or at any time with separate command lines. It
// returns what to start now; the caller calls it again at nextOpportunity(). A response that needs no bus (reset; no
// status read) is granted with a bus time of zero, bus free or not. Not modelled: splitting a segment, holding the bus
// for a better segment, multi-plane cache reads; suspending a die that answers on the backward path (its ready time is
// known too late).

#include "models/channel/bus_grant.h"
#include "models/channel/bus_schedule.h"
#include "models/channel/channel_bus.h"
#include "models/channel/channel_counters.h"
#include "models/channel/die_lane.h"
#include "models/channel/join_policy.h"
#include "models/channel/plane_reader.h"
#include "models/channel/policy.h"
#include "models/channel/word_lines.h"
#include "models/nand/operation.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace strobe::channel {

// By the dies' positions on the channel. Dies with the same part and interface share one schedule: it is read for each
// segment, and the caches hold it once.
using DieSchedules = std::vector<std::shared_ptr<const BusSchedule>>;

class NandInterface {
public:
    static constexpr std::uint32_t maxDies = SegmentArbiter::maxDies;

    using Phase = GrantPhase;
    using Grant = BusGrant;

    // REQUIRES: 1 <= lanesFor() <= maxDies.
    NandInterface(const BusSchedule& schedule, std::uint32_t dies, SegmentOrder order, const JoinPolicy& join = {});
    NandInterface(DieSchedules schedules, SegmentOrder order, const JoinPolicy& join = {});
    NandInterface(DieSchedules schedules, std::unique_ptr<BusPolicy> policy, const JoinPolicy& join = {});

    NandInterface(const NandInterface&) = delete;
    NandInterface& operator=(const NandInterface&) = delete;

    // Joins the die's queue; op.submitted = now. `owner` is returned in the grants and is not used here.
    void submit(std::uint32_t die, nand::Operation& op, Time now, void* owner = nullptr);
    // R/B# rises, or the plane is ready, after the request granted last to the lane at `ready`, which may lie in the
    // future. REQUIRES: its request was granted; ready >= op.requestEnd.
    void arrayFinished(std::uint32_t lane, Time ready);
    // The lane's operation is stepped and suspended: after arrayFinished(), and after finish() of a copy-out. Its next
    // primitive follows proceed(), from `now` on. REQUIRES of proceed(): isHeld()
    bool isHeld(std::uint32_t lane) const { return lane < dies() && lanes_[lane].isHeld(); }
    void proceed(std::uint32_t lane, Time now) { lanes_[lane].proceed(now); }
    // What starts at `now`, if anything does. Updates queues, accounts the bus, stamps op.requestStart and requestEnd.
    // A grant with bus time holds the bus until busFreeAt(); with separate command lines, the lines of its LineUse.
    std::optional<Grant> next(Time now)
    {
        const bool isPossible = bus_.isFree(now) || bus_.segments().hasSilent() || bus_.split() != nullptr;
        return isPossible ? choose(now) : std::nullopt;
    }
    // The earliest time, not before `now`, at which next() may have an answer, as far as is known now; never if there
    // is none.
    Time nextOpportunity(Time now) const
    {
        return bus_.split() == nullptr ? bus_.nextOpportunity(now) : nextOnLines(now);
    }
    // The response of the lane's operation ends at `now`: stamps op.done; the die takes the next one of its queue.
    // False: it was the first half of a copy-back, whose second half follows as soon as the bus is free for it (and its
    // owner lets it proceed, if it is stepped).
    bool finish(std::uint32_t lane, Time now);

    // That many dies of the part on one channel have that many lanes.
    static std::uint32_t lanesFor(const nand::Part& part, std::uint32_t dies)
    {
        return part.hasPlaneReads() ? dies * (1 + part.geometry.planes) : dies;
    }
    // The lane of an operation of `die` whose request has been granted.
    std::uint32_t laneOf(std::uint32_t die, const nand::Operation& op) const
    {
        return op.form == nand::Form::PlaneRead
                   ? planeLane(die, schedules_[die]->part().geometry.planeOf(op.target.block))
                   : die;
    }
    std::uint32_t dies() const { return static_cast<std::uint32_t>(lanes_.size()); }
    bool isIdle() const { return counters_.isIdle(); }
    Time busFreeAt() const { return bus_.freeAt(); }
    // For observers, after a grant and before any other call: since when its segment could have started, but for the
    // bus.
    Time grantPossible(const Grant& grant) const { return bus_.segments().possible(grant.lane); }
    // An operation that arrives for the die may change what happens next: it need not wait for the one in progress.
    bool isOpen(std::uint32_t die) const { return !plain_ || !lanes_[die].isActive(); }
    // Separate command lines: several segments may be under way, so their ends follow from their grants, not from
    // busFreeAt().
    bool hasCommandLines() const { return bus_.split() != nullptr; }
    const Resource& commandLines() const { return bus_.split()->commands(); } // REQUIRES: hasCommandLines()
    // Busy time, waiting from a segment being possible to its start; jobs are segments.
    const Resource& bus() const { return bus_.resource(); } // with separate command lines: DQ
    const Resource& die(std::uint32_t position) const { return lanes_[position].usage().resource(); }
    std::size_t queued() const { return counters_.queued(); } // operations whose request has not started, all dies
    std::size_t maxQueued() const { return counters_.maxQueued(); }
    std::size_t maxQueued(std::uint32_t die) const { return lanes_[die].queue().maxSize(); }
    std::uint64_t finished() const { return counters_.finishedOperations(); }
    std::uint64_t suspensions() const { return counters_.suspensions(); }
    // Resets all figures; operations in progress at `now` are counted from `now` on.
    void resetUsage(Time now);

private:
    std::uint32_t planeLane(std::uint32_t die, std::uint32_t plane) const { return dies() + die * mostPlanes_ + plane; }
    std::uint32_t dieOfPlane(std::uint32_t lane) const { return (lane - dies()) / mostPlanes_; }
    std::uint32_t dieOf(std::uint32_t lane) const { return lane < dies() ? lane : dieOfPlane(lane); }
    std::uint32_t planeOf(std::uint32_t lane) const { return (lane - dies()) % mostPlanes_; }
    std::optional<Grant> choose(Time now);
    std::optional<Grant> chooseOnLines(Time now);
    Time nextOnLines(Time now) const;
    // When the lines are free for what the lane sends next, not before `from`.
    Time linesFree(std::uint32_t lane, const LineUse& use, Time from) const;
    LineUse upcoming(std::uint32_t lane) const;
    std::optional<Grant> start(std::uint32_t lane, Time now);
    bool gather(std::uint32_t die, const Waiting& waiting);

    DieSchedules schedules_;
    JoinPolicy join_;
    std::uint32_t mostPlanes_; // of the dies with plane-independent reads
    bool plain_;               // nothing is joined or suspended, and no part has word lines or such reads
    ChannelBus bus_;
    ChannelCounters counters_;
    std::vector<DieLane> lanes_;
    std::vector<PlaneReader> planes_;  // by die; empty if no part has plane-independent reads
    std::vector<WordLines> wordLines_; // by die; empty if no part has any
    // Separate command lines and plane-independent reads, else empty: by die, the end of its last segment with data.
    std::vector<Time> dataUntil_;
};

} // namespace strobe::channel
