// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/interrupt_latency.h"

namespace strobe::cpu {

void InterruptLatency::changed(InterruptSource line, bool asserted, Time at)
{
    const std::uint32_t bit = std::uint32_t{1} << static_cast<unsigned>(line);
    if (asserted) {
        since_[static_cast<std::size_t>(line)] = at;
        waiting_ |= bit;
        return;
    }
    if ((waiting_ & bit) != 0)
        ++times_.polled;
    waiting_ &= ~bit;
}

void InterruptLatency::take(std::uint32_t lines, Time at, std::optional<std::uint32_t> pc)
{
    waiting_ &= ~lines;
    for (std::size_t line = 0; line < since_.size(); ++line) {
        if ((lines >> line & 1U) == 0 || !times_.latency.note(since_[line], at))
            continue;
        times_.latency.pc = pc;
        times_.longestOf = static_cast<InterruptSource>(line);
    }
}

} // namespace strobe::cpu
