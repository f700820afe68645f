// SPDX-License-Identifier: Apache-2.0
#include "models/channel/nand_interface.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::channel {

namespace {

constexpr std::uint64_t bit(std::uint32_t lane)
{
    return std::uint64_t{1} << lane;
}
std::uint32_t lowest(std::uint64_t lanes)
{
    return static_cast<std::uint32_t>(__builtin_ctzll(lanes));
}

// Ranks in the order of SegmentClass: command request, data request, status response, data response.
constexpr std::array<NandInterface::Policy, 3> policies{{{SegmentOrder::CommandsFirst, {0, 1, 0, 1}, false},
                                                         {SegmentOrder::ResponsesFirst, {1, 1, 0, 0}, false},
                                                         {SegmentOrder::Fifo, {0, 0, 0, 0}, true}}};
constexpr std::uint8_t backgroundRank = 0x10; // above every rank of a policy

const NandInterface::Policy& policyOf(SegmentOrder order)
{
    const auto row =
        std::find_if(policies.begin(), policies.end(), [order](const auto& p) { return p.order == order; });
    check(row != policies.end(), "a segment order has no policy");
    return *row;
}

} // namespace

NandInterface::NandInterface(const BusSchedule& schedule, std::uint32_t dies, SegmentOrder order,
                             const JoinPolicy& join)
    : NandInterface(DieSchedules(dies, std::make_shared<const BusSchedule>(schedule)), order, join)
{
}

NandInterface::NandInterface(DieSchedules schedules, SegmentOrder order, const JoinPolicy& join)
    : schedules_(std::move(schedules)), policy_(policyOf(order)), join_(join), plain_(join.isPlain()),
      lanes_(schedules_.size()), candidates_(schedules_.size())
{
    check(!schedules_.empty() && schedules_.size() <= maxDies, "a channel serves 1 to 64 dies");
    for (std::size_t die = 0; die < lanes_.size() && !plain_; ++die) {
        const std::size_t planes = schedules_[die]->part().geometry.planes;
        lanes_[die].train.more.reserve(std::max<std::size_t>(planes, 2));
        lanes_[die].suspended.more.reserve(std::max<std::size_t>(planes, 2));
    }
}

std::uint8_t NandInterface::rankOf(const nand::Operation& op, SegmentClass segment) const
{
    const std::uint8_t priority = op.priority == nand::Priority::Foreground ? 0 : backgroundRank;
    return static_cast<std::uint8_t>(priority + policy_.rank[static_cast<std::size_t>(segment)]);
}

void NandInterface::submit(std::uint32_t die, nand::Operation& op, Time now, void* owner)
{
    check(die < lanes_.size(), "an operation for a die that the channel does not have");
    Lane& lane = lanes_[die];
    op.submitted = now;
    (op.priority == nand::Priority::Foreground ? lane.foreground : lane.background).push({&op, owner});
    lane.maxQueued = std::max(lane.maxQueued, lane.queued());
    maxQueued_ = std::max(maxQueued_, ++queued_);
    if ((active_ & bit(die)) == 0)
        offerRequest(die);
    else if (!plain_)
        considerSuspend(die, now);
}

// The head of an idle die's queue becomes a candidate for the bus. A foreground operation may replace a background one
// that was the head before.
void NandInterface::offerRequest(std::uint32_t die)
{
    const Lane& lane = lanes_[die];
    const nand::Operation& op = *lane.queue().front().op;
    const bool hasData = schedules_[die]->hasDataIn(op.opcode);
    candidates_[die] = {std::max(op.submitted, lane.idleSince),
                        rankOf(op, hasData ? SegmentClass::DataRequest : SegmentClass::CommandRequest)};
    requests_ |= bit(die);
}

void NandInterface::arrayFinished(std::uint32_t die, Time ready)
{
    check(die < lanes_.size() && (active_ & bit(die)) != 0, "a die that has nothing to do reports ready");
    check((answered_ & bit(die)) == 0, "a die reports ready twice");
    nand::Operation& latest = lanes_[die].latest();
    check(ready >= latest.requestEnd, "a die is ready before it has its request");
    answered_ |= bit(die);
    const Time possible = schedules_[die]->responsePossible(latest, ready);
    if (plain_)
        offerResponse(die, possible);
    else
        arrayOfTrain(die, latest, ready, possible);
}

