#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// When the CPU's cores slept lately, to tell firmware's time from its waiting: while all cores sleep, firmware has
// nothing to do. Of each core the last 32,768 sleeps are kept. A core counts as asleep before the first of them if it
// slept earlier: a wait as old as that is mostly sleep.

#include "models/base/time.h"

#include <array>
#include <cstdint>
#include <vector>

namespace strobe::platform {

// Its functions are called for what cpu::SleepObserver reports.
class CpuSleep {
public:
    static constexpr std::size_t mostCores = 2;
    explicit CpuSleep(std::uint32_t cores); // REQUIRES: not more than mostCores

    void fellAsleep(std::uint32_t core, Time at);
    void wokeUp(std::uint32_t core, Time at);

    // Where the sequences of sleeps end now. A search for an instant close to that one begins there.
    using Mark = std::array<std::uint32_t, mostCores>; // of each core; wraps
    const Mark& mark() const { return mark_; }
    // The first instant of [from, until) at which all cores sleep; never: none that is known.
    Time firstSleep(Time from, Time until, const Mark& near) const;
    // The last instant of (from, until] up to which all cores slept; `from`: none that is known.
    Time lastWakeUp(Time from, Time until, const Mark& near) const;

private:
    struct Sleep {
        Time from{};
        Time until = never;
    };
    static constexpr std::size_t kept = 1U << 15U;
    struct Core {
        std::vector<Sleep> ring = std::vector<Sleep>(kept);
        std::size_t count = 0;
        const Sleep& at(std::size_t number) const { return ring[number % kept]; }
        std::size_t oldest() const { return count < kept ? 0 : count - kept; }
        bool isOlderLost(std::size_t number) const { return number == oldest() && count > kept; }
        std::size_t firstEndingAfter(Time time, std::uint32_t near) const; // number of the sleep; count: none
    };
    std::vector<Core> cores_;
    bool isOne_;  // of them; the size of a vector of these takes a multiplication
    Mark mark_{}; // their counts
};

} // namespace strobe::platform
