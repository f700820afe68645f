#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// One tenure of the bus, a request or a response, as segments: the steps of a sequence (bus_steps.h) with their
// durations on an interface. Pure.

#include "models/channel/bus_schedule.h"
#include "models/channel/bus_steps.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace strobe::channel {

// Calls visit(sectors) for each run of neighbouring bits, the lowest first.
template <class Visit>
void forEachRun(std::uint64_t sectors, Visit visit)
{
    std::uint32_t run = 0;
    for (; sectors != 0; sectors >>= 1) {
        if ((sectors & 1U) != 0)
            ++run;
        else if (run != 0)
            visit(std::exchange(run, 0));
    }
    if (run != 0)
        visit(run);
}

inline constexpr std::uint32_t spareRecordBytes = sizeof(nand::Spare);

class SegmentTimer {
public:
    // Both must outlive it.
    SegmentTimer(const BusSchedule& schedule, const nand::Operation& op);

    // Chip enable, then the steps. Segments without duration are left out.
    std::vector<Segment> tenure(const Sequence& sequence);
    // The steps alone: for sums.
    Time durationOf(const Sequence& sequence);
    // From the end of the last data cycle until its byte is sampled.
    static Time drainTime(const nand::Operation& op);

private:
    void add(const Step& step);
    void cycles(const Step& step, std::uint32_t count);
    void wait(const Step& step, Time duration, BusLines lines);
    void answer(const Step& step, std::uint32_t count, Time cycle);
    void data(const Step& step, std::uint32_t bytes);
    void strobed(const Step& step, std::uint32_t count, Time total, Time before, Time after, const Segment& warmUp);
    void parameters(const Step& step);
    void replaced(const Step& step);
    void drain();

    const BusSchedule& schedule_;
    const InterfaceTiming& timing_;
    const nand::Operation& op_;
    Time outCycle_;
    BusLines commandLines_; // on which commands, addresses and status bytes go
    BusLines dataLines_;
    BusLines noLines_; // during waits in which another die may be selected
    std::vector<Segment> segments_;
};

} // namespace strobe::channel