// The oldest operation of the lane becomes a candidate for its response.
void NandInterface::offerResponse(std::uint32_t die, Time possible)
{
    const nand::Operation& op = *lanes_[die].train.first.op;
    const bool hasData = schedules_[die]->hasDataOut(op.opcode);
    const Candidate candidate{possible,
                              rankOf(op, hasData ? SegmentClass::DataResponse : SegmentClass::StatusResponse)};
    if (schedules_[die]->responseTime(op) > Time{}) {
        offerOnBus(die, candidate);
    } else {
        candidates_[die] = candidate;
        silentResponses_ |= bit(die);
    }
}

// Joins responses_, or takes the place of what the lane had there.
void NandInterface::offerOnBus(std::uint32_t die, Candidate candidate)
{
    const bool mayDelay = (later_ & bit(die)) != 0 && candidates_[die].possible < candidate.possible;
    candidates_[die] = candidate;
    responses_ |= bit(die);
    later_ |= bit(die);
    nextLater_ = std::min(nextLater_, candidate.possible);
    if (mayDelay)
        findPossible(Time::min());
}

// Of many lanes whose time is known few are possible; the others need not be looked at again before the earliest is.
// Without branches, which nobody could foretell.
void NandInterface::findPossible(Time now)
{
    LaneSet later = 0;
    Time earliest = never;
    for (LaneSet lanes = later_; lanes != 0; lanes &= lanes - 1) {
        const std::uint32_t die = lowest(lanes);
        const Time possible = candidates_[die].possible;
        const bool isLater = possible > now;
        later |= std::uint64_t{isLater} << die;
        earliest = std::min(earliest, isLater ? possible : never);
    }
    later_ = later;
    nextLater_ = earliest;
}

// The best candidate of `lanes` that is possible at `now`. Lanes are visited in round-robin order, so that of equals
// the first one stays.
std::uint32_t NandInterface::choose(LaneSet lanes, Time now) const
{
    std::uint32_t best = maxDies;
    Candidate chosen{never, UINT8_MAX};
    const LaneSet later = lanes & (bit(firstTurn_) - 1);
    for (LaneSet turn : {lanes & ~later, later}) {
        for (; turn != 0; turn &= turn - 1) {
            const std::uint32_t die = lowest(turn);
            const Candidate& candidate = candidates_[die];
            const bool goesFirst =
                candidate.rank < chosen.rank ||
                (policy_.oldestFirst && candidate.rank == chosen.rank && candidate.possible < chosen.possible);
            if (goesFirst && candidate.possible <= now) {
                best = die;
                chosen = candidate;
            }
        }
    }
    return best;
}

std::optional<NandInterface::Grant> NandInterface::next(Time now)
{
    if (silentResponses_ != 0) {
        if (const std::uint32_t die = choose(silentResponses_, now); die < maxDies)
            return startResponse(die, now);
    }
    if (now < bus_.freeAt())
        return std::nullopt;
    if (nextLater_ <= now)
        findPossible(now);
    for (;;) {
        const std::uint32_t die = choose(requests_ | (responses_ & ~later_), now);
        if (die == maxDies)
            return std::nullopt;
        const bool isRequest = (requests_ & bit(die)) != 0;
        const std::optional<Grant> grant = isRequest ? startRequest(die, now) : startResponse(die, now);
        if (!grant) // it is too late to suspend
            continue;
        firstTurn_ = (die + 1) % dies();
        return grant;
    }
}

Time NandInterface::nextOpportunity(Time now) const
{
    const bool isPossible = (requests_ | (responses_ & ~later_)) != 0; // a request that waits is, since its arrival
    Time earliest = isPossible ? now : nextLater_;
    if (earliest != never)
        earliest = std::max(earliest, bus_.freeAt());
    for (LaneSet lanes = silentResponses_; lanes != 0; lanes &= lanes - 1)
        earliest = std::min(earliest, candidates_[lowest(lanes)].possible);
    return std::max(earliest, now);
}

NandInterface::Grant NandInterface::startRequest(std::uint32_t die, Time now)
{
    Lane& lane = lanes_[die];
    requests_ &= ~bit(die);
    active_ |= bit(die);
    --queued_;
    if (plain_) {
        lane.train.first = (lane.foreground.empty() ? lane.background : lane.foreground).pop();
    } else {
        lane.train.first = takeHead(lane);
        formTrain(die);
    }
    return grantRequest(die, lane.train.first, now);
}

