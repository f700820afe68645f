// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/job_path.h"

#include <vector>

namespace strobe::platform {

JobPath& JobPath::operator=(const JobPath& other)
{
    start_ = other.start_;
    end_ = other.end_;
    size_ = other.size_;
    isCompacted_ = other.isCompacted_;
    if (this != &other)
        std::copy_n(other.places_.begin() + 1, size_, first());
    return *this;
}

void JobPath::add(const JobPath& other, Time until)
{
    if (other.size_ == 0 || end_ >= until)
        return;
    const Time shift = other.start_ - start_;
    const Time gap = end_ - other.start_;
    const JobSegment* segment = other.places_.data() + 1;
    const JobSegment* const last = segment + other.size_;
    while (segment != last && segment->length() <= gap)
        ++segment;
    const auto count = static_cast<std::uint32_t>(last - segment);
    if (other.end_ > until || other.isCompacted_ || size_ + count > StagePath::most) {
        for (; segment != last && end_ < until; ++segment)
            add(segment->stage(), std::min(other.start_ + segment->length(), until));
        return;
    }
    if (count == 0)
        return;
    // All of these. Only the first one can continue the last segment here.
    add(segment->stage(), other.start_ + segment->length());
    JobSegment* to = first() + size_;
    while (++segment != last) {
        *to = *segment;
        to++->lengthen(shift);
    }
    size_ = static_cast<std::uint32_t>(to - first());
    end_ = other.end_;
}

void JobPath::cut(Time at)
{
    if (at >= end_)
        return;
    end_ = std::max(start_, at);
    const Time length = end_ - start_;
    while (size_ != 0 && places_[size_ - 1].length() >= length)
        --size_;
    if (size_ != 0)
        places_[size_] = {length, places_[size_].stage()};
}

// The first three quarters become one segment per stage: sums stay exact, their order in time is lost.
void JobPath::compact()
{
    struct Sum {
        StageId stage;
        Time time;
    };
    const std::uint32_t old = size_ * 3 / 4;
    std::vector<Sum> sums;
    sums.reserve(old);
    Time from{};
    for (std::uint32_t i = 0; i < old; ++i) {
        const JobSegment segment = first()[i];
        const auto same =
            std::find_if(sums.begin(), sums.end(), [&](const Sum& sum) { return sum.stage == segment.stage(); });
        if (same == sums.end())
            sums.push_back({segment.stage(), segment.length() - from});
        else
            same->time += segment.length() - from;
        from = segment.length();
    }
    JobSegment* kept = first();
    Time end{};
    for (const Sum& sum : sums)
        *kept++ = {end += sum.time, sum.stage};
    kept = std::copy(first() + old, first() + size_, kept);
    size_ = static_cast<std::uint32_t>(kept - first());
    isCompacted_ = true;
}

} // namespace strobe::platform
