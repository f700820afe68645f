#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Sanitizers look for mistakes in code that runs, however often it runs; repetitions that look for rare outcomes are
// for optimised builds, in which they take a quarter of the time.

namespace strobe::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool isSanitized = true;
#else
inline constexpr bool isSanitized = false;
#endif

} // namespace strobe::test
