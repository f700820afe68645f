#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The NAND interface block of one channel (NAND_IF), without a kernel: one bus, and for each die a queue (die_queue.h)
// and the operations that it executes (lane_train.h). Coordinates them with the segment arbiter (segment_arbiter.h),
// which chooses the next segment by the bus policy (policy.h), and accounts bus and dies.
// The bus is held only for requests and responses, never for array time. A request holds it from the first command
// cycle to the confirm cycle, data-in included: it is never split.
// Programs of the pages of a word line wait until they are complete (word_lines.h) and are executed as one.
// A copy-back in halves (nand::Form::CopyOut) keeps its die from the first request to the last response.
// One operation per die at a time, or one train of joined ones (JoinPolicy): others of that die wait in its queue, in
// order of arrival, foreground before background.
// Parts with plane-independent reads (nand::Part::planeIndependentReads) have one more lane for each plane, whose reads
// start while no operation of the whole die is in progress, or while it is suspended (nand_interface_planes.cpp).
//
// The block keeps the read option (nand::Operation::readOption) to which each die is set. A read with another one
// begins with SET FEATURES, in the same tenure of the bus, so that no operation can come between.
//
// Time is an argument. The caller calls next() whenever the bus is free, which returns what to start now, and again at
// nextOpportunity(). A response that needs no bus (reset; no status read) is granted with a bus time of zero, bus free
// or not. Not modelled: splitting a segment, holding the bus for a better segment, multi-plane cache commands;
// suspending a die that answers on the backward path (its ready time is known too late).

#include "models/base/resource.h"
#include "models/channel/bus_schedule.h"
#include "models/channel/die_queue.h"
#include "models/channel/join_policy.h"
#include "models/channel/lane_train.h"
#include "models/channel/plane_lanes.h"
#include "models/channel/policy.h"
#include "models/channel/segment_arbiter.h"
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

    enum class Phase : std::uint8_t {
        Request,
        Response,
        CacheEnd // 3Fh: neither begins nor ends an operation
    };
    // Where operations of a die are in progress: its own lane, with the number of its position, or that of a plane.
    struct Grant {         // the bus goes to this segment now
        std::uint32_t die; // position on the channel
        nand::Operation* op;
        void* owner; // as given to submit()
        Phase phase;
        Time busTime; // how long the bus is held
        std::uint32_t lane;
    };

    // REQUIRES: 1 <= lanesFor() <= maxDies.
    NandInterface(const BusSchedule& schedule, std::uint32_t dies, SegmentOrder order, const JoinPolicy& join = {});
    NandInterface(DieSchedules schedules, SegmentOrder order, const JoinPolicy& join = {});
    NandInterface(DieSchedules schedules, std::unique_ptr<BusPolicy> policy, const JoinPolicy& join = {});

    // Joins the die's queue; op.submitted = now. `owner` is returned in the grants and is not used here.
    void submit(std::uint32_t die, nand::Operation& op, Time now, void* owner = nullptr);
    // R/B# rises, or the plane is ready, after the request granted last to the lane at `ready`, which may lie in the
    // future. REQUIRES: its request was granted; ready >= op.requestEnd.
    void arrayFinished(std::uint32_t lane, Time ready);
    // What starts at `now`, if anything does. Updates queues, accounts the bus, stamps op.requestStart and requestEnd.
    // A grant with bus time holds the bus until busFreeAt().
    std::optional<Grant> next(Time now);
    // The earliest time, not before `now`, at which next() may have an answer, as far as is known now; never if there
    // is none.
    Time nextOpportunity(Time now) const { return arbiter_.nextOpportunity(now, bus_.freeAt()); }
    // The response of the lane's operation ends at `now`: stamps op.done; the die takes the next one of its queue.
    // False: it was the first half of a copy-back, whose second half follows as soon as the bus is free for it.
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
    bool isIdle() const { return queued_ == 0 && active_ == 0 && planeReads_ == 0; }
    Time busFreeAt() const { return bus_.freeAt(); }
    // For observers, after a grant and before any other call: since when its segment could have started, but for the
    // bus.
    Time grantPossible(const Grant& grant) const { return arbiter_.possible(grant.lane); }
    // An operation that arrives for the die may change what happens next: it need not wait for the one in progress.
    bool isOpen(std::uint32_t die) const { return !plain_ || (active_ >> die & 1U) == 0; }
    // Busy time, waiting from a segment being possible to its start; jobs are segments.
    const Resource& bus() const { return bus_; }
    // From the start of the request to the end of the response, counted when an operation finishes; waiting from its
    // submission. Array time alone is counted by the die.
    const Resource& die(std::uint32_t position) const { return lanes_[position].usage; }
    std::size_t queued() const { return queued_; } // operations whose request has not started, all dies
    std::size_t maxQueued() const { return maxQueued_; }
    std::size_t maxQueued(std::uint32_t die) const { return lanes_[die].queue.maxSize(); }
    std::uint64_t finished() const { return finished_; }
    std::uint64_t suspensions() const { return suspensions_; }
    // Resets all figures; operations in progress at `now` are counted from `now` on.
    void resetUsage(Time now);

