// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/flash_job_log.h"

#include "platform/assembly/near_search.h"
#include "platform/assembly/stage_sink.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace strobe::platform {

namespace {

// Four at a time: a page has a multiple of four sectors, mostly.
template <class T>
void fillFours(T* to, std::uint32_t count, T value)
{
    T* const fours = to + count / 4 * 4;
    T* const end = to + count;
    for (; to != fours; to += 4)
        to[0] = to[1] = to[2] = to[3] = value;
    while (to != end)
        *to++ = value;
}

} // namespace

ObservedJob::ObservedJob(const controller::FlashObserver::Job& job)
    : unit(job.unit), isSynthesized(job.isSynthesized), endsList(job.endsList),
      isToBuffer(job.descriptor.opcode == controller::SuperchipOpcode::Read && !job.descriptor.isToHost() &&
                 !job.descriptor.hasUnitTable),
      hasUnitTable(job.descriptor.hasUnitTable), opcode(job.descriptor.opcode), purpose(job.descriptor.purpose),
      place(job.place), dies{job.descriptor.superchip, job.descriptor.isOneChip}, buffer(job.descriptor.buffer),
      sectors(job.descriptor.sectors), step(job.descriptor.step)
{
}

FlashJobLog::FlashJobLog(std::size_t dies, std::size_t units, std::uint32_t buses, const memory::Region& dataBuffer,
                         std::uint32_t planes, std::uint32_t before)
    : dataBuffer_(dataBuffer), buses_(buses), dies_(dies, planes), units_(units), kept_(leastKept), oldestOnce_(before),
      keepDue_(before + leastKept / 4 * 3), visible_(leastKept), lastId_(before),
      readers_(dataBuffer.size / sectorBytes), writers_(dataBuffer.size / sectorBytes)
{
}

bool FlashJobLog::isInBuffer(std::uint32_t buffer, std::uint32_t sectors) const
{
    // An address before the buffer wraps to a number beyond its end.
    return sectors != 0 && sectorOf(buffer) + std::uint64_t{sectors} <= readers_.size();
}

std::uint64_t FlashJobLog::writerOf(BusAddress buffer) const
{
    return isInBuffer(raw(buffer), 1) ? writers_[sectorOf(raw(buffer))] : 0;
}

FlashJobLog::Row& FlashJobLog::rowOf(UnitId unit, std::uint32_t slot)
{
    return units_[unit].rows[slot];
}

void FlashJobLog::listed(UnitId unit, bool isSynthesized, Time at, const CpuSleep::Mark& sleeps)
{
    if (!isStopped_)
        units_[unit].listed[isSynthesized ? 1 : 0].push({at, sleeps, lastId_});
}

void FlashJobLog::fetched(const ObservedJob& fetched, Time at)
{
    if (isStopped_)
        return;
    Unit& unit = units_[fetched.unit];
    RingQueue<Listed>& lists = unit.listed[fetched.isSynthesized ? 1 : 0];
    Listed list = unit.isInList ? unit.last : Listed{at, {}, lastId_};
    if ((fetched.isSynthesized || !unit.isInList) && !lists.empty()) { // else it was listed before observation began
        list = lists.pop();
        list.at = std::min(list.at, at);
    }
    beginJob(unit, fetched, list, at);
}

void FlashJobLog::listedAndFetched(const ObservedJob& fetched, Time listed, const CpuSleep::Mark& sleeps, Time at)
{
    if (isStopped_)
        return;
    Unit& unit = units_[fetched.unit];
    if ((unit.isInList && !fetched.isSynthesized) || !unit.listed[fetched.isSynthesized ? 1 : 0].empty()) {
        this->listed(fetched.unit, fetched.isSynthesized, listed, sleeps); // after others
        this->fetched(fetched, at);
    } else {
        beginJob(unit, fetched, {std::min(listed, at), sleeps, lastId_}, at);
    }
}

