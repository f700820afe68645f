// SPDX-License-Identifier: Apache-2.0
#include "models/channel/lane_segments.h"

namespace strobe::channel {

WaitingSegment LaneSegments::segment(Phase phase, const nand::Operation& op, Time possible) const
{
    SegmentClass kind = SegmentClass::CommandRequest;
    if (phase == Phase::Request)
        kind = schedule_->hasDataIn(op.opcode) ? SegmentClass::DataRequest : SegmentClass::CommandRequest;
    else if (phase == Phase::Response)
        kind = schedule_->hasDataOut(op.opcode) ? SegmentClass::DataResponse : SegmentClass::StatusResponse;
    else if (phase == Phase::CacheEnd)
        kind = SegmentClass::DataResponse;
    return {phase, kind, possible, op, *schedule_};
}

void LaneSegments::offerRequest(const nand::Operation& op, Time possible)
{
    bus_->segments().addRequest(lane_, segment(Phase::Request, op, possible));
}

void LaneSegments::offer(Phase phase, const nand::Operation& op, Time possible)
{
    bus_->segments().addResponse(lane_, segment(phase, op, possible));
}

void LaneSegments::offerResponse(const nand::Operation& op, Time possible)
{
    const WaitingSegment waiting = segment(Phase::Response, op, possible);
    if (schedule_->responseTime(op) > Time{})
        bus_->segments().addResponse(lane_, waiting);
    else
        bus_->segments().addSilent(lane_, waiting);
}

void LaneSegments::offerSecond(Phase phase, const nand::Operation& op, bool hasData, Time now)
{
    isSecond_ = true;
    const SegmentClass kind = hasData ? SegmentClass::DataRequest : SegmentClass::CommandRequest;
    bus_->segments().addResponse(lane_, {phase, kind, now, op, *schedule_});
}

BusGrant LaneSegments::request(const Waiting& waiting, Time now, Time busTime)
{
    nand::Operation& op = *waiting.op;
    op.requestStart = now;
    op.requestEnd = now + busTime;
    bus_->hold(lane_, now, busTime);
    return {die_, &op, waiting.owner, GrantPhase::Request, busTime, lane_};
}

BusGrant LaneSegments::second(const Waiting& waiting, Time now)
{
    isSecond_ = false;
    const Time start = waiting.op->requestStart;
    const bool isCopyIn = waiting.op->form == nand::Form::CopyIn;
    const BusGrant grant = request(waiting, now, isCopyIn ? schedule_->copyInTime(*waiting.op) : requestTime(waiting));
    waiting.op->requestStart = start;
    return grant;
}

BusGrant LaneSegments::cut(const Waiting& waiting, nand::Form form, Time now)
{
    const Time start = waiting.op->requestStart;
    waiting.op->form = form;
    const BusGrant grant = request(waiting, now);
    waiting.op->requestStart = start;
    return grant;
}

BusGrant LaneSegments::response(const Waiting& waiting, Time now)
{
    const Time busTime = schedule_->responseTime(*waiting.op);
    if (busTime > Time{})
        bus_->hold(lane_, now, busTime);
    return {die_, waiting.op, waiting.owner, GrantPhase::Response, busTime, lane_};
}

BusGrant LaneSegments::cacheEnd(const Waiting& waiting, Time now)
{
    const Time busTime = schedule_->cacheEndTime();
    bus_->hold(lane_, now, busTime);
    return {die_, waiting.op, waiting.owner, GrantPhase::CacheEnd, busTime, lane_};
}

} // namespace strobe::channel