private:
    using DieSet = std::uint64_t; // bit per die
    using Step = LaneTrain::Step;

    // One die of the channel. With this member order each operation of a channel that joins nothing touches only the
    // first three cache lines: queues, times with the running operation, usage.
    struct alignas(64) Lane {
        DieQueue queue;
        Time idleSince{};
        Time accountedTo{}; // usage, while operations overlap
        LaneTrain train;
        Resource usage;
        std::uint8_t readOption = 0; // to which the die is set
    };

    // Segments for the arbiter.
    WaitingSegment segmentOf(std::uint32_t die, WaitingSegment::Phase phase, Time possible,
                             const nand::Operation& op) const;
    void addRequest(std::uint32_t die);
    void addResponse(std::uint32_t die, Time possible);
    void offerSecond(std::uint32_t die, WaitingSegment::Phase phase, Time now, bool hasData);
    void addStep(std::uint32_t die, Time possible);
    void considerSuspend(std::uint32_t die, Time from);

    // Grants of the bus.
    Grant startRequest(std::uint32_t die, Time now);
    std::optional<Grant> startResponse(std::uint32_t die, Time now);
    Grant startSecond(std::uint32_t die, Time now);
    std::optional<Grant> startStep(std::uint32_t die, Time now);
    Grant startNextRequest(std::uint32_t die, Time now);
    Grant startCacheEnd(std::uint32_t die, Time now);
    std::optional<Grant> startSuspend(std::uint32_t die, Time now);
    Grant startRead(std::uint32_t die, Time now);
    Grant grantCut(std::uint32_t die, nand::Form form, Time now);
    Grant grantRequest(std::uint32_t die, const Waiting& waiting, Time now, Time busTime);
    Grant grantRequest(std::uint32_t die, const Waiting& waiting, Time now);
    void setReferences(std::uint32_t die, nand::Operation& op);
    void hold(std::uint32_t lane, Time now, Time duration);

    // Plane-independent reads.
    bool hasPlaneReads(std::uint32_t die) const { return !planes_.empty() && planes_[die].planes() != 0; }
    std::uint32_t planeLane(std::uint32_t die, std::uint32_t plane) const { return dies() + die * mostPlanes_ + plane; }
    std::uint32_t dieOf(std::uint32_t lane) const { return lane < dies() ? lane : (lane - dies()) / mostPlanes_; }
    std::uint32_t planeOf(std::uint32_t lane) const { return (lane - dies()) % mostPlanes_; }
    std::size_t findPlaneRead(std::uint32_t die, std::uint32_t plane) const;
    void dieIsFree(std::uint32_t die, Time since);
    void offer(std::uint32_t die);
    Grant startPlane(std::uint32_t lane, Time now);
    void planeReady(std::uint32_t lane, Time ready);
    void finishPlane(std::uint32_t lane, Time now);
    void accountPlanes(std::uint32_t die, Time now);

    DieSchedules schedules_;
    JoinPolicy join_;
    bool plain_; // nothing is joined or suspended, and no part has word lines
    std::vector<Lane> lanes_;
    std::vector<WordLines> wordLines_; // by die; empty if no part has any
    std::vector<PlaneLanes> planes_;   // by die; empty if no part has plane-independent reads
    std::uint32_t mostPlanes_ = 0;     // of the dies with such reads
    std::size_t planeReads_ = 0;       // in progress
    SegmentArbiter arbiter_;
    DieSet seconds_ = 0;  // their segment is a further request of an operation that has several
    DieSet active_ = 0;   // an operation is between request and finish
    DieSet answered_ = 0; // of those: R/B# has risen, or will at a known time
    Resource bus_;
    Time measuredFrom_{};
    std::size_t queued_ = 0;
    std::size_t maxQueued_ = 0;
    std::uint64_t finished_ = 0;
    std::uint64_t suspensions_ = 0;
};

} // namespace strobe::channel
