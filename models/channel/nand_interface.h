#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The NAND interface block of one channel (NAND_IF), without a kernel: a queue per die, one bus, and the policy that
// says which segment gets the bus next. The bus is held only for requests and responses, never for array time. A
// request holds it from the first command cycle to the confirm cycle, data-in included: it is never split.
// A copy-back in halves (nand::Form::CopyOut) keeps its die from the first request to the last response.
// One operation per die at a time, or one train of joined ones (JoinPolicy; nand_interface_trains.cpp): others of that
// die wait in its queue, in order of arrival, foreground before background.
//
// A foreground segment goes before any background segment. Then the policy (SegmentOrder):
//   commands-first  segments without page data (command phases of reads, erases and copy-backs; status reads) before
//                   data-in and data-out: arrays start early, and finished programs free their dies
//   responses-first finished dies are emptied before new work is started
//   fifo            in order of becoming possible
// Among equals: round-robin over the dies of the channel, starting behind the die served last. A new policy is one row
// in nand_interface.cpp.
//
// Time is an argument; next() is asked whenever the bus is free and answers what to start now, nextOpportunity() when
// to ask again. A response that needs no bus (reset; no status read) is granted with a bus time of zero, bus free or
// not. Not modelled: splitting a segment, holding the bus for a better segment, multi-plane cache commands; suspending
// a die that answers on the backward path (it says too late when it will be ready).

#include "models/base/enum_table.h"
#include "models/base/resource.h"
#include "models/base/ring_queue.h"
#include "models/channel/bus_schedule.h"
#include "models/channel/join_policy.h"
#include "models/nand/operation.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace strobe::channel {

enum class SegmentOrder : std::uint8_t { CommandsFirst, ResponsesFirst, Fifo };

inline constexpr std::array<EnumRow<SegmentOrder>, 3> segmentOrderTable{
    {{SegmentOrder::CommandsFirst, "commands-first", "commands without data before data phases"},
     {SegmentOrder::ResponsesFirst, "responses-first", "finished dies are emptied before new work starts"},
     {SegmentOrder::Fifo, "fifo", "in order of becoming possible"}}};
constexpr const auto& enumTable(SegmentOrder)
{
    return segmentOrderTable;
}

// By the dies' positions on the channel. Dies that have part and interface in common share one: it is looked at for
// each segment, and the caches hold it once.
using DieSchedules = std::vector<std::shared_ptr<const BusSchedule>>;

class NandInterface {
public:
    static constexpr std::uint32_t maxDies = 64;

    enum class Phase : std::uint8_t {
        Request,
        Response,
        CacheEnd // 3Fh: neither begins nor ends an operation
    };
    struct Grant {         // the bus goes to this segment now
        std::uint32_t die; // position on the channel
        nand::Operation* op;
        void* owner; // as given to submit()
        Phase phase;
        Time busTime; // how long the bus is held
    };

    // REQUIRES: 1 <= dies <= maxDies.
    NandInterface(const BusSchedule& schedule, std::uint32_t dies, SegmentOrder order, const JoinPolicy& join = {});
    NandInterface(DieSchedules schedules, SegmentOrder order, const JoinPolicy& join = {});

    // Joins the die's queue; op.submitted = now. `owner` comes back in the grants and is not looked at.
    void submit(std::uint32_t die, nand::Operation& op, Time now, void* owner = nullptr);
    // R/B# rises after the request granted last at `ready`, which may lie in the future. REQUIRES: its request was
    // granted; ready >= op.requestEnd.
    void arrayFinished(std::uint32_t die, Time ready);
    // What starts at `now`, if anything does. Updates queues, accounts the bus, stamps op.requestStart and requestEnd.
    // A grant with bus time stands for the bus until busFreeAt().
    std::optional<Grant> next(Time now);
    // The earliest time, not before `now`, at which next() may have an answer with what is known now; never if none.
    Time nextOpportunity(Time now) const;
    // The response of the running operation ends at `now`: stamps op.done; the die takes the next one of its queue.
    // False: it was the first half of a copy-back, whose second half follows as soon as the bus is free for it.
    bool finish(std::uint32_t die, Time now);

    std::uint32_t dies() const { return static_cast<std::uint32_t>(lanes_.size()); }
    bool isIdle() const { return queued_ == 0 && active_ == 0; }
    Time busFreeAt() const { return bus_.freeAt(); }
    // An operation that arrives for the die may change what happens next: it need not wait for the one at work.
    bool isOpen(std::uint32_t die) const { return !plain_ || (active_ >> die & 1U) == 0; }
    // Busy time, waiting from a segment being possible to its start; jobs are segments.
    const Resource& bus() const { return bus_; }
    // From the start of the request to the end of the response, counted when an operation finishes; waiting from its
    // submission. Array time alone is counted by the die.
    const Resource& die(std::uint32_t position) const { return lanes_[position].usage; }
    std::size_t queued() const { return queued_; } // operations whose request has not started, all dies
    std::size_t maxQueued() const { return maxQueued_; }
    std::size_t maxQueued(std::uint32_t die) const { return lanes_[die].maxQueued; }
    std::uint64_t finished() const { return finished_; }
    std::uint64_t suspensions() const { return suspensions_; }
    // Forgets all figures; what is under way at `now` counts from `now` on.
    void resetUsage(Time now);