void FlashJobLog::beginJob(Unit& unit, const ObservedJob& fetched, const Listed& list, Time at)
{
    if (!fetched.isSynthesized) {
        unit.isInList = !fetched.endsList;
        if (unit.isInList)
            unit.last = list;
    }
    const Time listed = list.at;
    OpenJob& open = unit.jobs[fetched.place];
    open.job.number = ++numbers_;
    unit.openJobs += open.isOpen ? 0 : 1;
    open.isOpen = true;
    open.started = never;
    open.step = fetched.step;
    open.isToBuffer = fetched.isToBuffer;
    open.hasUnitTable = fetched.hasUnitTable;
    open.placed.clear();
    open.served.clear();
    EndedJob& job = open.job;
    job.unit = fetched.unit;
    job.opcode = fetched.opcode;
    job.purpose = fetched.purpose;
    job.dies = fetched.dies;
    job.buffer = fetched.buffer;
    job.sectors = fetched.sectors;
    job.listed = listed;
    job.sleeps = list.sleeps;
    job.before = list.before;
    job.fetched = at;
    job.die = noDie;
    job.request = 0;
    if (fetched.opcode == controller::SuperchipOpcode::Program && !fetched.hasUnitTable)
        job.request = writerOf(job.buffer);
    if (sink_ != nullptr && fetched.opcode == controller::SuperchipOpcode::Program && fetched.step == 1)
        writes(open, job.buffer, job.sectors);
    open.path.begin(listed);
    open.last = noRow;
    open.end = listed;
}

// Jobs of the same superchip keep its dies busy; others only the unit.
void FlashJobLog::waitForUnit(const Unit& unit, const FlashJob& job, Time until, JobPath& path)
{
    Time others = path.end(); // up to there jobs of other dies keep the unit busy, which is not in the path yet
    const auto add = [&](const JobDies& dies, StageId work, Time start, Time end) {
        if (dies == job.dies) {
            path.add(RequestStage::FlashUnit, std::max(others, std::min(start, until)));
            path.add(work, std::min(end, until));
        }
        others = std::max(others, std::min(end, until));
    };
    const std::size_t kept = std::min(unit.pastCount, keptPast);
    std::size_t first = unit.pastCount;
    while (first > unit.pastCount - kept && unit.past[(first - 1) % keptPast].end > path.end())
        --first;
    for (; first < unit.pastCount && others < until; ++first) {
        const Past& past = unit.past[first % keptPast];
        add(past.dies, past.work, past.start, past.end);
    }
    if (unit.openJobs > 1 && others < until) { // the first of these that has begun explains the rest
        for (const OpenJob& open : unit.jobs) {
            if (open.isOpen && &open.job != &job && open.started < until) {
                add(open.job.dies, open.job.work(), open.started, until);
                break;
            }
        }
    }
    path.add(RequestStage::FlashUnit, until);
}

void FlashJobLog::rowStarted(UnitId unitId, std::uint32_t slot, std::uint32_t place, Time at)
{
    if (isStopped_)
        return;
    Unit& unit = units_[unitId];
    Row& row = rowOf(unitId, slot);
    OpenJob& open = unit.jobs[place];
    row.number = ++numbers_;
    if (row.job != open.job.number) {
        if (unit.openJobs > 1) {
            OpenJob& before = unit.jobs[row.place];
            if (before.isOpen && before.last == slot && before.job.number == row.job) {
                before.path = row.path;
                before.last = noRow;
            }
        }
        row.job = open.job.number;
        row.place = place;
        row.path.begin(open.job.listed);
        waitForUnit(unit, open.job, at, row.path);
    } else {
        row.path.add(RequestStage::FlashUnit, at);
    }
    if (buses_ > 1)
        row.way.begin(row.path.end());
    row.die = noDie;
    open.started = std::min(open.started, at);
}

void FlashJobLog::unitsPlaced(UnitId unitId, std::uint32_t slot, BusAddress first, std::uint32_t sectors)
{
    if (isStopped_)
        return;
    Unit& unit = units_[unitId];
    const Row& row = rowOf(unitId, slot);
    OpenJob& open = unit.jobs[row.place];
    if (row.job != open.job.number)
        return; // the row began before observation
    if (open.job.opcode == controller::SuperchipOpcode::Read)
        open.placed.push_back({first, sectors});
    else if (open.hasUnitTable && open.job.request == 0)
        open.job.request = writerOf(first);
    if (sink_ != nullptr && open.job.opcode != controller::SuperchipOpcode::Read)
        writes(open, first, sectors);
}

void FlashJobLog::writes(OpenJob& open, BusAddress first, std::uint32_t sectors) const
{
    if (!isInBuffer(raw(first), sectors))
        return;
    std::uint64_t last = open.job.request;
    for (std::uint32_t i = sectorOf(raw(first)), end = i + sectors; i < end; ++i) {
        if (writers_[i] != 0 && writers_[i] != last)
            open.served.push_back(writers_[i]);
        last = writers_[i];
    }
}

