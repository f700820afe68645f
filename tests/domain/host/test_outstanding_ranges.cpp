// SPDX-License-Identifier: Apache-2.0
#include "models/host/outstanding_ranges.h"

#include "models/base/rng.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <map>
#include <vector>

using namespace strobe;
using namespace strobe::host;

namespace {
std::vector<int> overlapping(const OutstandingRanges& ranges, std::uint64_t from, std::uint64_t to)
{
    std::vector<int> slots;
    ranges.forEachOverlapping(from, to, [&](std::uint16_t slot) { slots.push_back(slot); });
    std::sort(slots.begin(), slots.end());
    return slots;
}
} // namespace

TEST_CASE("ranges that share a sector overlap, neighbours in the same 4 KiB do not")
{
    OutstandingRanges ranges(4);
    CHECK(overlapping(ranges, 0, 100).empty());
    ranges.add(0, 3, 5);
    ranges.add(1, 5, 6);
    CHECK(overlapping(ranges, 0, 3).empty());
    CHECK(overlapping(ranges, 4, 5) == std::vector<int>{0});
    CHECK(overlapping(ranges, 4, 6) == std::vector<int>{0, 1});
    CHECK(overlapping(ranges, 6, 8).empty());
}

TEST_CASE("a removed range overlaps nothing, and its slot can be used again")
{
    OutstandingRanges ranges(2);
    ranges.add(0, 0, 8);
    ranges.add(1, 8, 16);
    ranges.remove(0);
    CHECK(overlapping(ranges, 0, 16) == std::vector<int>{1});
    ranges.add(0, 12, 20);
    CHECK(overlapping(ranges, 0, 16) == std::vector<int>{0, 1});
    ranges.clear();
    CHECK(overlapping(ranges, 0, 100).empty());
    ranges.add(1, 0, 1);
    CHECK(overlapping(ranges, 0, 100) == std::vector<int>{1});
}

TEST_CASE("a range of the whole drive overlaps everything")
{
    constexpr std::uint64_t capacity = std::uint64_t{1} << 32;
    OutstandingRanges ranges(2);
    ranges.add(0, 0, capacity);
    CHECK(overlapping(ranges, capacity - 1, capacity) == std::vector<int>{0});
    ranges.remove(0);
    ranges.add(1, capacity - 1, capacity);
    CHECK(overlapping(ranges, 0, capacity) == std::vector<int>{1});
    CHECK(overlapping(ranges, 0, capacity - 1).empty());
}

TEST_CASE("a second removal is our own mistake")
{
    OutstandingRanges ranges(2);
    ranges.add(0, 0, 8);
    ranges.remove(0);
    CHECK_THROWS_AS(ranges.remove(0), InternalError);
    ranges.add(0, 0, 8);
    CHECK_THROWS_AS(ranges.add(0, 8, 16), InternalError);
    CHECK_THROWS_AS(ranges.add(1, 8, 8), InternalError);
}

TEST_CASE("the overlaps are those of a comparison with each range")
{
    constexpr std::uint32_t slots = 32;
    OutstandingRanges ranges(slots);
    std::map<int, std::pair<std::uint64_t, std::uint64_t>> all;
    Rng rng(1, "outstanding ranges");
    for (int step = 0; step < 4000; ++step) {
        const auto slot = static_cast<std::uint16_t>(rng.below(slots));
        const std::uint64_t from = rng.below(6000);
        const std::uint64_t to = from + 1 + rng.below(rng.below(10) == 0 ? 5000 : 40); // more than there are buckets
        std::vector<int> expected;
        for (const auto& [other, range] : all) {
            if (range.first < to && from < range.second)
                expected.push_back(other);
        }
        REQUIRE(overlapping(ranges, from, to) == expected);
        if (all.erase(slot) != 0) {
            ranges.remove(slot);
        } else {
            ranges.add(slot, from, to);
            all[slot] = {from, to};
        }
    }
}
