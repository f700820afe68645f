// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/die_activity.h"

#include <algorithm>

namespace strobe::platform {

DieActivity::DieActivity(std::size_t dies, std::uint32_t planes) : dies_(dies)
{
    for (Die& die : dies_)
        die.planes.resize(planes > 1 ? planes : 0);
}

DieActivity::Active* DieActivity::find(Die& die, Time start)
{
    for (Active& active : die.active) {
        if (!active.isFree && active.start == start)
            return &active;
    }
    return nullptr;
}

DieActivity::Active& DieActivity::take(Die& die)
{
    for (Active& active : die.active) {
        if (active.isFree)
            return active;
    }
    return die.active.emplace_back();
}

void DieActivity::release(Die& die, Active& active, Time at)
{
    active.isFree = true;
    if (active.plane != wholeDie) {
        die.planes[active.plane].add(active.start, at, active.stage);
        die.history.add(die.planesSince, at, active.stage);
        die.planesSince = at;
        --die.planesBusy;
        return;
    }
    die.history.add(active.start, at, active.stage);
    for (BusyHistory& plane : die.planes)
        plane.add(active.start, at, active.stage);
}

void DieActivity::waitForDie(const Die& die, const Active& own, Time until, JobPath& path)
{
    const bool isOfPlane = own.plane != wholeDie;
    (isOfPlane ? die.planes[own.plane] : die.history).addTo(path, until, idOf(RequestStage::BusWait));
    for (const Active& active : die.active) {
        if (active.isFree || &active == &own || active.start >= until)
            continue;
        if (isOfPlane && active.plane != wholeDie && active.plane != own.plane)
            continue;
        path.add(idOf(RequestStage::BusWait), active.start);
        path.add(active.stage, until);
    }
}

void DieActivity::granted(const ObservedOperation& op, channel::NandInterface::Phase phase, Time possible, Time start,
                          Time busTime)
{
    if (isStopped_)
        return;
    Die& die = dies_[op.die];
    Active* active = find(die, op.requestStart);
    const bool isFirst = active == nullptr;
    if (isFirst) {
        if (phase != channel::NandInterface::Phase::Request)
            return; // of an operation that was in progress when observation began
        active = &take(die);
        active->isFree = false;
        active->start = start;
        active->stage = dieWait(op.purpose, op.opcode);
        active->isSuspended = false;
        active->plane =
            op.form == nand::Form::PlaneRead ? op.block % static_cast<std::uint32_t>(die.planes.size()) : wholeDie;
        if (active->plane != wholeDie && die.planesBusy++ == 0)
            die.planesSince = start;
        active->path.begin(op.submitted);
    }
    JobPath& path = active->path;
    const Time free = std::min(possible, start);
    if ((isFirst || active->isSuspended) && free > path.end())
        waitForDie(die, *active, free, path);
    path.add(isFirst ? RequestStage::BusWait : RequestStage::Array, free);
    path.add(RequestStage::BusWait, start);
    path.add(RequestStage::Transfer, start + busTime);
    if (op.form == nand::Form::Suspend || op.form == nand::Form::Resume)
        active->isSuspended = op.form == nand::Form::Suspend && phase == channel::NandInterface::Phase::Request;
    if (op.opcode == nand::Opcode::ReadId && phase == channel::NandInterface::Phase::Response)
        release(die, *active, start + busTime); // of read capture: no unit reports its end
}

void DieActivity::finished(const WhichOperation& op, Time at, JobPath& path)
{
    Die& die = dies_[op.die];
    if (Active* active = find(die, op.requestStart)) {
        path.add(RequestStage::BusWait, active->path.start()); // of a bus that is reserved for whole operations
        path.add(active->path, at);
        release(die, *active, at);
    }
    path.add(RequestStage::Array, at);
}

std::size_t DieActivity::inProgress(DieId die) const
{
    const std::vector<Active>& active = dies_[die].active;
    return static_cast<std::size_t>(
        std::count_if(active.begin(), active.end(), [](const Active& one) { return !one.isFree; }));
}

} // namespace strobe::platform
