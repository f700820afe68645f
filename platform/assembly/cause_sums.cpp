// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/cause_sums.h"

#include "platform/assembly/seen_segments.h"

#include <algorithm>

namespace strobe::platform {

namespace {

std::uint64_t picoseconds(Time time)
{
    return static_cast<std::uint64_t>(time.count());
}

// From listing to result.
template <class Add>
void forEachStage(const FlashJob& job, const JobSegments& path, Add add)
{
    const std::uint64_t whole = picoseconds(job.visible - job.listed);
    std::uint64_t at = 0;
    for (const JobSegment *segment = path.data(), *const last = segment + path.size(); segment != last; ++segment) {
        const std::uint64_t end = std::min(picoseconds(segment->length()), whole);
        add(segment->stage(), end - at);
        at = end;
    }
}

// The job has been added as a wait for the buffer, but who waits sees its stages.
void see(StageTotals& totals, const FlashJob& job, const JobSegments& path)
{
    totals.stages[idOf(RequestStage::BufferWait)] -= picoseconds(job.visible - job.listed);
    const StageId work = job.work();
    forEachStage(job, path, [&](StageId stage, std::uint64_t length) {
        totals.bufferWaitCauses[stage] -= length;
        totals.stages[seenStage(stage, work)] += length;
    });
}

} // namespace

CauseSums::CauseSums()
{
    columns_.fill(none);
}

void CauseSums::grow()
{
    const std::uint32_t places = tree_.capacity();
    tree_.grow();
    if (stages_.empty())
        return;
    const std::size_t width = TimeColumns + 3 * width_;
    std::unique_ptr<std::uint64_t[]> sums(new std::uint64_t[tree_.capacity() * width]);
    for (std::uint32_t place = 0; place < tree_.capacity(); ++place) {
        if (tree_.isUsed(place))
            std::copy_n(sums_.get() + (place & (places - 1)) * width, width, sums.get() + place * width);
    }
    sums_.swap(sums);
}

void CauseSums::addColumn(StageId stage)
{
    if (stages_.empty()) {
        sums_.reset(new std::uint64_t[tree_.capacity() * (TimeColumns + 3 * width_)]);
        for (const RequestStage first : {RequestStage::Array, RequestStage::Transfer}) {
            columns_[idOf(first)] = static_cast<std::uint8_t>(stages_.size());
            stages_.push_back(idOf(first));
        }
        if (columns_[stage] != none)
            return;
    }
    if (stages_.size() == width_) {
        const std::size_t wider = width_ + 4;
        const std::size_t row = TimeColumns + 3 * width_;
        const std::size_t widerRow = TimeColumns + 3 * wider;
        std::unique_ptr<std::uint64_t[]> sums(new std::uint64_t[tree_.capacity() * widerRow]);
        for (std::uint32_t place = 0; place < tree_.capacity(); ++place) {
            if (!tree_.isUsed(place))
                continue;
            const std::uint64_t* from = sums_.get() + place * row;
            std::uint64_t* to = std::copy_n(from, TimeColumns, sums.get() + place * widerRow);
            from += TimeColumns;
            for (int part = 0; part < 3; ++part, from += width_)
                to = std::fill_n(std::copy_n(from, width_, to), wider - width_, std::uint64_t{0});
        }
        sums_.swap(sums);
        width_ = wider;
    }
    columns_[stage] = static_cast<std::uint8_t>(stages_.size());
    stages_.push_back(stage);
}

const CauseNode& CauseSums::extend(const FlashJob& job, const CauseNode* cause, const JobSegments& path)
{
    for (const JobSegment *segment = path.data(), *const last = segment + path.size(); segment != last; ++segment) {
        if (columns_[segment->stage()] == none)
            addColumn(segment->stage());
    }
    const StageId work = job.work();
    if (columns_[work] == none)
        addColumn(work);
    const CauseNode& node = tree_.add(job, cause);
    const std::size_t width = width_;
    std::uint64_t* const row = rowOf(node);
    std::uint64_t* const stages = row + TimeColumns;
    std::uint64_t* const same = stages + width;
    if (cause == nullptr) {
        std::fill_n(row, TimeColumns + width, std::uint64_t{0});
    } else {
        const std::uint64_t* const before = rowOf(*cause);
        for (std::size_t column = 0; column < TimeColumns + width; column += 4)
            std::copy_n(before + column, 4, row + column);
        row[Idle] += picoseconds(job.wokeUp - cause->visible);
        row[Firmware] += picoseconds(job.listed - job.wokeUp);
    }
    if (const CauseNode* const sameDies = tree_.at(node.sameDies)) {
        const std::uint64_t* const before = rowOf(*sameDies) + TimeColumns + width;
        for (std::size_t column = 0; column < 2 * width; column += 4)
            std::copy_n(before + column, 4, same + column);
    } else {
        std::fill_n(same, 2 * width, std::uint64_t{0});
    }
    if (job.readsMap()) {
        row[Map] += picoseconds(node.length());
        return node;
    }
    const std::uint64_t worked = same[arrayColumn] + same[transferColumn];
    forEachStage(job, path, [&](StageId stage, std::uint64_t length) {
        const std::size_t column = columns_[stage];
        stages[column] += length;
        same[column] += length;
    });
    same[width + columns_[work]] += same[arrayColumn] + same[transferColumn] - worked;
    return node;
}

void CauseSums::divide(StageTotals& totals, const Wait& wait, const JobDies& dies, FlashJobLog& log) const
{
    const std::uint64_t* const a = rowOf(*wait.edge.before) + TimeColumns;
    const std::uint64_t* const b = rowOf(wait.last) + TimeColumns;
    const std::size_t columns = stages_.size(); // here and below a copy: what is stored in the totals cannot change it
    const StageId* const stages = stages_.data();
    for (std::size_t column = 0; column < columns; ++column)
        totals.bufferWaitCauses[stages[column]] += b[column] - a[column];
    divideTimes(totals, wait);
    if (dies.superchip != JobDies{}.superchip)
        divideSameDies(totals, *wait.edge.before, wait.last, dies, log);
}

void CauseSums::divideForFlash(StageTotals& totals, const Wait& wait) const
{
    const std::uint64_t* const a = rowOf(*wait.edge.before) + TimeColumns;
    const std::uint64_t* const b = rowOf(wait.last) + TimeColumns;
    for (std::size_t column = 0; column < stages_.size(); ++column) {
        const std::uint64_t length = b[column] - a[column];
        totals.stages[stages_[column]] += length;
        totals.stages[idOf(RequestStage::BufferWait)] -= length;
    }
    divideTimes(totals, wait);
}

void CauseSums::divideTimes(StageTotals& totals, const Wait& wait) const
{
    const CauseTree::Edge& edge = wait.edge;
    const CauseNode& before = *edge.before;
    const Time from = wait.from;
    const std::uint64_t* const a = rowOf(before);
    const std::uint64_t* const b = rowOf(wait.last);
    // What lies between the result of `before` and `from` is not part of the wait.
    Time idleBefore{};
    Time firmwareBefore{};
    if (from > before.visible && edge.first != edge.before) {
        idleBefore = std::min(from, edge.first->wokeUp) - before.visible;
        firmwareBefore = from - before.visible - idleBefore;
    }
    const std::uint64_t map = b[Map] - a[Map];
    const std::uint64_t firmware = b[Firmware] - a[Firmware] - picoseconds(firmwareBefore);
    const std::uint64_t idle = b[Idle] - a[Idle] - picoseconds(idleBefore);
    totals.stages[idOf(RequestStage::BufferWait)] -= map + firmware + idle;
    totals.stages[idOf(RequestStage::MapWait)] += map;
    totals.stages[idOf(RequestStage::Firmware)] += firmware;
    totals.stages[idOf(wait.idle)] += idle;
}

void CauseSums::divideSameDies(StageTotals& totals, const CauseNode& before, const CauseNode& last, const JobDies& dies,
                               FlashJobLog& log) const
{
    const CauseNode* newest = tree_.nearest(&last, dies, before.depth).node;
    if (newest == nullptr)
        return;
    const CauseTree::Nearest oldest = tree_.nearest(&before, dies);
    if (oldest.isCut) { // so there are few of them
        for (; newest != nullptr && newest->depth > before.depth; newest = tree_.at(newest->sameDies)) {
            if (const FlashJob* job = log.job(newest->id); job != nullptr && !job->readsMap())
                see(totals, *job, log.pathOf(*job));
        }
        return;
    }
    const std::uint64_t* const b = rowOf(*newest) + TimeColumns + width_;
    static constexpr std::array<std::uint64_t, 2 * stageIds> nothing{};
    const std::uint64_t* const a = oldest.node == nullptr ? nothing.data() : rowOf(*oldest.node) + TimeColumns + width_;
    const std::uint64_t* const workA = a + width_;
    const std::uint64_t* const workB = b + width_;
    const std::size_t columns = stages_.size();
    const StageId* const stages = stages_.data();
    std::uint64_t seen = 0;
    for (std::size_t column = 0; column < columns; ++column) {
        const StageId stage = stages[column];
        const std::uint64_t length = b[column] - a[column];
        totals.bufferWaitCauses[stage] -= length;
        seen += length;
        totals.stages[stage] += workB[column] - workA[column] + (column > transferColumn ? length : 0);
    }
    totals.stages[idOf(RequestStage::BufferWait)] -= seen;
}

} // namespace strobe::platform
