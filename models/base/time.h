#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Domain time: an exact integer number of picoseconds (about +-106 days). Only SystemC modules use sc_time,
// and nothing is rounded to nanoseconds. std::chrono literals convert exactly: `Time t = 25us;`.

#include <chrono>
#include <cstdint>
#include <string>

namespace strobe {

using Time = std::chrono::duration<std::int64_t, std::pico>;

inline constexpr Time never = Time::max();
inline constexpr std::uint64_t picosecondsPerSecond = 1'000'000'000'000;

constexpr Time picoseconds(std::int64_t count)
{
    return Time{count};
}

constexpr double toSeconds(Time t)
{
    return static_cast<double>(t.count()) * 1e-12;
}
constexpr double toMicroseconds(Time t)
{
    return static_cast<double>(t.count()) * 1e-6;
}
constexpr double toNanoseconds(Time t)
{
    return static_cast<double>(t.count()) * 1e-3;
}

// Time that `bytes` take at `bytesPerSecond`, rounded up to the next picosecond. REQUIRES: bytesPerSecond > 0.
Time transferTime(std::uint64_t bytes, std::uint64_t bytesPerSecond);

// `amount * numerator / denominator`, multiplied first in 128 bits, rounded up. REQUIRES: denominator > 0.
Time scaled(Time amount, std::int64_t numerator, std::int64_t denominator);

// "25 us", "19.81 ns", "1.5 ms": the largest unit that leaves a value of at least one, up to six significant digits.
std::string toText(Time t);

} // namespace strobe
