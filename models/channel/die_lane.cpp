// SPDX-License-Identifier: Apache-2.0
#include "models/channel/die_lane.h"

#include "models/base/check.h"
#include "models/channel/word_lines.h"

#include <algorithm>

namespace strobe::channel {

DieLane::DieLane(const LaneSegments& segments, const JoinPolicy& join, bool isPlain, ChannelCounters& counters)
    : segments_(segments), counters_(&counters), isPlain_(isPlain), hasPlaneReads_(part().hasPlaneReads()), join_(&join)
{
    if (!isPlain_)
        train_.reserve(std::size_t{part().geometry.planes} * part().geometry.pagesPerProgram);
}

void DieLane::resetUsage(Time now)
{
    usage_.reset(now);
    queue_.resetMaxSize();
}

// --- which segment follows
// --------------------------------------------------------------------------------------------

void DieLane::arrived(Time now)
{
    if (!isActive_)
        offerRequest();
    else if (!isPlain_)
        considerSuspend(now);
}

// The head of the queue becomes a candidate for the bus. A foreground operation may replace a background one that was
// the head before.
void DieLane::offerRequest()
{
    const nand::Operation& op = *queue_.front().op;
    Time possible = std::max(op.submitted, idleSince_);
    const nand::DieGeometry& geometry = part().geometry;
    if (!isPlain_ && WordLines::isPart(geometry, op)) { // with the last of its pages
        for (std::uint32_t i = 1; i < geometry.pagesPerProgram; ++i)
            possible = std::max(possible, queue_[i].op->submitted);
    }
    segments_.offerRequest(op, possible);
}

// The next step of the train.
void DieLane::offerStep(Time possible)
{
    using Phase = LaneSegments::Phase;
    const nand::Operation& op = train_.stepOperation();
    switch (train_.step()) {
    case Step::Response: offerResponse(possible); break;
    case Step::NextRequest: segments_.offer(Phase::Request, op, possible); break;
    case Step::CacheEnd: segments_.offer(Phase::CacheEnd, op, possible); break;
    case Step::Suspend: segments_.offer(Phase::Suspend, op, possible); break;
    case Step::Read: segments_.offer(Phase::Read, op, possible); break;
    case Step::Resume: segments_.offer(Phase::Resume, op, possible); break;
    }
}

void DieLane::offerAccess(LaneSegments::Phase phase, bool hasData, Time now)
{
    isAnswered_ = false;
    segments_.offerSecond(phase, *running().op, hasData, now);
}

// A read may wait for the operation in the array. `from`: the earliest time at which the suspend command may be sent.
void DieLane::considerSuspend(Time from)
{
    if (!segments_.hasResponse() || !train_.shouldSuspend(queue_, *join_, part(), from))
        return;
    train_.planSuspend(segments_.possible());
    offerStep(std::max(from, running().op->requestEnd));
}

void DieLane::offerNext(Time since)
{
    if (isActive_) {
        train_.endPlaneReads(queue_, *join_);
        offerStep(since);
    } else if (!queue_.empty()) {
        offerRequest();
    }
}

Time DieLane::arrayFinished(Time ready)
{
    check(isActive_, "an idle die reports ready");
    check(!isAnswered_, "a die reports ready twice");
    const nand::Operation& latest = isPlain_ ? *running().op : train_.latest();
    check(ready >= latest.requestEnd, "a die is ready before its request ended");
    isAnswered_ = true;
    const Time possible = segments_.schedule().responsePossible(latest, ready);
    if (latest.isStepped) {
        if (!isPlain_)
            train_.arrayDone(ready);
        isHeld_ = true;
        return heldUntil_ = possible;
    }
    if (isPlain_) {
        offerResponse(possible);
        return possible;
    }
    const Time requestEnd = latest.requestEnd;
    if (train_.arrayDone(ready) == Step::Response) {
        offerResponse(possible);
        considerSuspend(requestEnd);
    } else if (!isOpenToPlaneReads()) {
        offerStep(possible);
    }
    return possible;
}

void DieLane::proceed(Time now)
{
    check(isHeld_, "a die that does not wait for its owner is continued");
    isHeld_ = false;
    if (isAnswered_)
        offerResponse(std::max(heldUntil_, now));
    else
        offerAccess(LaneSegments::Phase::CopyIn, running().op->replaced != 0, now);
}

bool DieLane::finish(Time now)
{
    check(isAnswered_ && !segments_.hasResponse(), "an operation finishes without a response");
    nand::Operation& op = *running().op;
    if (op.form == nand::Form::CopyOut && op.status == nand::Status::Ok && !op.blank) {
        op.form = nand::Form::CopyIn;
        isHeld_ = op.isStepped;
        isAnswered_ = false;
        if (!isHeld_)
            offerAccess(LaneSegments::Phase::CopyIn, op.replaced != 0, now);
        return false;
    }
    if (op.accesses != 0 && op.status == nand::Status::Ok) {
        --op.accesses;
        op.form = op.senses > 1 ? nand::Form::Sense : nand::Form::Access;
        if (op.senses > 1)
            readOption_ = nand::softReferences;
        offerAccess(LaneSegments::Phase::Request, op.opcode == nand::Opcode::Program, now);
        return false;
    }
    op.done = now;
    usage_.finished(op, now);
    counters_->finished();
    if (!isPlain_ && train_.advance(queue_, *join_)) {
        if (!isOpenToPlaneReads())
            offerStep(now);
        return true;
    }
    train_.clear();
    idleSince_ = now;
    isActive_ = false;
    isAnswered_ = false;
    counters_->dieEnds();
    if (!hasPlaneReads_ && !queue_.empty())
        offerRequest();
    return true;
}

Waiting DieLane::takePlaneRead(std::size_t place)
{
    counters_->requested(1);
    return train_.takePlaneRead(queue_, place);
}

// --- which lines it takes
// --------------------------------------------------------------------------------------------

LineUse DieLane::upcoming() const
{
    const BusSchedule& schedule = segments_.schedule();
    if (segments_.hasRequest())
        return upcomingRequest(isPlain_ ? *queue_.front().op : train_.upcomingHead(queue_, *join_));
    if (segments_.isSecond())
        return schedule.requestUse(*running().op);
    if (!isPlain_ && train_.step() != Step::Response)
        return upcomingStep();
    if (!isPlain_ && train_.mayExtendCacheRead(queue_, *join_, part()))
        return schedule.requestUse(*queue_.front().op, nand::Form::Cache);
    return schedule.responseUse(*running().op);
}

// The form that an operation takes in a train does not change the length of its request.
LineUse DieLane::upcomingRequest(const nand::Operation& op) const
{
    const bool isChange = op.opcode == nand::Opcode::Read && op.readOption != readOption_;
    const nand::Form form = isChange                         ? nand::Form::References
                            : op.form == nand::Form::CopyOut ? nand::Form::CopyOut
                                                             : nand::Form::Alone;
    return segments_.schedule().requestUse(op, form);
}

LineUse DieLane::upcomingStep() const
{
    const BusSchedule& schedule = segments_.schedule();
    switch (train_.step()) {
    case Step::Suspend: return schedule.requestUse(*running().op, nand::Form::Suspend);
    case Step::Resume: return schedule.requestUse(train_.stepOperation(), nand::Form::Resume);
    case Step::Read: return upcomingRequest(train_.upcomingRead(queue_));
    case Step::CacheEnd:
        return train_.mayExtendCacheRead(queue_, *join_, part())
                   ? schedule.requestUse(*queue_.front().op, nand::Form::Cache)
                   : schedule.cacheEndUse();
    default: return schedule.requestUse(train_.stepOperation());
    }
}

// --- grants of the bus
// ------------------------------------------------------------------------------------------------

BusGrant DieLane::startRequest(Time now)
{
    segments_.withdraw();
    isActive_ = true;
    counters_->dieBegins();
    if (isPlain_) {
        train_.startSingle(queue_.pop());
        counters_->requested(1);
    } else {
        const std::size_t before = queue_.size();
        train_.start(queue_, *join_, part(), readOption_);
        counters_->requested(before - queue_.size());
    }
    setReadOption(*running().op);
    return segments_.request(running(), now);
}

// A read with another option than the die is set to begins with SET FEATURES.
void DieLane::setReadOption(nand::Operation& op)
{
    if (op.opcode != nand::Opcode::Read || op.readOption == readOption_)
        return;
    op.form = nand::Form::References;
    readOption_ = op.readOption;
}

std::optional<BusGrant> DieLane::startResponse(Time now)
{
    segments_.withdraw();
    if (segments_.isSecond())
        return segments_.second(running(), now);
    if (!isPlain_) {
        if (train_.step() != Step::Response)
            return startStep(now);
        if (train_.extendCacheRead(queue_, *join_, part())) {
            counters_->requested(1);
            return startNextRequest(now);
        }
    }
    return segments_.response(running(), now);
}

std::optional<BusGrant> DieLane::startStep(Time now)
{
    switch (train_.step()) {
    case Step::Suspend: return startSuspend(now);
    case Step::Resume: return startResume(now);
    case Step::Read: return startRead(now);
    case Step::CacheEnd:
        if (!train_.extendCacheRead(queue_, *join_, part()))
            return startCacheEnd(now);
        counters_->requested(1);
        return startNextRequest(now);
    default: return startNextRequest(now);
    }
}

BusGrant DieLane::startNextRequest(Time now)
{
    if (train_.isWordLines()) // its first page is not the first to finish
        usage_.continues(*running().op, now);
    const std::size_t before = queue_.size();
    const Waiting next = train_.issueNext(queue_, *join_, part());
    counters_->requested(before - queue_.size());
    isAnswered_ = false;
    return segments_.request(next, now);
}

BusGrant DieLane::startCacheEnd(Time now)
{
    const Waiting last = running();
    const BusGrant grant = segments_.cacheEnd(last, now);
    train_.endCacheRead();
    offerResponse(segments_.schedule().cacheEndPossible(now + grant.busTime, last.op->arrayEnd));
    return grant;
}

// Nothing, if it is too late to suspend: then the response follows as without it.
std::optional<BusGrant> DieLane::startSuspend(Time now)
{
    const nand::Operation& op = *running().op;
    nand::Operation command;
    command.opcode = op.opcode;
    command.form = nand::Form::Suspend;
    if (!train_.suspend(part(), now + segments_.schedule().requestTime(command))) {
        offerResponse(train_.responsePossible());
        return std::nullopt;
    }
    counters_->suspended();
    usage_.continues(op, now);
    isAnswered_ = false;
    return segments_.cut(running(), nand::Form::Suspend, now);
}

BusGrant DieLane::startResume(Time now)
{
    train_.resume();
    isAnswered_ = false;
    return segments_.cut(running(), nand::Form::Resume, now);
}

BusGrant DieLane::startRead(Time now)
{
    const Waiting& read = train_.startRead(queue_);
    counters_->requested(1);
    usage_.wasSuspended(now);
    isAnswered_ = false;
    setReadOption(*read.op);
    return segments_.request(read, now);
}

} // namespace strobe::channel
