#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Firmware's write buffer as a resource of the report, read out of the statistics block that firmware keeps
// (firmware/regs/strobe.rdl). Its slots are taken and released only by firmware; the figures are sums over time that
// firmware has made, to the nanosecond. The counts of read-ahead, data refresh and parity are in the same block.

#include "models/base/resource.h"
#include "platform/report/report.h"

#include <cstddef>
#include <cstdint>

namespace strobe::platform {

class WriteBufferProbe {
public:
    explicit WriteBufferProbe(std::byte* block) : block_(block) {} // regs::statistics::size bytes, in simulated memory

    void reset(Time now);        // the figures begin
    std::uint32_t slots() const; // 0: the firmware keeps no statistics
    // busy: time in use, averaged over the slots; jobs are slots taken; waits are those of commands that found none.
    ResourceUsage usage(Time now) const;
    Time exhausted(Time now) const; // during which some command waited
    ReadAheadCounters readAhead() const;
    RefreshCounters refresh() const;
    ParityCounters parity() const;

private:
    struct Sums {
        std::uint64_t used = 0;      // slot x ns
        std::uint64_t waiting = 0;   // command x ns
        std::uint64_t exhausted = 0; // ns
        std::uint32_t taken = 0;
    };
    Sums read(Time now) const;
    std::uint32_t word(std::uint32_t offset) const;
    std::uint64_t pair(std::uint32_t low, std::uint32_t high) const;

    std::byte* block_;
    ReadAheadCounters aheadCounts() const;
    RefreshCounters refreshCounts() const;
    ParityCounters parityCounts() const;

    Sums before_; // at the reset
    ReadAheadCounters aheadBefore_;
    RefreshCounters refreshBefore_;
    ParityCounters parityBefore_;
};

} // namespace strobe::platform
