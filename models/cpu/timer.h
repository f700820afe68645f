#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The timer without a kernel (regs::timer): time since power-on in whole nanoseconds, and one compare interrupt. The
// line is asserted while CONTROL.enable is set and the time has reached the compare value; writing COMPARE_HI takes
// both halves at once, so the comparison never uses half a value. Time is an argument; reading TIME_LO latches the high
// half.

#include "models/base/register_bank.h"
#include "models/base/time.h"

#include <cstdint>

namespace strobe::cpu {

class Timer {
public:
    Timer();

    Access read(std::uint32_t offset, std::uint32_t& value, Time now);
    // The same without the latch: TIME_HI is that of `now`.
    Access view(std::uint32_t offset, std::uint32_t& value, Time now) const;
    Access write(std::uint32_t offset, std::uint32_t value) { return registers_.write(offset, value); }

    // The time from which the line is asserted with the present register values; never if it is not.
    Time risesAt() const;
    bool isAsserted(Time now) const { return now >= risesAt() && risesAt() != never; }

private:
    RegisterBank registers_;
    Time readAt_{};
    Time compareAt_ = never;
};

} // namespace strobe::cpu
