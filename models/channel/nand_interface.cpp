// SPDX-License-Identifier: Apache-2.0
#include "models/channel/nand_interface.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::channel {

namespace {

constexpr std::uint64_t bit(std::uint32_t die)
{
    return std::uint64_t{1} << die;
}

// Of the dies with plane-independent reads.
std::uint32_t mostPlanes(const DieSchedules& schedules)
{
    std::uint32_t most = 0;
    for (const auto& schedule : schedules)
        most = std::max(most, schedule->part().hasPlaneReads() ? schedule->part().geometry.planes : 0);
    return most;
}

std::uint32_t lanesOf(const DieSchedules& schedules)
{
    return static_cast<std::uint32_t>(schedules.size()) * (1 + mostPlanes(schedules));
}

} // namespace

NandInterface::NandInterface(const BusSchedule& schedule, std::uint32_t dies, SegmentOrder order,
                             const JoinPolicy& join)
    : NandInterface(DieSchedules(dies, std::make_shared<const BusSchedule>(schedule)), order, join)
{
}

NandInterface::NandInterface(DieSchedules schedules, SegmentOrder order, const JoinPolicy& join)
    : NandInterface(std::move(schedules), makeBusPolicy(order), join)
{
}

NandInterface::NandInterface(DieSchedules schedules, std::unique_ptr<BusPolicy> policy, const JoinPolicy& join)
    : schedules_(std::move(schedules)), join_(join), plain_(join.isPlain()), lanes_(schedules_.size()),
      arbiter_(lanesOf(schedules_), std::move(policy))
{
    const auto geometryOf = [this](std::size_t die) -> const nand::DieGeometry& {
        return schedules_[die]->part().geometry;
    };
    for (std::size_t die = 0; die < lanes_.size(); ++die) {
        if (geometryOf(die).hasWordLines())
            wordLines_.resize(lanes_.size());
    }
    mostPlanes_ = mostPlanes(schedules_);
    for (std::size_t die = 0; die < lanes_.size() && mostPlanes_ != 0; ++die)
        planes_.emplace_back(schedules_[die]->part().hasPlaneReads() ? geometryOf(die).planes : 0);
    plain_ = plain_ && wordLines_.empty() && planes_.empty();
    for (std::size_t die = 0; die < lanes_.size() && !plain_; ++die)
        lanes_[die].train.reserve(std::size_t{geometryOf(die).planes} * geometryOf(die).pagesPerProgram);
}

void NandInterface::submit(std::uint32_t die, nand::Operation& op, Time now, void* owner)
{
    check(die < lanes_.size(), "an operation for a die that the channel does not have");
    op.submitted = now;
    maxQueued_ = std::max(maxQueued_, ++queued_);
    if (!wordLines_.empty() && WordLines::isPart(schedules_[die]->part().geometry, op)) {
        const std::vector<Waiting>& whole = wordLines_[die].add(schedules_[die]->part().geometry, {&op, owner});
        if (whole.empty())
            return;
        for (const Waiting& page : whole)
            lanes_[die].queue.push(page);
    } else {
        lanes_[die].queue.push({&op, owner});
    }
    const bool isIdle = (active_ & bit(die)) == 0;
    if (hasPlaneReads(die) && (isIdle || lanes_[die].train.servesReads()))
        offer(die);
    else if (isIdle)
        addRequest(die);
    else if (!plain_)
        considerSuspend(die, now);
}

WaitingSegment NandInterface::segmentOf(std::uint32_t die, WaitingSegment::Phase phase, Time possible,
                                        const nand::Operation& op) const
{
    const BusSchedule& schedule = *schedules_[die];
    SegmentClass kind = SegmentClass::CommandRequest;
    if (phase == WaitingSegment::Phase::Request)
        kind = schedule.hasDataIn(op.opcode) ? SegmentClass::DataRequest : SegmentClass::CommandRequest;
    else if (phase == WaitingSegment::Phase::Response)
        kind = schedule.hasDataOut(op.opcode) ? SegmentClass::DataResponse : SegmentClass::StatusResponse;
    else if (phase == WaitingSegment::Phase::CacheEnd)
        kind = SegmentClass::DataResponse;
    return {phase, kind, possible, op, schedule};
}

