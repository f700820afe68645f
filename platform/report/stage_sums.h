#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A way through the stages of a request, like a StagePath (stage_path.h) but without the order in time: only how long
// each stage was. That is all that the statistics of most requests need.

#include "platform/report/stage_path.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace strobe::platform {

class StageSums {
public:
    void begin(Time at)
    {
        start_ = end_ = at;
        clear(used_, stages_); // only what was used: these are most of a short way's cost otherwise
        clear(usedBehind_, behindBuffer_);
    }
    void add(StageId stage, Time until, StageId detail = noStage)
    {
        if (until <= end_)
            return;
        stages_[stage] += until - end_;
        used_ |= bit(stage);
        if (detail < stageIds) {
            behindBuffer_[detail] += until - end_;
            usedBehind_ |= bit(detail);
        }
        end_ = until;
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
        Time at = end_;
        std::uint64_t used = usedBehind_;
        for (const StageSegment segment : segments) {
            const Time end = std::min(segment.end, until);
            if (end <= at)
                continue;
            behindBuffer_[segment.stage] += end - at;
            used |= bit(segment.stage);
            at = end;
        }
        usedBehind_ = used;
        add(RequestStage::BufferWait, at);
    }

    Time start() const { return start_; }
    Time end() const { return end_; }
    // Calls take(stage, time) for each stage that was not empty, and for each that was behind a wait for the buffer.
    template <class Take>
    void forEachStage(Take take) const
    {
        forEach(used_, stages_, take);
    }
    template <class Take>
    void forEachBehindBuffer(Take take) const
    {
        forEach(usedBehind_, behindBuffer_, take);
    }

private:
    using Times = std::array<Time, stageIds>;
    static_assert(stageIds <= 64);
    static constexpr std::uint64_t bit(StageId stage) { return std::uint64_t{1} << stage; }
    static void clear(std::uint64_t& used, Times& times)
    {
        for (; used != 0; used &= used - 1)
            times[static_cast<StageId>(__builtin_ctzll(used))] = {};
    }
    template <class Take>
    static void forEach(std::uint64_t used, const Times& times, Take take)
    {
        for (; used != 0; used &= used - 1) {
            const auto stage = static_cast<StageId>(__builtin_ctzll(used));
            take(stage, times[stage]);
        }
    }

    Time start_{};
    Time end_{};
    std::uint64_t used_ = 0; // bit per stage
    std::uint64_t usedBehind_ = 0;
    Times stages_{};
    Times behindBuffer_{};
};

} // namespace strobe::platform
