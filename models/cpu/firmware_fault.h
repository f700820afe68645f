#pragma once
// SPDX-License-Identifier: Apache-2.0

#include <stdexcept>

namespace strobe::cpu {

// Firmware reached a state in which it cannot continue: a bus error, a panic, a return from its entry, traps without
// end. what() names the image, the CPU, the time and the reason.
class FirmwareFault : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace strobe::cpu
