#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The sums of a request, of which some are added for many jobs at once (cause_sums.h). Of the others most are added
// whole: such a job was listed where the request's way ends, so none of its segments is to be cut.

#include "platform/assembly/seen_segments.h"
#include "platform/report/stage_sums.h"

namespace strobe::platform {

class SharedSums : public StageSums {
public:
    explicit SharedSums(StageTotals& totals) : StageSums(totals), totals_(&totals) {} // as StageSums
    StageTotals& totals() { return *totals_; }

    void addPart(const JobSegments& job, Time until)
    {
        if (isWhole(job, until))
            addWhole(job, totals_->stages, [](StageId stage) { return stage; });
        else
            StageSums::addPart(job, until);
    }
    void addPart(const SeenSegments& seen, Time until)
    {
        if (isWhole(seen.own(), until))
            addWhole(seen.own(), totals_->stages, [&seen](StageId stage) { return seenStage(stage, seen.work()); });
        else
            StageSums::addPart(seen, until);
    }
    void addBehindBuffer(const JobSegments& job, Time until)
    {
        if (!isWhole(job, until)) {
            StageSums::addBehindBuffer(job, until);
            return;
        }
        totals_->stages[idOf(RequestStage::BufferWait)] +=
            addWhole(job, totals_->bufferWaitCauses, [](StageId stage) { return stage; });
    }

private:
    bool isWhole(const JobSegments& job, Time until) const { return job.start() == end() && job.last() <= until; }
    template <class StageOf>
    std::uint64_t addWhole(const JobSegments& job, std::array<std::uint64_t, stageIds>& into, StageOf stageOf)
    {
        std::uint64_t at = 0;
        for (const JobSegment *segment = job.data(), *const last = segment + job.size(); segment != last; ++segment) {
            const auto length = static_cast<std::uint64_t>(segment->length().count());
            into[stageOf(segment->stage())] += length - at;
            at = length;
        }
        endAt(job.last());
        return at;
    }

    StageTotals* totals_;
};

} // namespace strobe::platform
