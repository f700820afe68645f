#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The sectors of outstanding commands by slot, and which of them overlap others. Overlaps are rare, and with thousands
// of outstanding commands a comparison with each would cost more than the drive's model: sectors are counted in buckets
// of 4 KiB (modulo the number of buckets), and commands are compared only if a bucket has one already. Pure.

#include "models/base/check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::host {

class OutstandingRanges {
public:
    explicit OutstandingRanges(std::uint32_t slots);

    void add(std::uint16_t slot, std::uint64_t from, std::uint64_t to); // REQUIRES: from < to; the slot has none
    void remove(std::uint16_t slot);                                    // InternalError if the slot has none
    void clear();

    // use(slot) for each whose sectors overlap [from, to), in no particular order.
    template <class Use>
    void forEachOverlapping(std::uint64_t from, std::uint64_t to, Use use) const
    {
        if (ranges_.empty() || !mayOverlap(from, to))
            return;
        for (const Range& range : ranges_) {
            if (range.from < to && from < range.to)
                use(range.slot);
        }
    }

private:
    struct Range {
        std::uint64_t from;
        std::uint64_t to;
        std::uint16_t slot;
    };
    static constexpr std::uint64_t bucketSectors = 8;
    static constexpr std::uint32_t bucketsPerSlot = 16; // so one comparison in 16 is for nothing with all slots in use
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    bool mayOverlap(std::uint64_t from, std::uint64_t to) const;
    template <class Change>
    void forEachBucket(std::uint64_t from, std::uint64_t to, Change change)
    {
        for (std::uint64_t bucket = from / bucketSectors; bucket <= lastBucket(from, to); ++bucket)
            change(counts_[bucket & mask_]);
    }
    std::uint64_t lastBucket(std::uint64_t from, std::uint64_t to) const // each bucket once at most
    {
        return std::min((to - 1) / bucketSectors, from / bucketSectors + mask_);
    }

    std::vector<Range> ranges_;
    std::vector<std::uint32_t> places_; // by slot: in ranges_, or none
    std::vector<std::uint32_t> counts_; // by bucket: of commands
    std::uint64_t mask_;
};

} // namespace strobe::host
