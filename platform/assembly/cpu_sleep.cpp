// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/cpu_sleep.h"

#include "models/base/check.h"
#include "platform/assembly/near_search.h"

#include <algorithm>

namespace strobe::platform {

CpuSleep::CpuSleep(std::uint32_t cores) : cores_(cores), isOne_(cores == 1)
{
    check(cores <= mostCores, "more cores than the observation of their sleep is for");
}

void CpuSleep::fellAsleep(std::uint32_t core, Time at)
{
    Core& c = cores_[core];
    c.ring[c.count % kept] = {at, never};
    ++c.count;
    ++mark_[core];
}

void CpuSleep::wokeUp(std::uint32_t core, Time at)
{
    Core& c = cores_[core];
    if (c.count == 0)
        return; // it fell asleep before observation began
    Sleep& last = c.ring[(c.count - 1) % kept];
    if (last.from < at) {
        last.until = at;
        return;
    }
    --c.count; // no sleep
    --mark_[core];
}

std::size_t CpuSleep::Core::firstEndingAfter(Time time, std::uint32_t near) const
{
    const std::uint32_t since = static_cast<std::uint32_t>(count) - near;
    const std::size_t begin = since <= count ? count - since : 0;
    if (since < kept - 4) { // mostly it is that one or a neighbour
        if (begin != 0 && at(begin - 1).until > time) {
            if (begin == 1 || at(begin - 2).until <= time)
                return begin - 1;
        } else if (begin == count || at(begin).until > time) {
            return begin;
        } else if (begin + 1 == count || at(begin + 1).until > time) {
            return begin + 1;
        }
    }
    return firstLater(oldest(), count, begin, [&](std::size_t number) { return at(number).until > time; });
}

Time CpuSleep::firstSleep(Time from, Time until, const Mark& near) const
{
    if (isOne_) {
        const Core& core = cores_.front();
        const std::size_t number = core.firstEndingAfter(from, near.front());
        if (number == core.count)
            return never;
        const Time asleep = core.isOlderLost(number) ? from : std::max(core.at(number).from, from);
        return asleep < until ? asleep : never;
    }
    Time at = from;
    for (bool isAgreed = false; !isAgreed;) { // each round one core is asleep later
        isAgreed = true;
        for (std::size_t i = 0; i < cores_.size(); ++i) {
            const Core& core = cores_[i];
            const std::size_t number = core.firstEndingAfter(at, near[i]);
            if (number == core.count)
                return never;
            if (core.at(number).from > at && !core.isOlderLost(number)) {
                at = core.at(number).from;
                isAgreed = false;
            }
        }
    }
    return at < until ? at : never;
}

Time CpuSleep::lastWakeUp(Time from, Time until, const Mark& near) const
{
    if (isOne_) {
        const Core& core = cores_.front();
        const std::size_t number = core.firstEndingAfter(until, near.front());
        if (number < core.count && (core.at(number).from < until || core.isOlderLost(number)))
            return std::max(until, from);
        return number == core.oldest() ? from : std::max(core.at(number - 1).until, from);
    }
    Time at = until;
    for (bool isAgreed = false; !isAgreed;) {
        isAgreed = true;
        for (std::size_t i = 0; i < cores_.size(); ++i) {
            const Core& core = cores_[i];
            std::size_t number = core.firstEndingAfter(at, near[i]); // asleep at `at`, or the one before it ends last
            if (number < core.count && (core.at(number).from < at || core.isOlderLost(number)))
                continue;
            if (number == core.oldest() || core.at(number - 1).until <= from)
                return from;
            --number;
            if (core.at(number).until < at) {
                at = core.at(number).until;
                isAgreed = false;
            }
        }
    }
    return std::max(at, from);
}

} // namespace strobe::platform
