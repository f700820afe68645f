#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// How long interrupts waited for a CPU, from what its interrupt controller and the CPU report. A line that has risen
// waits until the CPU takes it: enters a handler, ends its sleep, or passes a wait for interrupts because of it. Time
// in which firmware had the line or all interrupts disabled is included. A line that falls before was polled: firmware
// has served its source without an interrupt, and no latency is counted. Each rise counts once, as a whole, when it is
// taken, also if counting began in between. Owns no clock.

#include "models/base/response_times.h"
#include "models/cpu/interrupt_controller.h"

#include <array>
#include <cstdint>
#include <optional>

namespace strobe::cpu {

struct InterruptTimes {
    ResponseTimes latency;
    InterruptSource longestOf{}; // the line of the longest; meaningless if there is none
    std::uint64_t polled = 0;    // rises that the CPU did not take

    bool merge(const InterruptTimes& part) // as ResponseTimes::merge
    {
        polled += part.polled;
        const bool isLonger = latency.merge(part.latency);
        if (isLonger)
            longestOf = part.longestOf;
        return isLonger;
    }
    void declare(Statistics& stats) const
    {
        latency.declare(stats, "interrupts taken: a handler was entered, or a sleep or wait ended",
                        "the latency: from the rise of the line until it was taken");
        stats.derive("polled", Unit::Count, "lines that rose and fell again before they were taken", polled);
    }
};

class InterruptLatency {
public:
    // The level of a line has changed. In order of `at` for each line.
    void changed(InterruptSource line, bool asserted, Time at);
    // The CPU takes these lines, by bit; `pc`: the instruction after which it did, if it executes instructions. Lines
    // that do not wait are ignored.
    void taken(std::uint32_t lines, Time at, std::optional<std::uint32_t> pc)
    {
        if ((lines & waiting_) != 0)
            take(lines & waiting_, at, pc);
    }
    const InterruptTimes& times() const { return times_; }
    void reset() { times_ = {}; } // lines that wait go on waiting

private:
    void take(std::uint32_t lines, Time at, std::optional<std::uint32_t> pc);

    std::array<Time, interruptSourceTable.size()> since_{};
    std::uint32_t waiting_ = 0;
    InterruptTimes times_;
};

} // namespace strobe::cpu
