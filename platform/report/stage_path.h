#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A way through the stages of a request (request_stage.h): a sequence of segments without gaps and without overlap, so
// that their lengths add up to its length exactly.

#include "platform/report/request_stage.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace strobe::platform {

struct StageSegment {
    Time end{};
    StageId stage = 0;
    StageId detail = noStage; // buffer wait: the stage in which the flash operation was that ended it
};

// Segments are added in order of time. Memory is bounded: of more than 64 segments the earlier ones are put together.
class StagePath {
public:
    static constexpr std::size_t most = 64; // segments; earlier ones then are put together by stage

    void begin(Time at)
    {
        start_ = end_ = at;
        segments_.clear();
    }
    // The stage lasts until then; a time that is not later than the end changes nothing.
    void add(StageId stage, Time until, StageId detail = noStage)
    {
        if (until <= end_)
            return;
        end_ = until;
        if (!segments_.empty()) {
            StageSegment& last = segments_.back();
            if (last.stage == stage && last.detail == detail) {
                last.end = until;
                return;
            }
        }
        if (segments_.size() == most)
            compact();
        segments_.push_back({until, stage, detail});
    }
    void add(RequestStage stage, Time until) { add(idOf(stage), until); }
    // Segments of another way: what lies after the end of this one and before `until`.
    template <class Segments>
    void addPart(const Segments& segments, Time until)
    {
        for (const StageSegment segment : segments) {
            if (end_ >= until)
                return;
            add(segment.stage, std::min(segment.end, until), segment.detail);
        }
    }
    // The same part as a wait for the buffer, with those stages behind it.
    template <class Segments>
    void addBehindBuffer(const Segments& segments, Time until)
    {
        for (const StageSegment segment : segments) {
            if (end_ >= until)
                return;
            add(idOf(RequestStage::BufferWait), std::min(segment.end, until), segment.stage);
        }
    }

    Time start() const { return start_; }
    Time end() const { return end_; }
    const std::vector<StageSegment>& segments() const { return segments_; }
    std::array<Time, stageIds> sums() const;

private:
    void compact();

    std::vector<StageSegment> segments_;
    Time start_{};
    Time end_{};
};

} // namespace strobe::platform
