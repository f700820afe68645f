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

FlashJobLog::FlashJobLog(std::size_t dies, std::size_t units, std::uint32_t buses, const memory::Region& dataBuffer,
                         std::uint32_t planes, std::uint32_t before)
    : dataBuffer_(dataBuffer), buses_(buses), dies_(dies, planes), units_(units), kept_(leastKept), oldestOnce_(before),
      keepDue_(before + leastKept / 4 * 3), visible_(leastKept), lastId_(before),
      bufferSectors_(dataBuffer.size / sectorBytes), readers_(bufferSectors_), writers_(bufferSectors_)
{
}

bool FlashJobLog::isInBuffer(std::uint32_t buffer, std::uint32_t sectors) const
{
    // An address before the buffer wraps to a number beyond its end.
    return sectors != 0 && sectorOf(buffer) + std::uint64_t{sectors} <= bufferSectors_;
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
    takeList(unit, fetched, list);
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
        const Listed list{std::min(listed, at), sleeps, lastId_};
        takeList(unit, fetched, list);
        beginJob(unit, fetched, list, at);
    }
}

void FlashJobLog::begun(const ObservedJob& fetched, Time listed, const CpuSleep::Mark& sleeps, Time at)
{
    if (!isStopped_)
        beginJob(units_[fetched.unit], fetched, {listed, sleeps, lastId_}, at);
}

inline void FlashJobLog::takeList(Unit& unit, const ObservedJob& fetched, const Listed& list)
{
    if (fetched.isSynthesized)
        return;
    unit.isInList = !fetched.endsList;
    if (unit.isInList)
        unit.last = list;
}

void FlashJobLog::beginJob(Unit& unit, const ObservedJob& fetched, const Listed& list, Time at)
{
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
        writes(job, job.buffer, job.sectors);
    open.path.begin(listed);
    open.last = noRow;
    open.end = listed;
}

// Jobs of the same superchip keep its dies busy; others only the unit.
inline void FlashJobLog::waitForUnit(const Unit& unit, const JobDies& dies, const UnitWork& before, Time until,
                                     JobPath& path)
{
    Time others = path.end(); // up to there jobs of other dies keep the unit busy, which is not in the path yet
    const auto add = [&](const JobDies& of, StageId work, Time start, Time end) {
        if (of == dies) {
            path.add(RequestStage::FlashUnit, std::max(others, std::min(start, until)));
            path.add(work, std::min(end, until));
        }
        others = std::max(others, std::min(end, until));
    };
    const std::uint64_t oldest = unit.pastCount < keptPast ? 0 : unit.pastCount - keptPast;
    std::uint64_t first = before.retired;
    while (first > oldest && unit.past[(first - 1) % keptPast].end > path.end())
        --first;
    for (; first < before.retired && others < until; ++first) {
        const Past& past = unit.past[first % keptPast];
        add(past.dies, past.work, past.start, past.end);
    }
    if (before.started < until && others < until)
        add(before.dies, before.stage, before.started, until);
    path.add(RequestStage::FlashUnit, until);
}

void FlashJobLog::rowStarted(UnitId unitId, std::uint32_t slot, std::uint32_t place, Time at, const UnitWork& work)
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
        waitForUnit(unit, open.job.dies, work, at, row.path);
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
        writes(open.job, first, sectors);
}

