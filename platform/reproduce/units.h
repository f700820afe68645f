#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Units of what is read from reports: fractions to per cent, picoseconds and bytes to longer units.

namespace strobe::platform {

inline constexpr double percent = 100;
inline constexpr double nanosecond = 1e3; // picoseconds
inline constexpr double microsecond = 1e6;
inline constexpr double millisecond = 1e9;
inline constexpr double second = 1e12;
inline constexpr double megabyte = 1e6; // bytes

} // namespace strobe::platform
