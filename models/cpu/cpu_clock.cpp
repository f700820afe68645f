// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/cpu_clock.h"

#include "models/base/config_error.h"

#include <algorithm>
#include <string>

namespace strobe::cpu {

namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t validated(std::uint64_t hz)
{
    if (hz == 0 || hz > CpuClock::maximumHz)
        throw ConfigError("cpu: a clock of " + std::to_string(hz) + " Hz is not allowed; it must be 1 Hz to 10 GHz");
    return hz;
}

} // namespace

CpuClock::CpuClock(std::uint64_t hz)
    : hz_(validated(hz)), wholePeriod_(picosecondsPerSecond / hz), periodRest_(picosecondsPerSecond % hz)
{
}

Time CpuClock::advanceBroken(std::uint64_t cycles)
{
    Time elapsed{};
    while (cycles > 0) {
        const std::uint64_t part = std::min(cycles, cyclesAtOnce);
        const std::uint64_t fraction = part * periodRest_ + carry_;
        elapsed += picoseconds(static_cast<std::int64_t>(part * wholePeriod_ + fraction / hz_));
        carry_ = fraction % hz_;
        cycles -= part;
    }
    return elapsed;
}

std::uint64_t CpuClock::cyclesFor(Time time) const
{
    const auto ps = static_cast<std::uint64_t>(time.count());
    if (periodRest_ == 0)
        return (ps + wholePeriod_ - 1) / wholePeriod_;
    const Wide product = Wide{ps} * hz_;
    return static_cast<std::uint64_t>((product + picosecondsPerSecond - 1) / picosecondsPerSecond);
}

std::uint64_t CpuClock::cyclesAt(Time time) const
{
    return static_cast<std::uint64_t>(Wide{static_cast<std::uint64_t>(time.count())} * hz_ / picosecondsPerSecond);
}

} // namespace strobe::cpu