NandInterface::Grant NandInterface::grantRequest(std::uint32_t die, const Waiting& waiting, Time now)
{
    return grantRequest(die, waiting, now, schedules_[die]->requestTime(*waiting.op));
}

NandInterface::Grant NandInterface::grantRequest(std::uint32_t die, const Waiting& waiting, Time now, Time busTime)
{
    nand::Operation& op = *waiting.op;
    op.requestStart = now;
    op.requestEnd = now + busTime;
    hold(candidates_[die].possible, now, busTime);
    return {die, &op, waiting.owner, Phase::Request, busTime};
}

std::optional<NandInterface::Grant> NandInterface::startResponse(std::uint32_t die, Time now)
{
    responses_ &= ~bit(die);
    silentResponses_ &= ~bit(die);
    if ((seconds_ & bit(die)) != 0)
        return startSecond(die, now);
    if (!plain_) {
        if (lanes_[die].step != Step::Response || startsCacheRead(lanes_[die]))
            return startStep(die, now);
    }
    const Waiting& running = lanes_[die].train.first;
    const Time busTime = schedules_[die]->responseTime(*running.op);
    if (busTime > Time{})
        hold(candidates_[die].possible, now, busTime);
    return Grant{die, running.op, running.owner, Phase::Response, busTime};
}

void NandInterface::hold(Time possible, Time now, Time duration)
{
    bus_.account(std::max(possible, measuredFrom_), now, duration);
    bus_.holdUntil(now + duration);
}

// A further request of the operation on the die: the second half of a copy-back, the next access of a page.
void NandInterface::offerSecond(std::uint32_t die, Time now, bool hasData)
{
    const nand::Operation& op = *lanes_[die].train.first.op;
    answered_ &= ~bit(die);
    seconds_ |= bit(die);
    offerOnBus(die, {now, rankOf(op, hasData ? SegmentClass::DataRequest : SegmentClass::CommandRequest)});
}

NandInterface::Grant NandInterface::startSecond(std::uint32_t die, Time now)
{
    const Waiting& waiting = lanes_[die].train.first;
    seconds_ &= ~bit(die);
    const Time start = waiting.op->requestStart;
    const bool isCopyIn = waiting.op->form == nand::Form::CopyIn;
    const Grant grant = isCopyIn ? grantRequest(die, waiting, now, schedules_[die]->copyInTime(*waiting.op))
                                 : grantRequest(die, waiting, now);
    waiting.op->requestStart = start; // the operation is one
    return grant;
}

bool NandInterface::finish(std::uint32_t die, Time now)
{
    check(die < lanes_.size() && (answered_ & ~(responses_ | silentResponses_) & bit(die)) != 0,
          "an operation finishes that has not had its response");
    Lane& lane = lanes_[die];
    nand::Operation& op = *lane.train.first.op;
    if (op.form == nand::Form::CopyOut && op.status == nand::Status::Ok && !op.blank) {
        op.form = nand::Form::CopyIn;
        offerSecond(die, now, op.replaced != 0);
        return false;
    }
    if (op.accesses != 0 && op.status == nand::Status::Ok) {
        --op.accesses;
        op.form = nand::Form::Access;
        offerSecond(die, now, op.opcode == nand::Opcode::Program);
        return false;
    }
    op.done = now;
    const Time start = std::max({op.requestStart, measuredFrom_, lane.accountedTo});
    lane.usage.account(std::max(op.submitted, measuredFrom_), start, now - start);
    lane.accountedTo = now;
    ++finished_;
    if (!plain_ && goOn(die, now))
        return true;
    lane.train.first = {};
    lane.idleSince = now;
    active_ &= ~bit(die);
    answered_ &= ~bit(die);
    if (lane.queued() > 0)
        offerRequest(die);
    return true;
}

void NandInterface::resetUsage(Time now)
{
    measuredFrom_ = now;
    finished_ = 0;
    maxQueued_ = queued_;
    bus_.resetUsageAt(now);
    for (Lane& lane : lanes_) {
        lane.usage.resetUsage();
        lane.maxQueued = lane.queued();
    }
}

} // namespace strobe::channel
