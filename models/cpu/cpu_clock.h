#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Turns cycles into time without drift: the remainder of a division is carried to the next call, so any sequence of
// calls ends within a picosecond of cycles / frequency (300 MHz: 3 cycles are exactly 10 ns).

#include "models/base/time.h"

#include <cstdint>

namespace strobe::cpu {

class CpuClock {
public:
    static constexpr std::uint64_t maximumHz = 10'000'000'000;

    explicit CpuClock(std::uint64_t hz); // throws ConfigError unless 1 <= hz <= maximumHz

    Time advance(std::uint64_t cycles)
    {
        if (periodRest_ == 0 && cycles <= cyclesAtOnce) // a whole number of picoseconds: no division
            return picoseconds(static_cast<std::int64_t>(cycles * wholePeriod_));
        return advanceBroken(cycles);
    }
    // The number of further cycles after which `time` is reached or passed; may be one too low. REQUIRES: not negative.
    std::uint64_t cyclesFor(Time time) const;
    std::uint64_t cyclesAt(Time time) const; // whole cycles since time zero
    std::uint64_t hz() const { return hz_; }

private:
    // Times a remainder below maximumHz, plus a carry: fits 64 bits.
    static constexpr std::uint64_t cyclesAtOnce = 1'000'000'000;
    static_assert(cyclesAtOnce < ~std::uint64_t{0} / maximumHz);

    Time advanceBroken(std::uint64_t cycles); // by a broken number of picoseconds, or by many cycles

    std::uint64_t hz_;
    std::uint64_t wholePeriod_; // picoseconds per cycle: whole_ + rest_ / hz_
    std::uint64_t periodRest_;
    std::uint64_t carry_ = 0; // of a picosecond, in 1 / hz_
};

} // namespace strobe::cpu
