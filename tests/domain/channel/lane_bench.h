#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The bus and the counters that a lane works with, for tests of one lane; the round part of parts.h.

#include "models/channel/channel_counters.h"
#include "models/channel/lane_segments.h"
#include "tests/domain/channel/parts.h"

#include <deque>

namespace strobe::channel::test {

struct LaneBench {
    static constexpr std::uint32_t lanes = 4;

    explicit LaneBench(const nand::Part& p = roundPart()) : part(p), schedule(roundTiming(), part) {}

    LaneSegments segments(std::uint32_t lane = 0) { return {bus, schedule, 0, lane}; }
    // Submitted at that time.
    nand::Operation& make(Time at, nand::Opcode opcode, std::uint32_t block = 0);
    // The lane whose segment may start; SegmentArbiter::none if there is none.
    std::uint32_t chosen(Time now) { return bus.segments().choose(now); }

    nand::Part part;
    BusSchedule schedule;
    ChannelBus bus{lanes, makeBusPolicy(SegmentOrder::Fifo)};
    ChannelCounters counters;
    std::deque<nand::Operation> operations;
};

} // namespace strobe::channel::test
