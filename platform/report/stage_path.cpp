// SPDX-License-Identifier: Apache-2.0
#include "platform/report/stage_path.h"

#include <algorithm>
#include <vector>

namespace strobe::platform {

StagePath& StagePath::operator=(const StagePath& other)
{
    if (this == &other)
        return *this;
    if (capacity_ < other.size_) {
        size_ = 0; // what is there is not needed
        allocate(other.size_);
    }
    std::copy_n(other.segments_.get(), other.size_, segments_.get());
    start_ = other.start_;
    end_ = other.end_;
    size_ = other.size_;
    isCompacted_ = other.isCompacted_;
    return *this;
}

void StagePath::add(const StageSegments& other, Time until)
{
    const StageSegment* segment = other.begin();
    const StageSegment* const last = other.end();
    while (segment != last && segment->end <= end_)
        ++segment;
    const auto count = static_cast<std::uint32_t>(last - segment);
    if (count == 0 || end_ >= until)
        return;
    if ((last - 1)->end > until || other.isCompacted() || size_ + count > most) {
        for (; segment != last && end_ < until; ++segment)
            add(segment->stage, std::min(segment->end, until), segment->detail);
        return;
    }
    // All of these. Only the first one can continue the last segment here.
    if (capacity_ < size_ + count)
        allocate(size_ + count);
    add(segment->stage, segment->end, segment->detail);
    StageSegment* to = segments_.get() + size_;
    while (++segment != last)
        *to++ = *segment;
    size_ = static_cast<std::uint32_t>(to - segments_.get());
    end_ = (last - 1)->end;
}

void StagePath::addBehindBuffer(const StageSegments& other, Time until)
{
    for (const StageSegment& segment : other) {
        if (end_ >= until)
            return;
        add(idOf(RequestStage::BufferWait), std::min(segment.end, until), segment.stage);
    }
}

void StagePath::cut(Time at)
{
    if (at >= end_)
        return;
    end_ = std::max(start_, at);
    while (size_ != 0 && (size_ == 1 ? start_ : segments_[size_ - 2].end) >= end_)
        --size_;
    if (size_ != 0)
        segments_[size_ - 1].end = end_;
}

std::array<Time, stageIds> StagePath::sums() const
{
    std::array<Time, stageIds> sums{};
    Time from = start_;
    for (const StageSegment& segment : segments()) {
        sums[segment.stage] += segment.end - from;
        from = segment.end;
    }
    return sums;
}

void StagePath::makeRoom()
{
    if (size_ >= most)
        compact();
    if (size_ == capacity_)
        allocate(size_ + 1);
}

void StagePath::allocate(std::uint32_t capacity)
{
    capacity_ = std::max({least, 2 * capacity_, capacity});
    auto larger = std::make_unique<StageSegment[]>(capacity_);
    std::copy_n(segments_.get(), size_, larger.get());
    segments_ = std::move(larger);
}

// The first three quarters become one segment per stage and detail: sums stay exact, their order in time is lost.
void StagePath::compact()
{
    struct Sum {
        StageId stage;
        StageId detail;
        Time time;
    };
    const std::uint32_t old = size_ * 3 / 4;
    std::vector<Sum> sums;
    sums.reserve(old);
    Time from = start_;
    for (std::uint32_t i = 0; i < old; ++i) {
        const StageSegment& segment = segments_[i];
        const auto same = std::find_if(sums.begin(), sums.end(), [&](const Sum& sum) {
            return sum.stage == segment.stage && sum.detail == segment.detail;
        });
        if (same == sums.end())
            sums.push_back({segment.stage, segment.detail, segment.end - from});
        else
            same->time += segment.end - from;
        from = segment.end;
    }
    StageSegment* kept = segments_.get();
    Time end = start_;
    for (const Sum& sum : sums)
        *kept++ = {end += sum.time, sum.stage, sum.detail};
    kept = std::copy(segments_.get() + old, segments_.get() + size_, kept);
    size_ = static_cast<std::uint32_t>(kept - segments_.get());
    isCompacted_ = true;
}

} // namespace strobe::platform