// The head of an idle die's queue becomes a candidate for the bus. A foreground operation may replace a background one
// that was the head before.
void NandInterface::addRequest(std::uint32_t die)
{
    const Lane& lane = lanes_[die];
    const nand::Operation& op = *lane.queue.front().op;
    Time possible = std::max(op.submitted, lane.idleSince);
    const nand::DieGeometry& geometry = schedules_[die]->part().geometry;
    if (WordLines::isPart(geometry, op)) { // with the last of its pages
        for (std::uint32_t i = 1; i < geometry.pagesPerProgram; ++i)
            possible = std::max(possible, lane.queue[i].op->submitted);
    }
    arbiter_.addRequest(die, segmentOf(die, WaitingSegment::Phase::Request, possible, op));
}

void NandInterface::arrayFinished(std::uint32_t die, Time ready)
{
    if (die >= lanes_.size()) {
        planeReady(die, ready);
        return;
    }
    check(die < lanes_.size() && (active_ & bit(die)) != 0, "an idle die reports ready");
    check((answered_ & bit(die)) == 0, "a die reports ready twice");
    LaneTrain& train = lanes_[die].train;
    const nand::Operation& latest = plain_ ? *train.first().op : train.latest();
    check(ready >= latest.requestEnd, "a die is ready before its request ended");
    answered_ |= bit(die);
    const Time possible = schedules_[die]->responsePossible(latest, ready);
    if (plain_) {
        addResponse(die, possible);
        return;
    }
    const Time requestEnd = latest.requestEnd;
    if (train.arrayDone(ready) != Step::Response) {
        if (hasPlaneReads(die) && train.servesReads())
            dieIsFree(die, possible);
        else
            addStep(die, possible);
    } else {
        addResponse(die, possible);
        considerSuspend(die, requestEnd);
    }
}

// The oldest operation of the lane becomes a candidate for its response.
void NandInterface::addResponse(std::uint32_t die, Time possible)
{
    const nand::Operation& op = *lanes_[die].train.first().op;
    const WaitingSegment segment = segmentOf(die, WaitingSegment::Phase::Response, possible, op);
    if (schedules_[die]->responseTime(op) > Time{})
        arbiter_.addResponse(die, segment);
    else
        arbiter_.addSilent(die, segment);
}

// A further request of the operation on the die: the second half of a copy-back, the next access of a page.
void NandInterface::offerSecond(std::uint32_t die, WaitingSegment::Phase phase, Time now, bool hasData)
{
    answered_ &= ~bit(die);
    seconds_ |= bit(die);
    const SegmentClass kind = hasData ? SegmentClass::DataRequest : SegmentClass::CommandRequest;
    arbiter_.addResponse(die, {phase, kind, now, *lanes_[die].train.first().op, *schedules_[die]});
}

// The next step of the lane's train.
void NandInterface::addStep(std::uint32_t die, Time possible)
{
    const LaneTrain& train = lanes_[die].train;
    const nand::Operation& op = train.stepOperation();
    switch (train.step()) {
    case Step::Response: addResponse(die, possible); break;
    case Step::NextRequest:
        arbiter_.addResponse(die, segmentOf(die, WaitingSegment::Phase::Request, possible, op));
        break;
    case Step::CacheEnd:
        arbiter_.addResponse(die, segmentOf(die, WaitingSegment::Phase::CacheEnd, possible, op));
        break;
    case Step::Suspend: arbiter_.addResponse(die, segmentOf(die, WaitingSegment::Phase::Suspend, possible, op)); break;
    case Step::Read: arbiter_.addResponse(die, segmentOf(die, WaitingSegment::Phase::Read, possible, op)); break;
    case Step::Resume: arbiter_.addResponse(die, segmentOf(die, WaitingSegment::Phase::Resume, possible, op)); break;
    }
}

// A read may wait for the operation in the array. `from`: the earliest time at which the suspend command may be sent.
void NandInterface::considerSuspend(std::uint32_t die, Time from)
{
    Lane& lane = lanes_[die];
    if (!arbiter_.hasResponse(die) || !lane.train.shouldSuspend(lane.queue, join_, schedules_[die]->part(), from))
        return;
    lane.train.planSuspend(arbiter_.possible(die));
    addStep(die, std::max(from, lane.train.first().op->requestEnd));
}

