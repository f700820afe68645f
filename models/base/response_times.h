#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// How long firmware took for one kind of thing, each time that it did it: how often, the sum, and the longest with when
// it began and where firmware was when it ended. Durations are simulated time.

#include "models/base/statistics.h"
#include "models/base/time.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strobe {

struct ResponseTimes {
    std::uint64_t times = 0;
    Time took{};                     // sum
    Time longest{};                  // the first of equal ones
    Time longestFrom{};              // when it began
    std::optional<std::uint32_t> pc; // where the longest ended, if instructions are executed

    // Returns whether this one is the longest so far; the caller may then say where it ended. An end before the begin
    // counts as no time.
    bool note(Time from, Time until)
    {
        const Time duration = std::max(until - from, Time{});
        took += duration;
        if (++times != 1 && duration <= longest)
            return false;
        longest = duration;
        longestFrom = from;
        return true;
    }

    // Adds those of another part of the run, or of another power cycle. Returns whether the longest is one of them.
    bool merge(const ResponseTimes& part)
    {
        const bool isLonger = part.times != 0 && (times == 0 || part.longest > longest);
        times += part.times;
        took += part.took;
        if (isLonger) {
            longest = part.longest;
            longestFrom = part.longestFrom;
            pc = part.pc;
        }
        return isLonger;
    }

    Time mean() const { return times == 0 ? Time{} : took / static_cast<std::int64_t>(times); }

    // `counted`: what each of them is; `duration`: the time of one.
    void declare(Statistics& stats, std::string_view counted, std::string_view duration) const
    {
        stats.derive("times", Unit::Count, counted, times);
        stats.derive("mean", Unit::Duration, "mean of " + std::string(duration), mean());
        stats.derive("longest", Unit::Duration, "the longest of them", longest);
        stats.derive("longest_from", Unit::Duration, "simulated time at which the longest began", longestFrom);
    }
};

} // namespace strobe
