// SPDX-License-Identifier: Apache-2.0
#include "models/host/outstanding_ranges.h"

namespace strobe::host {

namespace {
std::size_t powerOfTwo(std::size_t atLeast)
{
    std::size_t size = 1;
    while (size < atLeast)
        size *= 2;
    return size;
}
} // namespace

OutstandingRanges::OutstandingRanges(std::uint32_t slots)
    : places_(slots, none), counts_(powerOfTwo(std::size_t{slots} * bucketsPerSlot)), mask_(counts_.size() - 1)
{
    ranges_.reserve(slots);
}

void OutstandingRanges::add(std::uint16_t slot, std::uint64_t from, std::uint64_t to)
{
    check(from < to && places_[slot] == none, "a slot has one outstanding range, which is not empty");
    places_[slot] = static_cast<std::uint32_t>(ranges_.size());
    ranges_.push_back({from, to, slot});
    forEachBucket(from, to, [](std::uint32_t& count) { ++count; });
}

void OutstandingRanges::remove(std::uint16_t slot)
{
    check(places_[slot] != none, "a command completed that is not outstanding");
    Range& place = ranges_[places_[slot]];
    forEachBucket(place.from, place.to, [](std::uint32_t& count) { --count; });
    place = ranges_.back(); // perhaps itself
    places_[place.slot] = places_[slot];
    places_[slot] = none;
    ranges_.pop_back();
}

void OutstandingRanges::clear()
{
    ranges_.clear();
    std::fill(places_.begin(), places_.end(), none);
    std::fill(counts_.begin(), counts_.end(), 0);
}

bool OutstandingRanges::mayOverlap(std::uint64_t from, std::uint64_t to) const
{
    for (std::uint64_t bucket = from / bucketSectors; bucket <= lastBucket(from, to); ++bucket) {
        if (counts_[bucket & mask_] != 0)
            return true;
    }
    return false;
}

} // namespace strobe::host