std::optional<NandInterface::Grant> NandInterface::next(Time now)
{
    if (const std::uint32_t die = arbiter_.chooseSilent(now); die != SegmentArbiter::none)
        return startResponse(die, now);
    if (now < bus_.freeAt())
        return std::nullopt;
    for (;;) {
        const std::uint32_t die = arbiter_.choose(now);
        if (die == SegmentArbiter::none)
            return std::nullopt;
        const std::optional<Grant> grant = die >= lanes_.size()       ? startPlane(die, now)
                                           : arbiter_.hasRequest(die) ? startRequest(die, now)
                                                                      : startResponse(die, now);
        if (!grant) // it is too late to suspend
            continue;
        arbiter_.served(die);
        return grant;
    }
}

NandInterface::Grant NandInterface::startRequest(std::uint32_t die, Time now)
{
    Lane& lane = lanes_[die];
    arbiter_.withdraw(die);
    active_ |= bit(die);
    if (plain_) {
        lane.train.startSingle(lane.queue.pop());
        --queued_;
    } else {
        const std::size_t before = lane.queue.size();
        lane.train.start(lane.queue, join_, schedules_[die]->part(), lane.readOption);
        queued_ -= before - lane.queue.size();
    }
    setReferences(die, *lane.train.first().op);
    return grantRequest(die, lane.train.first(), now);
}

void NandInterface::setReferences(std::uint32_t die, nand::Operation& op)
{
    if (op.opcode != nand::Opcode::Read)
        return;
    Lane& lane = lanes_[die];
    if (op.readOption == lane.readOption)
        return;
    op.form = nand::Form::References;
    lane.readOption = op.readOption;
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
    hold(die, now, busTime);
    return {die, &op, waiting.owner, Phase::Request, busTime, die};
}

std::optional<NandInterface::Grant> NandInterface::startResponse(std::uint32_t die, Time now)
{
    arbiter_.withdraw(die);
    if ((seconds_ & bit(die)) != 0)
        return startSecond(die, now);
    if (!plain_) {
        LaneTrain& train = lanes_[die].train;
        if (train.step() != Step::Response)
            return startStep(die, now);
        if (train.extendCacheRead(lanes_[die].queue, join_, schedules_[die]->part())) {
            --queued_;
            return startNextRequest(die, now);
        }
    }
    const Waiting& running = lanes_[die].train.first();
    const Time busTime = schedules_[die]->responseTime(*running.op);
    if (busTime > Time{})
        hold(die, now, busTime);
    return Grant{die, running.op, running.owner, Phase::Response, busTime, die};
}

// The last segment that the lane added holds the bus.
void NandInterface::hold(std::uint32_t lane, Time now, Time duration)
{
    bus_.account(std::max(arbiter_.possible(lane), measuredFrom_), now, duration);
    bus_.holdUntil(now + duration);
}

NandInterface::Grant NandInterface::startSecond(std::uint32_t die, Time now)
{
    const Waiting& waiting = lanes_[die].train.first();
    seconds_ &= ~bit(die);
    const Time start = waiting.op->requestStart;
    const bool isCopyIn = waiting.op->form == nand::Form::CopyIn;
    const Grant grant = isCopyIn ? grantRequest(die, waiting, now, schedules_[die]->copyInTime(*waiting.op))
                                 : grantRequest(die, waiting, now);
    waiting.op->requestStart = start; // the operation is one
    return grant;
}

std::optional<NandInterface::Grant> NandInterface::startStep(std::uint32_t die, Time now)
{
    Lane& lane = lanes_[die];
    switch (lane.train.step()) {
    case Step::Suspend: return startSuspend(die, now);
    case Step::Resume: lane.train.resume(); return grantCut(die, nand::Form::Resume, now);
    case Step::Read: return startRead(die, now);
    case Step::CacheEnd:
        if (!lane.train.extendCacheRead(lane.queue, join_, schedules_[die]->part()))
            return startCacheEnd(die, now);
        --queued_;
        return startNextRequest(die, now);
    default: return startNextRequest(die, now);
    }
}

NandInterface::Grant NandInterface::startNextRequest(std::uint32_t die, Time now)
{
    Lane& lane = lanes_[die];
    if (lane.train.isWordLines()) { // its first page is not the first to finish
        lane.usage.extend(std::max({lane.train.first().op->requestStart, measuredFrom_, lane.accountedTo}), now);
        lane.accountedTo = now;
    }
    const std::size_t before = lane.queue.size();
    const Waiting next = lane.train.issueNext(lane.queue, join_, schedules_[die]->part());
    queued_ -= before - lane.queue.size();
    answered_ &= ~bit(die);
    return grantRequest(die, next, now);
}