void FlashJobLog::sent(controller::Ticket ticket, std::uint32_t slot, Time dataAt, Time at)
{
    if (isStopped_)
        return;
    Row& row = rowOf(ticket.unit, slot);
    JobPath* path = &row.path;
    if (buses_ > 1) {
        Lane& lane = units_[ticket.unit].lanes[ticket.lane];
        lane.path.begin(row.path.end());
        if (lane.row == row.number) // once more
            lane.path.add(row.way, dataAt);
        lane.row = row.number;
        path = &lane.path;
    }
    path->add(RequestStage::FlashUnit, dataAt);
    path->add(RequestStage::Ecc, at);
}

void FlashJobLog::finished(controller::Ticket ticket, std::uint32_t slot, const WhichOperation& op, Time at,
                           Time decoded)
{
    if (isStopped_)
        return;
    Row& row = rowOf(ticket.unit, slot);
    if (buses_ == 1) {
        dies_.finished(op, at, row.path);
        row.path.add(RequestStage::Ecc, decoded);
        row.die = op.die;
        return;
    }
    Lane& lane = units_[ticket.unit].lanes[ticket.lane];
    if (lane.row != row.number) { // sent before observation began
        lane.path.begin(row.path.end());
        lane.row = row.number;
    }
    dies_.finished(op, at, lane.path);
    lane.path.add(RequestStage::Ecc, decoded);
    if (lane.path.end() < row.way.end())
        return;
    row.die = lane.path.end() == row.way.end() && row.die != op.die ? noDie : op.die;
    row.way = lane.path;
}

void FlashJobLog::rowEnded(UnitId unitId, std::uint32_t slot, Time at)
{
    if (isStopped_)
        return;
    Unit& unit = units_[unitId];
    Row& row = rowOf(unitId, slot);
    OpenJob& open = unit.jobs[row.place];
    if (row.job != open.job.number)
        return; // the row began before observation
    row.path.cut(at);
    if (buses_ > 1)
        row.path.add(row.way, at);
    row.path.add(RequestStage::FlashUnit, at);
    if (row.path.end() < open.end)
        return;
    open.job.die = row.die;
    open.last = slot;
    open.end = row.path.end();
}

void FlashJobLog::retired(UnitId unitId, std::uint32_t place, Time at, Time visible)
{
    if (isStopped_)
        return;
    Unit& unit = units_[unitId];
    OpenJob& open = unit.jobs[place];
    if (!open.isOpen)
        return; // it was fetched before observation began
    open.isOpen = false;
    --unit.openJobs;
    EndedJob& job = open.job;
    JobPath& path = open.last == noRow ? open.path : unit.rows[open.last].path;
    path.add(RequestStage::FlashUnit, visible);
    Past& past = unit.past[unit.pastCount % keptPast];
    past.start = std::min(open.started, at);
    past.end = at;
    past.dies = job.dies;
    past.work = job.work();
    ++unit.pastCount;

    const Time visibleBefore = visible_[lastId_ & mask_];
    if (++lastId_ == 0) { // no job has this id
        visible_[0] = visibleBefore;
        ++lastId_;
    }
    const JobSegments segments = path.segments();
    FlashJob& kept = kept_[lastId_ & mask_];
    const std::uint64_t oldest = kept_[oldestKept() & mask_].segments; // of those that stay
    kept = job; // before its members are written: reading them again at once would stall
    kept.visible = visible;
    kept.id = lastId_;
    kept.segmentCount = static_cast<std::uint8_t>(segments.size());
    kept.segments = segments_.put(segments, oldest);
    kept.again = readInto(open);
    visible_[lastId_ & mask_] = std::max(visible, visibleBefore);
    if (sink_ != nullptr) {
        static_cast<FlashJob&>(job) = kept;
        sink_->job(job);
        for (const std::uint64_t request : open.served) // not before: the sink forgets what is of no job that it knows
            sink_->serves(job.number, request);
    }
    for (const Placed& placed : open.placed) {
        if (isInBuffer(raw(placed.first), placed.sectors))
            fillFours(readers_.data() + sectorOf(raw(placed.first)), placed.sectors, lastId_);
    }
    if (!open.isToBuffer || !isInBuffer(raw(job.buffer), (job.sectors - 1) * open.step + 1))
        return;
    const std::uint32_t first = sectorOf(raw(job.buffer));
    if (open.step == 1)
        fillFours(readers_.data() + first, job.sectors, lastId_);
    for (std::uint32_t i = 0; open.step != 1 && i < job.sectors; ++i)
        readers_[first + i * open.step] = lastId_;
}

