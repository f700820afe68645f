#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A way through the stages of a request, like a StagePath (stage_path.h) but without the order in time: each stage is
// added to the totals of many requests at once. That is all that the statistics of most requests need.

#include "platform/report/stage_path.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace strobe::platform {

// Of many requests, in picoseconds. REQUIRES: their latencies add up to less than 2^64.
struct StageTotals {
    std::array<std::uint64_t, stageIds> stages{};
    std::array<std::uint64_t, stageIds> bufferWaitCauses{};
};

class StageSums {
public:
    explicit StageSums(StageTotals& totals) : totals_(&totals) {} // they outlive it

    void begin(Time at) { start_ = end_ = at; }
    void add(StageId stage, Time until, StageId detail = noStage)
    {
        if (until <= end_)
            return;
        const auto length = static_cast<std::uint64_t>((until - end_).count());
        totals_->stages[stage] += length;
        if (detail < stageIds)
            totals_->bufferWaitCauses[detail] += length;
        end_ = until;
    }
    void add(RequestStage stage, Time until) { add(idOf(stage), until); }
    // Segments of another way: what lies after the end of this one and before `until`.
    template <class Segments>
    void addPart(const Segments& segments, Time until)
    {
        Time at = end_; // a copy: what is stored in the totals cannot change it
        for (const StageSegment segment : segments) {
            const Time end = std::min(segment.end, until);
            if (end <= at)
                continue;
            const auto length = static_cast<std::uint64_t>((end - at).count());
            totals_->stages[segment.stage] += length;
            if (segment.detail < stageIds)
                totals_->bufferWaitCauses[segment.detail] += length;
            at = end;
        }
        end_ = at;
    }
    // The same part as a wait for the buffer, with those stages behind it.
    template <class Segments>
    void addBehindBuffer(const Segments& segments, Time until)
    {
        Time at = end_;
        for (const StageSegment segment : segments) {
            const Time end = std::min(segment.end, until);
            if (end <= at)
                continue;
            totals_->bufferWaitCauses[segment.stage] += static_cast<std::uint64_t>((end - at).count());
            at = end;
        }
        add(RequestStage::BufferWait, at);
    }

    Time start() const { return start_; }
    Time end() const { return end_; }

protected:
    void endAt(Time at) { end_ = at; } // what lies before has been added to the totals

private:
    StageTotals* totals_;
    Time start_{};
    Time end_{};
};

} // namespace strobe::platform
