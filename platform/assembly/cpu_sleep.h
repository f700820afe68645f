#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// When the CPU's cores slept lately, to tell firmware's time from its waiting: while all cores sleep, firmware has
// nothing to do.

#include "models/base/time.h"
#include "models/cpu/sleep_observer.h"

#include <array>
#include <cstdint>
#include <vector>

namespace strobe::platform {

class CpuSleep final : public cpu::SleepObserver {
public:
    explicit CpuSleep(std::uint32_t cores) : cores_(cores) {}

    void fellAsleep(std::uint32_t core, Time at) override;
    void wokeUp(std::uint32_t core, Time at) override;

    // One starting point per depth in a chain of causes: a search begins where the previous one of its depth ended.
    static constexpr std::size_t depths = 33;
    // The first instant of [from, until) at which all cores sleep; never: none that is known.
    Time firstSleep(Time from, Time until, std::size_t depth);
    // The last instant of (from, until] up to which all cores slept; `from`: none that is known.
    Time lastWakeUp(Time from, Time until, std::size_t depth);

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
        // Number of the sleep; count: none. `found`: the one that a similar search has found.
        std::size_t firstEndingAfter(Time time, std::size_t& found) const;
        std::array<std::size_t, depths> foundSleep{};
        std::array<std::size_t, depths> foundWakeUp{};
    };
    std::vector<Core> cores_;
};

} // namespace strobe::platform