NandInterface::Grant NandInterface::startCacheEnd(std::uint32_t die, Time now)
{
    LaneTrain& train = lanes_[die].train;
    const Waiting last = train.first();
    const Time busTime = schedules_[die]->cacheEndTime();
    hold(die, now, busTime);
    train.endCacheRead();
    addResponse(die, schedules_[die]->cacheEndPossible(now + busTime, last.op->arrayEnd));
    return {die, last.op, last.owner, Phase::CacheEnd, busTime, die};
}

// Nothing, if it is too late to suspend: then the response follows as without it.
std::optional<NandInterface::Grant> NandInterface::startSuspend(std::uint32_t die, Time now)
{
    Lane& lane = lanes_[die];
    const nand::Operation& op = *lane.train.first().op;
    nand::Operation command;
    command.opcode = op.opcode;
    command.form = nand::Form::Suspend;
    if (!lane.train.suspend(schedules_[die]->part(), now + schedules_[die]->requestTime(command))) {
        addResponse(die, lane.train.responsePossible());
        return std::nullopt;
    }
    ++suspensions_;
    const Time start = std::max({op.requestStart, measuredFrom_, lane.accountedTo});
    lane.usage.extend(start, now);
    lane.accountedTo = now;
    return grantCut(die, nand::Form::Suspend, now);
}

NandInterface::Grant NandInterface::startRead(std::uint32_t die, Time now)
{
    Lane& lane = lanes_[die];
    const Waiting& read = lane.train.startRead(lane.queue);
    --queued_;
    lane.usage.extend(lane.accountedTo, now);
    lane.accountedTo = now;
    answered_ &= ~bit(die);
    setReferences(die, *read.op);
    return grantRequest(die, read, now);
}

// Suspend and resume: the command is sent on the payload of its operation.
NandInterface::Grant NandInterface::grantCut(std::uint32_t die, nand::Form form, Time now)
{
    const Waiting& waiting = lanes_[die].train.first();
    const Time start = waiting.op->requestStart;
    waiting.op->form = form;
    answered_ &= ~bit(die);
    const Grant grant = grantRequest(die, waiting, now);
    waiting.op->requestStart = start;
    return grant;
}

bool NandInterface::finish(std::uint32_t die, Time now)
{
    if (die >= lanes_.size()) {
        finishPlane(die, now);
        return true;
    }
    check(die < lanes_.size() && (answered_ & bit(die)) != 0 && !arbiter_.hasResponse(die),
          "an operation finishes without a response");
    Lane& lane = lanes_[die];
    nand::Operation& op = *lane.train.first().op;
    if (op.form == nand::Form::CopyOut && op.status == nand::Status::Ok && !op.blank) {
        op.form = nand::Form::CopyIn;
        offerSecond(die, WaitingSegment::Phase::CopyIn, now, op.replaced != 0);
        return false;
    }
    if (op.accesses != 0 && op.status == nand::Status::Ok) {
        --op.accesses;
        op.form = op.senses > 1 ? nand::Form::Sense : nand::Form::Access;
        if (op.senses > 1)
            lane.readOption = nand::softReferences;
        offerSecond(die, WaitingSegment::Phase::Request, now, op.opcode == nand::Opcode::Program);
        return false;
    }
    op.done = now;
    const Time start = std::max({op.requestStart, measuredFrom_, lane.accountedTo});
    lane.usage.account(std::max(op.submitted, measuredFrom_), start, now - start);
    lane.accountedTo = now;
    ++finished_;
    if (!plain_ && lane.train.advance(lane.queue, join_)) {
        if (hasPlaneReads(die) && lane.train.servesReads())
            dieIsFree(die, now);
        else
            addStep(die, now);
        return true;
    }
    lane.train.clear();
    lane.idleSince = now;
    active_ &= ~bit(die);
    answered_ &= ~bit(die);
    if (hasPlaneReads(die))
        dieIsFree(die, now);
    else if (!lane.queue.empty())
        addRequest(die);
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
        lane.queue.resetMaxSize();
    }
}

} // namespace strobe::channel
