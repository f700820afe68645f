// SPDX-License-Identifier: Apache-2.0
#include "models/channel/plane_reader.h"

#include "models/base/check.h"

#include <algorithm>
#include <utility>

namespace strobe::channel {

PlaneReader::PlaneReader(DieLane& die, std::vector<LaneSegments> segments, ChannelCounters& counters)
    : die_(&die), planes_(static_cast<std::uint32_t>(segments.size())), segments_(std::move(segments)),
      counters_(&counters)
{
}

void PlaneReader::dieIsFree(Time since)
{
    planes_.dieIsFree(since);
    offer();
}

void PlaneReader::offer()
{
    if (!die_->isOpenToPlaneReads())
        return;
    die_->withdraw();
    const auto phase = die_->isSuspended() ? LaneSegments::Phase::Read : LaneSegments::Phase::Request;
    bool isOffered = false;
    for (std::uint32_t plane = 0; plane < planes_.planes(); ++plane) {
        if (planes_.isBusy(plane))
            continue;
        segments_[plane].withdraw();
        const std::size_t place = die_->findPlaneRead(plane);
        if (place == LaneTrain::noRead)
            continue;
        const nand::Operation& op = *die_->queue()[place].op;
        segments_[plane].offer(phase, op, std::max(op.submitted, planes_.freeSince(plane)));
        isOffered = true;
    }
    if (!isOffered && !planes_.isAnyBusy())
        die_->offerNext(planes_.allFreeSince());
}

BusGrant PlaneReader::start(std::uint32_t plane, Time now)
{
    segments_[plane].withdraw();
    if (planes_.isBusy(plane))
        return segments_[plane].response(planes_.read(plane), now);
    const std::size_t place = die_->findPlaneRead(plane);
    check(place != LaneTrain::noRead, "a plane starts a read that is not in the queue");
    const Waiting read = die_->takePlaneRead(place);
    counters_->planeReadBegins();
    account(now);
    planes_.start(plane, read);
    const BusGrant grant = segments_[plane].request(read, now);
    offer();
    return grant;
}

LineUse PlaneReader::upcoming(std::uint32_t plane) const
{
    const BusSchedule& schedule = segments_[plane].schedule();
    if (planes_.isBusy(plane))
        return schedule.responseUse(*planes_.read(plane).op);
    const std::size_t place = die_->findPlaneRead(plane);
    check(place != LaneTrain::noRead, "a plane waits for a read that is not in the queue");
    return schedule.requestUse(*die_->queue()[place].op, nand::Form::PlaneRead);
}

void PlaneReader::arrayFinished(std::uint32_t plane, Time ready)
{
    check(planes_.isBusy(plane) && !segments_[plane].hasResponse(), "an idle plane reports ready");
    const nand::Operation& op = *planes_.read(plane).op;
    check(ready >= op.requestEnd, "a plane is ready before its request ended");
    segments_[plane].offer(LaneSegments::Phase::Response, op, segments_[plane].schedule().responsePossible(op, ready));
}

void PlaneReader::finish(std::uint32_t plane, Time now)
{
    check(planes_.isBusy(plane) && !segments_[plane].hasResponse(), "a plane finishes without a response");
    nand::Operation& op = *planes_.read(plane).op;
    op.done = now;
    account(now);
    die_->usage().planeReadFinished(op, now);
    counters_->finished();
    counters_->planeReadEnds();
    planes_.end(plane, now);
    die_->planeReadEnded(now);
    offer();
}

// Before the reads in progress change: the die is in use while there is one, and while an operation is suspended.
void PlaneReader::account(Time now)
{
    die_->usage().planesChange(planes_.isAnyBusy() || die_->isSuspended(), now);
}

} // namespace strobe::channel