void FlashJobLog::writes(const EndedJob& job, BusAddress first, std::uint32_t sectors)
{
    if (!isInBuffer(raw(first), sectors))
        return;
    std::uint64_t last = job.request;
    for (std::uint32_t i = sectorOf(raw(first)), end = i + sectors; i < end; ++i) {
        if (writers_[i] != 0 && writers_[i] != last)
            sink_->serves(job.number, writers_[i]);
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

void FlashJobLog::finished(controller::Ticket ticket, std::uint32_t slot, const WholeOperation& op, Time at,
                           Time decoded)
{
    if (isStopped_)
        return;
    Row& row = rowOf(ticket.unit, slot);
    dies_.finished(op, at, row.path);
    row.path.add(RequestStage::Ecc, decoded);
    row.die = op.op.die;
}

void FlashJobLog::finished(controller::Ticket ticket, std::uint32_t slot, const ObservedOperation& op, Time at,
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
    addPast(unit, std::min(open.started, at), at, job.dies, job.work());
    FlashJob& kept = keep(path, visible);
    const FlashJob placed = kept;
    kept = job;
    kept.visible = visible;
    kept.id = placed.id;
    kept.segments = placed.segments;
    kept.segmentCount = placed.segmentCount;
    if (sink_ != nullptr) {
        static_cast<FlashJob&>(job) = kept;
        sink_->job(job);
    }
    for (const Placed& units : open.placed)
        reads(raw(units.first), units.sectors);
    if (open.isToBuffer)
        reads(raw(job.buffer), job.sectors, open.step);
}

inline void FlashJobLog::addPast(Unit& unit, Time start, Time end, const JobDies& dies, StageId work)
{
    Past& past = unit.past[unit.pastCount % keptPast];
    past.start = start;
    past.end = end;
    past.dies = dies;
    past.work = work;
    ++unit.pastCount;
}

inline FlashJob& FlashJobLog::keep(const JobPath& path, Time visible)
{
    const Time visibleBefore = visible_[lastId_ & mask_];
    if (++lastId_ == 0) { // no job has this id
        visible_[0] = visibleBefore;
        ++lastId_;
    }
    const JobSegments segments = path.segments();
    FlashJob& kept = kept_[lastId_ & mask_];
    kept.segments = segments_.put(segments, kept_[oldestKept() & mask_].segments); // of those that stay
    kept.segmentCount = static_cast<std::uint8_t>(segments.size());
    kept.visible = visible;
    kept.id = lastId_;
    visible_[lastId_ & mask_] = std::max(visible, visibleBefore);
    return kept;
}

inline void FlashJobLog::reads(std::uint32_t buffer, std::uint32_t sectors, std::uint32_t step)
{
    if (!isInBuffer(buffer, (sectors - 1) * step + 1))
        return;
    std::uint32_t* const ids = readers_.data() + sectorOf(buffer);
    if (step == 1)
        fillFours(ids, sectors, lastId_);
    for (std::uint32_t i = 0; step != 1 && i < sectors; ++i)
        ids[i * step] = lastId_;
}

std::uint64_t FlashJobLog::ended(const PageJob& page)
{
    if (isStopped_)
        return 0;
    const ObservedJob& observed = page.job;
    Unit& unit = units_[observed.unit];
    JobPath& path = path_;
    path.begin(page.listed);
    waitForUnit(unit, observed.dies, page.unit, page.rowStarted, path);
    path.add(RequestStage::FlashUnit, page.dataAt);
    path.add(RequestStage::Ecc, page.sent);
    const bool hasFinished = page.finished != never;
    if (hasFinished) {
        dies_.finished(page.op, page.finished, path);
        path.add(RequestStage::Ecc, page.decoded);
    }
    path.cut(page.rowEnded);
    path.add(RequestStage::FlashUnit, page.rowEnded);
    path.add(RequestStage::FlashUnit, page.visible);
    addPast(unit, std::min(page.rowStarted, page.retired), page.retired, observed.dies, observed.work());

    FlashJob& kept = keep(path, page.visible);
    kept.number = ++numbers_;
    kept.request = 0;
    kept.listed = page.listed;
    kept.sleeps = page.sleeps;
    kept.wokeUp = never;
    kept.cause = 0;
    kept.before = page.before;
    kept.dies = observed.dies;
    kept.die = hasFinished ? page.op.op.die : noDie;
    kept.opcode = observed.opcode;
    kept.purpose = observed.purpose;
    if (observed.opcode == controller::SuperchipOpcode::Read) {
        for (std::uint32_t i = 0; i < page.placedCount; ++i)
            reads(raw(page.placed[i].first), page.placed[i].sectors);
        if (observed.isToBuffer)
            reads(raw(observed.buffer), observed.sectors, observed.step);
    } else {
        findWriter(page, kept);
    }
    if (sink_ != nullptr)
        tellOf(page, kept);
    return kept.number;
}

inline void FlashJobLog::findWriter(const PageJob& page, FlashJob& kept) const
{
    if (page.job.opcode == controller::SuperchipOpcode::Program && !page.job.hasUnitTable)
        kept.request = writerOf(page.job.buffer);
    for (std::uint32_t i = 0; page.job.hasUnitTable && kept.request == 0 && i < page.placedCount; ++i)
        kept.request = writerOf(page.placed[i].first);
}

[[gnu::noinline]] void FlashJobLog::tellOf(const PageJob& page, const FlashJob& kept)
{
    EndedJob job;
    static_cast<FlashJob&>(job) = kept;
    job.unit = page.job.unit;
    job.buffer = page.job.buffer;
    job.sectors = page.job.sectors;
    job.fetched = page.fetched;
    if (job.opcode == controller::SuperchipOpcode::Program && page.job.step == 1)
        writes(job, job.buffer, job.sectors);
    for (std::uint32_t i = 0; job.opcode != controller::SuperchipOpcode::Read && i < page.placedCount; ++i)
        writes(job, page.placed[i].first, page.placed[i].sectors);
    sink_->job(job);
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
