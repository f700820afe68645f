// SPDX-License-Identifier: Apache-2.0
//
// The part of the NAND interface block that serves plane-independent reads. Each plane of a die has a lane of its own,
// and so a segment of its own that waits for the bus. What the die does as a whole (everything but these reads) starts
// when none of its planes has a read in progress.
#include "models/base/check.h"
#include "models/channel/nand_interface.h"

#include <algorithm>

namespace strobe::channel {

std::size_t NandInterface::findPlaneRead(std::uint32_t die, std::uint32_t plane) const
{
    const Lane& lane = lanes_[die];
    return lane.train.findPlaneRead(lane.queue, join_, schedules_[die]->part(), lane.readOption, plane);
}

// The die has no operation as a whole in progress, or it is suspended.
void NandInterface::dieIsFree(std::uint32_t die, Time since)
{
    planes_[die].dieIsFree(since);
    offer(die);
}

// What may start on the die: a read in each idle plane or, if there is none and no plane is busy, the next operation of
// the whole die. Segments offered before are replaced, because an arrival or a start may change what comes first.
void NandInterface::offer(std::uint32_t die)
{
    Lane& lane = lanes_[die];
    const PlaneLanes& planes = planes_[die];
    const bool isServing = lane.train.servesReads();
    if ((active_ & (std::uint64_t{1} << die)) != 0 && !isServing)
        return;
    arbiter_.withdraw(die);
    bool isOffered = false;
    for (std::uint32_t plane = 0; plane < planes.planes(); ++plane) {
        if (planes.isBusy(plane))
            continue;
        arbiter_.withdraw(planeLane(die, plane));
        const std::size_t place = findPlaneRead(die, plane);
        if (place == LaneTrain::noRead)
            continue;
        const nand::Operation& op = *lane.queue[place].op;
        const Time possible = std::max(op.submitted, planes.freeSince(plane));
        const auto phase = isServing ? WaitingSegment::Phase::Read : WaitingSegment::Phase::Request;
        arbiter_.addResponse(planeLane(die, plane), segmentOf(die, phase, possible, op));
        isOffered = true;
    }
    if (isOffered || planes.isAnyBusy())
        return;
    if (isServing) {
        lane.train.endPlaneReads(lane.queue, join_);
        addStep(die, planes.allFreeSince());
    } else if (!lane.queue.empty()) {
        addRequest(die);
    }
}

// The request of the plane's next read, or the response of the one in progress.
NandInterface::Grant NandInterface::startPlane(std::uint32_t laneNumber, Time now)
{
    const std::uint32_t die = dieOf(laneNumber);
    const std::uint32_t plane = planeOf(laneNumber);
    Lane& lane = lanes_[die];
    PlaneLanes& planes = planes_[die];
    arbiter_.withdraw(laneNumber);
    if (planes.isBusy(plane)) {
        const Waiting& read = planes.read(plane);
        const Time busTime = schedules_[die]->responseTime(*read.op);
        hold(laneNumber, now, busTime);
        return {die, read.op, read.owner, Phase::Response, busTime, laneNumber};
    }
    const std::size_t place = findPlaneRead(die, plane);
    check(place != LaneTrain::noRead, "a plane starts a read that is not in the queue");
    const Waiting read = lane.train.takePlaneRead(lane.queue, place);
    --queued_;
    ++planeReads_;
    accountPlanes(die, now);
    planes.start(plane, read);
    const Time busTime = schedules_[die]->requestTime(*read.op);
    read.op->requestStart = now;
    read.op->requestEnd = now + busTime;
    hold(laneNumber, now, busTime);
    offer(die);
    return {die, read.op, read.owner, Phase::Request, busTime, laneNumber};
}

void NandInterface::planeReady(std::uint32_t laneNumber, Time ready)
{
    const std::uint32_t die = dieOf(laneNumber);
    const PlaneLanes& planes = planes_[die];
    check(planes.isBusy(planeOf(laneNumber)) && !arbiter_.hasResponse(laneNumber), "an idle plane reports ready");
    const nand::Operation& op = *planes.read(planeOf(laneNumber)).op;
    check(ready >= op.requestEnd, "a plane is ready before its request ended");
    const Time possible = schedules_[die]->responsePossible(op, ready);
    arbiter_.addResponse(laneNumber, segmentOf(die, WaitingSegment::Phase::Response, possible, op));
}

void NandInterface::finishPlane(std::uint32_t laneNumber, Time now)
{
    const std::uint32_t die = dieOf(laneNumber);
    const std::uint32_t plane = planeOf(laneNumber);
    Lane& lane = lanes_[die];
    check(planes_[die].isBusy(plane) && !arbiter_.hasResponse(laneNumber), "a plane finishes without a response");
    nand::Operation& op = *planes_[die].read(plane).op;
    op.done = now;
    accountPlanes(die, now);
    lane.usage.accountOverlapping(std::max(op.submitted, measuredFrom_), std::max(op.requestStart, measuredFrom_), now);
    ++finished_;
    --planeReads_;
    planes_[die].end(plane, now);
    lane.idleSince = now;
    offer(die);
}

// Before the reads in progress change: the die is in use while there is one, and while an operation is suspended.
void NandInterface::accountPlanes(std::uint32_t die, Time now)
{
    Lane& lane = lanes_[die];
    if (planes_[die].isAnyBusy() || lane.train.servesReads())
        lane.usage.addBusy(now - std::max(lane.accountedTo, measuredFrom_));
    lane.accountedTo = now;
}

} // namespace strobe::channel
