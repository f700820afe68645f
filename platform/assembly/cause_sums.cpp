// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/cause_sums.h"

#include "platform/assembly/seen_segments.h"

#include <algorithm>

namespace strobe::platform {

namespace {

std::uint64_t durationOf(const FlashJob& job)
{
    return static_cast<std::uint64_t>((job.visible - job.listed).count());
}

// From listing to result.
template <class Add>
void forEachStage(const FlashJob& job, const JobSegments& path, Add add)
{
    const std::uint64_t whole = durationOf(job);
    std::uint64_t at = 0;
    for (const JobSegment *segment = path.data(), *const last = segment + path.size(); segment != last; ++segment) {
        const std::uint64_t end = std::min(static_cast<std::uint64_t>(segment->length().count()), whole);
        add(segment->stage(), end - at);
        at = end;
    }
}

} // namespace

CauseSums::Row& CauseSums::rowOf(const FlashJob& job)
{
    if (rows_.empty())
        rows_.resize(FlashJobLog::keptJobs);
    return rows_[job.id % FlashJobLog::keptJobs];
}

void CauseSums::begin(const FlashJob& job)
{
    Row& row = rowOf(job);
    row = {};
    row.id = row.root = job.id;
}

void CauseSums::extend(const FlashJob& cause, const FlashJob& job, const JobSegments& path)
{
    const Row& before = rowOf(cause);
    Row& row = rowOf(job);
    row = before; // its own row is another one: the cause ended before the job
    row.id = job.id;
    row.idle += static_cast<std::uint64_t>((job.wokeUp - cause.visible).count());
    row.firmware += static_cast<std::uint64_t>((job.listed - job.wokeUp).count());
    if (job.readsMap()) {
        row.map += durationOf(job);
        return;
    }
    forEachStage(job, path, [&](StageId stage, std::uint64_t length) { row.jobs[stage] += length; });
}

void CauseSums::divide(StageTotals& totals, const Row& from, const Row& to, RequestStage idle)
{
    for (std::size_t stage = 0; stage < stageIds; ++stage)
        totals.bufferWaitCauses[stage] += to.jobs[stage] - from.jobs[stage];
    const auto move = [&totals](std::uint64_t time, RequestStage stage) {
        totals.stages[idOf(RequestStage::BufferWait)] -= time;
        totals.stages[idOf(stage)] += time;
    };
    move(to.map - from.map, RequestStage::MapWait);
    move(to.firmware - from.firmware, RequestStage::Firmware);
    move(to.idle - from.idle, idle);
}

void CauseSums::see(StageTotals& totals, const FlashJob& job, const JobSegments& path, bool isOwn)
{
    totals.stages[idOf(RequestStage::BufferWait)] -= durationOf(job);
    const StageId work = job.work();
    forEachStage(job, path, [&](StageId stage, std::uint64_t length) {
        totals.bufferWaitCauses[stage] -= length;
        totals.stages[isOwn ? stage : seenStage(stage, work)] += length;
    });
}

} // namespace strobe::platform
