// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/cpu_sleep.h"

#include <algorithm>

namespace strobe::platform {

void CpuSleep::fellAsleep(std::uint32_t core, Time at)
{
    Core& c = cores_[core];
    c.ring[c.count % kept] = {at, never};
    ++c.count;
}

void CpuSleep::wokeUp(std::uint32_t core, Time at)
{
    Core& c = cores_[core];
    if (c.count == 0)
        return; // it fell asleep before observation began
    Sleep& last = c.ring[(c.count - 1) % kept];
    if (last.from < at)
        last.until = at;
    else
        --c.count; // no sleep
}

// Mostly it is among the last few.
std::size_t CpuSleep::Core::firstEndingAfter(Time time) const
{
    std::size_t high = count; // ends after the time, or is none
    std::size_t step = 1;
    while (high > oldest() && at(high - 1).until > time) {
        const std::size_t before = high - oldest() > step ? high - step : oldest();
        if (at(before).until <= time) { // between the two
            std::size_t low = before;
            while (low + 1 < high) {
                const std::size_t middle = (low + high) / 2;
                (at(middle).until > time ? high : low) = middle;
            }
            return high;
        }
        high = before;
        step *= 2;
    }
    return high;
}

Time CpuSleep::firstSleep(Time from, Time until) const
{
    Time at = from;
    for (bool isAgreed = false; !isAgreed;) { // each round one core is asleep later
        isAgreed = true;
        for (const Core& core : cores_) {
            const std::size_t number = core.firstEndingAfter(at);
            if (number == core.count || core.at(number).from >= until)
                return never;
            if (core.at(number).from > at) {
                at = core.at(number).from;
                isAgreed = false;
            }
        }
        if (cores_.size() == 1)
            break;
    }
    return at < until ? at : never;
}

Time CpuSleep::lastWakeUp(Time from, Time until) const
{
    Time at = until;
    for (bool isAgreed = false; !isAgreed;) {
        isAgreed = true;
        for (const Core& core : cores_) {
            std::size_t number = core.firstEndingAfter(at); // asleep at `at`, or the one before it ends last
            if (number < core.count && core.at(number).from < at)
                continue;
            if (number == core.oldest() || core.at(number - 1).until <= from)
                return from;
            --number;
            if (core.at(number).until < at) {
                at = core.at(number).until;
                isAgreed = false;
            }
        }
        if (cores_.size() == 1)
            break;
    }
    return std::max(at, from);
}

} // namespace strobe::platform
