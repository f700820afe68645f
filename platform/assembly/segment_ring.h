#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The segments of many paths, one path after the other in one piece of memory: the oldest ones give way to new ones.

#include "platform/assembly/job_path.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::platform {

class SegmentRing {
public:
    // Copies the segments and returns their position; positions ascend. Whatever was put from position `oldest` on
    // stays: the ring grows if it must.
    std::uint64_t put(const JobSegments& segments, std::uint64_t oldest)
    {
        std::uint64_t position = placeFor(segments.size());
        while (position + segments.size() - oldest > ring_.size()) {
            grow(oldest);
            position = placeFor(segments.size());
        }
        std::copy_n(segments.data(), segments.size(), ring_.begin() + static_cast<std::ptrdiff_t>(index(position)));
        next_ = position + segments.size();
        return position;
    }
    const JobSegment* at(std::uint64_t position) const { return ring_.data() + index(position); }

private:
    std::size_t index(std::uint64_t position) const { return static_cast<std::size_t>(position) & mask_; }
    // In one piece: not across the end of the ring.
    std::uint64_t placeFor(std::uint32_t size) const
    {
        return index(next_) + size <= ring_.size() ? next_ : next_ + ring_.size() - index(next_);
    }
    void grow(std::uint64_t oldest)
    {
        std::vector<JobSegment> larger(2 * ring_.size());
        for (std::uint64_t position = oldest; position < next_; ++position)
            larger[static_cast<std::size_t>(position) & (larger.size() - 1)] = ring_[index(position)];
        ring_.swap(larger);
        mask_ = ring_.size() - 1;
    }

    std::vector<JobSegment> ring_ = std::vector<JobSegment>(1024); // a power of two
    std::size_t mask_ = ring_.size() - 1;
    std::uint64_t next_ = 0;
};

} // namespace strobe::platform
