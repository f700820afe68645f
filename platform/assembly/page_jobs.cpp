// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/page_jobs.h"

namespace strobe::platform {

void WholeOperations::begun(DieId id, Time start)
{
    Die& die = dies_[id];
    die.others.push_back(start);
    die.hasOthers = true;
}

void WholeOperations::ended(DieId id, Time start)
{
    Die& die = dies_[id];
    const auto found = std::find(die.others.begin(), die.others.end(), start);
    if (found != die.others.end())
        die.others.erase(found);
    die.hasOthers = !die.others.empty();
}

bool WholeOperations::isKnown(DieId id, Time start) const
{
    const std::vector<Time>& others = dies_[id].others;
    return std::find(others.begin(), others.end(), start) != others.end();
}

void PageJobs::beginOther(const ObservedJob& job)
{
    Unit& unit = units_[job.unit];
    std::uint32_t& lists = unit.lists[job.isSynthesized ? 1 : 0];
    if ((job.isSynthesized || !unit.isInList) && lists != 0)
        --lists;
    if (!job.isSynthesized)
        unit.isInList = !job.endsList;
    Place& place = open(unit, job.place);
    place.dies = job.dies;
    place.work = job.work();
}

UnitWork PageJobs::otherRowStarted(UnitId id, std::uint32_t slot, std::uint32_t number, Time at)
{
    Unit& unit = units_[id];
    Place& place = unit.places[number];
    UnitWork work;
    work.retired = unit.retired;
    if (unit.open > 1)
        findOther(unit, place, at, work);
    place.started = std::min(place.started, at);
    unit.slots[slot] = nullptr;
    return work;
}

// The first of these that has begun explains what those that have retired do not.
void PageJobs::findOther(const Unit& unit, const Place& place, Time at, UnitWork& into)
{
    for (const Place& other : unit.places) {
        if (!other.isOpen || &other == &place || other.started >= at)
            continue;
        into.started = other.started;
        into.dies = other.page == nullptr ? other.dies : other.page->job.dies;
        into.stage = other.page == nullptr ? other.work : other.page->job.work();
        return;
    }
}

} // namespace strobe::platform