    // How a policy sees a segment: what it is, and its place in the order.
    enum class SegmentClass : std::uint8_t { CommandRequest, DataRequest, StatusResponse, DataResponse };
    struct Policy {
        SegmentOrder order;
        std::array<std::uint8_t, 4> rank; // by SegmentClass; the lowest goes first
        bool oldestFirst;                 // among equal ranks, before round-robin
    };

private:
    using LaneSet = std::uint64_t; // bit per die

    struct Waiting {
        nand::Operation* op = nullptr;
        void* owner = nullptr;
    };
    // Operations of a die that are carried out together.
    enum class TrainKind : std::uint8_t { Single, Planes, CacheRead, CacheReadEnded, CacheProgram };
    struct Train {
        Waiting first; // the oldest that is not finished
        TrainKind kind = TrainKind::Single;
        std::uint32_t issued = 0;  // of `more`: their requests have been granted
        std::vector<Waiting> more; // behind it; cache: at most one issued and one reserved
    };
    // What a lane does when its turn comes as a candidate of responses_.
    enum class Step : std::uint8_t { Response, NextRequest, CacheEnd, Suspend, Read, Resume };
    struct Candidate { // the next segment of a lane, as far as the choice needs it
        Time possible{};
        std::uint8_t rank = 0; // priority above the policy's rank
    };
    struct alignas(64) Lane { // one die of the channel; first what each operation needs
        RingQueue<Waiting> background;
        Time idleSince{};
        Time accountedTo{}; // usage, while operations overlap
        Train train;        // from the first request to the last finish; first.op null: the lane is idle
        RingQueue<Waiting> foreground;
        std::size_t maxQueued = 0;
        Resource usage;

        Step step = Step::Response;
        Time arrayReady{}; // as reported last
        Train suspended;   // first.op null: nothing is
        nand::Form suspendedForm = nand::Form::Alone;
        Candidate response;            // of what may be suspended, in case it is not
        std::uint32_t suspensions = 0; // of the train
        std::uint32_t readsInRow = 0;  // of a suspension, or that passed waiting writes

        // Whose request was granted last. Suspend and resume travel with the first operation of their train.
        nand::Operation& latest() const
        {
            const bool isFirst = train.issued == 0 || step == Step::Suspend || step == Step::Resume;
            return isFirst ? *train.first.op : *train.more[train.issued - 1].op;
        }
        std::size_t queued() const { return foreground.size() + background.size(); }
        const RingQueue<Waiting>& queue() const { return foreground.empty() ? background : foreground; }
    };
    std::uint8_t rankOf(const nand::Operation& op, SegmentClass segment) const;
    void offerRequest(std::uint32_t die);
    void offerOnBus(std::uint32_t die, Candidate candidate);
    void findPossible(Time now);
    std::uint32_t choose(LaneSet lanes, Time now) const; // maxDies if nothing is possible
    Grant startRequest(std::uint32_t die, Time now);
    std::optional<Grant> startResponse(std::uint32_t die, Time now);
    Grant grantRequest(std::uint32_t die, const Waiting& waiting, Time now);
    Grant grantRequest(std::uint32_t die, const Waiting& waiting, Time now, Time busTime);
    void offerSecond(std::uint32_t die, Time now, bool hasData);
    Grant startSecond(std::uint32_t die, Time now);
    void offerResponse(std::uint32_t die, Time possible);

    // Trains (nand_interface_trains.cpp). REQUIRES: !plain_
    void offerStep(std::uint32_t die, Step step, const nand::Operation& op, SegmentClass segment, Time possible);
    void formTrain(std::uint32_t die);
    Waiting takeHead(Lane& lane);
    void arrayOfTrain(std::uint32_t die, nand::Operation& latest, Time ready, Time possible);
    std::optional<Grant> startStep(std::uint32_t die, Time now);
    Grant startNextRequest(std::uint32_t die, Time now);
    bool startsCacheRead(Lane& lane);
    bool goOn(std::uint32_t die, Time now);
    void considerSuspend(std::uint32_t die, Time from);
    std::optional<Grant> startSuspend(std::uint32_t die, Time now);
    std::optional<Grant> startResume(std::uint32_t die, Time now);
    Grant grantCut(std::uint32_t die, nand::Form form, Time now);
    std::size_t findRead(const RingQueue<Waiting>& queue, const Train* suspended) const;
    void hold(Time possible, Time now, Time duration);

    DieSchedules schedules_;
    const Policy& policy_; // a row of the table of policies
    JoinPolicy join_;
    bool plain_; // nothing is joined or suspended
    std::vector<Lane> lanes_;
    std::vector<Candidate> candidates_; // by lane; valid for lanes in one of the three sets
    LaneSet requests_ = 0;              // idle die, operation waiting
    LaneSet responses_ = 0;             // ready now or at a known time, response needs the bus
    LaneSet later_ = 0;                 // of responses_: not possible yet when findPossible() looked last
    Time nextLater_ = never;            // the earliest of these
    LaneSet silentResponses_ = 0;       // as responses_, response needs no bus
    LaneSet seconds_ = 0;               // of responses_: those that are requests, of an operation that has several
    LaneSet active_ = 0;                // an operation is between request and finish
    LaneSet answered_ = 0;              // of those: R/B# has risen, or will at a known time
    std::uint32_t firstTurn_ = 0;       // round-robin: the lane behind the one served last
    Resource bus_;
    Time measuredFrom_{};
    std::size_t queued_ = 0;
    std::size_t maxQueued_ = 0;
    std::uint64_t finished_ = 0;
    std::uint64_t suspensions_ = 0;
};

} // namespace strobe::channel