// The last job that has read into the first sector of a read, its id; 0: none that is known, or no read to the buffer.
std::uint32_t FlashJobLog::readInto(const OpenJob& open) const
{
    if (!open.isToBuffer && open.placed.empty())
        return 0;
    const std::uint32_t first = raw(open.isToBuffer ? open.job.buffer : open.placed.front().first);
    return isInBuffer(first, 1) ? readers_[sectorOf(first)] : 0;
}

FlashJob* FlashJobLog::job(std::uint32_t id)
{
    FlashJob& kept = kept_[id & mask_];
    return id != 0 && kept.id == id ? &kept : nullptr;
}

std::uint32_t FlashJobLog::lastVisible(Time at, std::uint32_t near) const
{
    const std::uint32_t oldest = oldestKept(); // ids wrap, their distances from this one do not
    const std::uint32_t begin = static_cast<std::int32_t>(near - oldest) < 0 ? 0 : near - oldest;
    const std::uint32_t later = firstLater(0U, lastId_ + 1 - oldest, begin,
                                           [&](std::uint32_t i) { return visible_[(oldest + i) & mask_] > at; });
    return later == 0 ? 0 : oldest + later - 1;
}

bool FlashJobLog::keepSince(Time time)
{
    const std::uint32_t oldest = oldestKept();
    const std::uint32_t next = lastId_ + (mask_ + 1) / 4; // the last one when this is due again
    const bool isReplacing = next - oldest > mask_;       // until then, jobs up to next - capacity
    const bool isGrowing = mask_ + 1 < mostKept && isReplacing && visible_[next & mask_] > time;
    if (isGrowing) {
        const std::uint32_t mask = 2 * mask_ + 1;
        std::vector<FlashJob> kept(mask + std::size_t{1});
        std::vector<Time> visible(mask + std::size_t{1});
        for (std::uint32_t id = oldest; id != lastId_ + 1; ++id) {
            kept[id & mask] = kept_[id & mask_];
            visible[id & mask] = visible_[id & mask_];
        }
        kept_.swap(kept);
        visible_.swap(visible);
        mask_ = mask;
    }
    oldestOnce_ = oldest;
    keepDue_ = next;
    return isGrowing;
}

FlashJob* FlashJobLog::readerOf(std::uint32_t buffer, std::uint32_t sectors)
{
    FlashJob* last = nullptr;
    if (!isInBuffer(buffer, sectors))
        return last;
    const std::uint32_t first = sectorOf(buffer);
    const std::uint32_t* ids = readers_.data() + first;
    if (std::memcmp(ids, ids + 1, (sectors - 1) * sizeof *ids) == 0) // one job, mostly
        return job(*ids);
    std::uint32_t previous = 0;
    for (std::uint32_t i = 0; i < sectors; ++i) {
        const std::uint32_t id = readers_[first + i];
        if (id == previous)
            continue;
        previous = id;
        FlashJob* reader = job(id);
        if (reader != nullptr && (last == nullptr || reader->visible > last->visible))
            last = reader;
    }
    return last;
}

bool FlashJobLog::hasOpenBefore(Time time) const
{
    return std::any_of(units_.begin(), units_.end(), [&](const Unit& unit) {
        return std::any_of(unit.jobs.begin(), unit.jobs.end(),
                           [&](const OpenJob& open) { return open.isOpen && open.job.fetched < time; });
    });
}

void FlashJobLog::filled(std::uint32_t buffer, std::uint32_t sectors, std::uint64_t request)
{
    if (!isInBuffer(buffer, sectors))
        return;
    const std::uint32_t first = sectorOf(buffer);
    fillFours(writers_.data() + first, sectors, request);
    fillFours(readers_.data() + first, sectors, 0U);
}

void FlashJobLog::takeRow(controller::Ticket ticket, std::uint64_t request, Time at, RowWay& into)
{
    const std::uint32_t slot = ticket.lane / buses_;
    const Row& row = rowOf(ticket.unit, slot);
    OpenJob& open = units_[ticket.unit].jobs[row.place];
    if (row.job == open.job.number)
        open.job.request = request;
    if (sink_ != nullptr)
        sink_->serves(row.job, request);
    into.path.begin(row.path.start());
    into.path.add(row.path, at);
    if (buses_ > 1)
        into.path.add(row.way, at);
    into.path.add(RequestStage::FlashUnit, at);
    into.die = row.die;
    into.dies = open.job.dies;
}

} // namespace strobe::platform
