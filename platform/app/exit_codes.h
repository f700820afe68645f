#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What `strobe` returns to the shell. An interrupted run returns 128 + the signal (130 for Ctrl-C), as shells do,
// unless it had found errors.

namespace strobe::platform {

inline constexpr int exitOk = 0;
inline constexpr int exitErrorsFound =
    1; // the run has ended and found errors: mismatches, failed requests, device faults
inline constexpr int exitUserMistake = 2; // scenario, trace, firmware image or command line
inline constexpr int exitInternal = 3;    // a bug in Strobe
inline constexpr int exitSignalBase = 128;

} // namespace strobe::platform
