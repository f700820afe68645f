// SPDX-License-Identifier: Apache-2.0
#include "platform/report/stage_path.h"

namespace strobe::platform {

std::array<Time, stageIds> StagePath::sums() const
{
    std::array<Time, stageIds> sums{};
    Time from = start_;
    for (const StageSegment& segment : segments_) {
        sums[segment.stage] += segment.end - from;
        from = segment.end;
    }
    return sums;
}

// The first three quarters become one segment per stage and detail: sums stay exact, their order in time is lost.
void StagePath::compact()
{
    struct Sum {
        StageId stage;
        StageId detail;
        Time time;
    };
    const auto old = static_cast<std::ptrdiff_t>(segments_.size() * 3 / 4);
    std::vector<Sum> sums;
    Time from = start_;
    for (auto segment = segments_.begin(); segment != segments_.begin() + old; ++segment) {
        const auto same = std::find_if(sums.begin(), sums.end(), [&](const Sum& sum) {
            return sum.stage == segment->stage && sum.detail == segment->detail;
        });
        if (same == sums.end())
            sums.push_back({segment->stage, segment->detail, segment->end - from});
        else
            same->time += segment->end - from;
        from = segment->end;
    }
    auto kept = segments_.begin();
    Time end = start_;
    for (const Sum& sum : sums)
        *kept++ = {end += sum.time, sum.stage, sum.detail};
    segments_.erase(kept, segments_.begin() + old);
}

} // namespace strobe::platform
