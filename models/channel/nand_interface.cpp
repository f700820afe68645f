// SPDX-License-Identifier: Apache-2.0
#include "models/channel/nand_interface.h"

#include "models/base/check.h"

#include <algorithm>
#include <utility>

namespace strobe::channel {

namespace {

// Of the dies with plane-independent reads.
std::uint32_t mostPlanes(const DieSchedules& schedules)
{
    std::uint32_t most = 0;
    for (const auto& schedule : schedules)
        most = std::max(most, schedule->part().hasPlaneReads() ? schedule->part().geometry.planes : 0);
    return most;
}

bool haveWordLines(const DieSchedules& schedules)
{
    return std::any_of(schedules.begin(), schedules.end(),
                       [](const auto& schedule) { return schedule->part().geometry.hasWordLines(); });
}

bool haveCommandLines(const DieSchedules& schedules)
{
    const bool has = !schedules.empty() && schedules.front()->hasCommandLines();
    for (const auto& schedule : schedules)
        check(schedule->hasCommandLines() == has, "the dies of a channel share its command lines");
    return has;
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
    : schedules_(std::move(schedules)), join_(join), mostPlanes_(mostPlanes(schedules_)),
      plain_(join.isPlain() && mostPlanes_ == 0 && !haveWordLines(schedules_)),
      bus_(static_cast<std::uint32_t>(schedules_.size()) * (1 + mostPlanes_), std::move(policy),
           haveCommandLines(schedules_))
{
    if (haveWordLines(schedules_))
        wordLines_.resize(schedules_.size());
    if (hasCommandLines() && mostPlanes_ != 0)
        dataUntil_.resize(schedules_.size());
    const auto count = static_cast<std::uint32_t>(schedules_.size());
    lanes_.reserve(count); // the planes refer to them
    for (std::uint32_t die = 0; die < count; ++die)
        lanes_.emplace_back(LaneSegments(bus_, *schedules_[die], die, die), join_, plain_, counters_);
    for (std::uint32_t die = 0; die < count && mostPlanes_ != 0; ++die) {
        const nand::Part& part = schedules_[die]->part();
        std::vector<LaneSegments> segments;
        for (std::uint32_t plane = 0; part.hasPlaneReads() && plane < part.geometry.planes; ++plane)
            segments.emplace_back(bus_, *schedules_[die], die, planeLane(die, plane));
        planes_.emplace_back(lanes_[die], std::move(segments), counters_);
    }
}

void NandInterface::submit(std::uint32_t die, nand::Operation& op, Time now, void* owner)
{
    check(die < lanes_.size(), "an operation for a die that the channel does not have");
    op.submitted = now;
    counters_.submitted();
    if (!gather(die, {&op, owner}))
        return;
    if (lanes_[die].isOpenToPlaneReads())
        planes_[die].offer();
    else
        lanes_[die].arrived(now);
}

// False: a program that waits for the other pages of its word line.
bool NandInterface::gather(std::uint32_t die, const Waiting& waiting)
{
    const nand::DieGeometry& geometry = schedules_[die]->part().geometry;
    if (plain_ || !WordLines::isPart(geometry, *waiting.op)) {
        lanes_[die].push(waiting);
        return true;
    }
    const std::vector<Waiting>& whole = wordLines_[die].add(geometry, waiting);
    for (const Waiting& page : whole)
        lanes_[die].push(page);
    return !whole.empty();
}

std::optional<NandInterface::Grant> NandInterface::choose(Time now)
{
    if (const std::uint32_t die = bus_.segments().chooseSilent(now); die != SegmentArbiter::none)
        return lanes_[die].startResponse(now);
    if (bus_.split() != nullptr)
        return chooseOnLines(now);
    if (!bus_.isFree(now))
        return std::nullopt;
    for (;;) {
        const std::uint32_t lane = bus_.segments().choose(now);
        if (lane == SegmentArbiter::none)
            return std::nullopt;
        const std::optional<Grant> grant = start(lane, now);
        if (!grant) // it is too late to suspend
            continue;
        bus_.segments().served(lane);
        return grant;
    }
}

std::optional<NandInterface::Grant> NandInterface::start(std::uint32_t lane, Time now)
{
    if (lane < dies())
        return lanes_[lane].start(now);
    return planes_[dieOfPlane(lane)].start(planeOf(lane), now);
}

LineUse NandInterface::upcoming(std::uint32_t lane) const
{
    return lane < dies() ? lanes_[lane].upcoming() : planes_[dieOfPlane(lane)].upcoming(planeOf(lane));
}

// While data of a plane moves, from its first packet to SCT, the other planes of its die are sent nothing (line_use.h).
Time NandInterface::linesFree(std::uint32_t lane, const LineUse& use, Time from) const
{
    if (!dataUntil_.empty())
        from = std::max(from, dataUntil_[dieOf(lane)]);
    return bus_.split()->earliest(use, from);
}

// The first in order whose lines are free.
std::optional<NandInterface::Grant> NandInterface::chooseOnLines(Time now)
{
    SegmentArbiter::DieSet blocked = 0;
    for (;;) {
        const std::uint32_t lane = bus_.segments().choose(now, blocked);
        if (lane == SegmentArbiter::none)
            return std::nullopt;
        const LineUse use = upcoming(lane);
        if (linesFree(lane, use, now) > now) {
            blocked |= SegmentArbiter::bit(lane);
            continue;
        }
        bus_.plan(use);
        const std::optional<Grant> grant = start(lane, now);
        if (!grant) // it is too late to suspend
            continue;
        if (!dataUntil_.empty() && use.hasData())
            dataUntil_[dieOf(lane)] = now + use.duration;
        bus_.segments().served(lane);
        return grant;
    }
}

Time NandInterface::nextOnLines(Time now) const
{
    Time next = std::max(bus_.segments().nextSilent(), now);
    bus_.segments().forEachWaiting([&](std::uint32_t lane, Time possible) {
        const Time from = std::max(possible, now);
        if (from < next)
            next = std::min(next, linesFree(lane, upcoming(lane), from));
    });
    return next;
}

void NandInterface::arrayFinished(std::uint32_t lane, Time ready)
{
    if (lane >= dies()) {
        planes_[dieOfPlane(lane)].arrayFinished(planeOf(lane), ready);
        return;
    }
    const Time possible = lanes_[lane].arrayFinished(ready);
    if (lanes_[lane].isOpenToPlaneReads())
        planes_[lane].dieIsFree(possible);
}

bool NandInterface::finish(std::uint32_t lane, Time now)
{
    if (lane >= dies()) {
        planes_[dieOfPlane(lane)].finish(planeOf(lane), now);
        return true;
    }
    const bool isOver = lanes_[lane].finish(now);
    if (lanes_[lane].isOpenToPlaneReads())
        planes_[lane].dieIsFree(now);
    return isOver;
}

void NandInterface::resetUsage(Time now)
{
    bus_.resetUsage(now);
    counters_.reset();
    for (DieLane& lane : lanes_)
        lane.resetUsage(now);
}

} // namespace strobe::channel
