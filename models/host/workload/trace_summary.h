#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What is in a trace, or in any finite request source: counts, sizes, footprint and rate. Reads the source to its end.
// Memory grows with the footprint: about one byte per 4 KiB page in dense areas, up to 60 bytes where pages lie alone.

#include "models/host/request.h"
#include "models/host/workload/workload_config.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace strobe::host {

struct TraceSummary {
    static constexpr std::size_t kinds = requestKindTable.size();
    // Bin 0: one sector; bin i: more than 2^(i-1) and at most 2^i sectors. Flushes are in none.
    static constexpr std::size_t sizeBins = 24;

    std::string description;
    SourceCounts counts;
    std::array<std::uint64_t, kinds> requests{}; // by RequestKind
    std::array<std::uint64_t, kinds> sectors{};
    std::array<std::uint64_t, sizeBins> sizes{};
    std::uint64_t footprintPages = 0; // distinct 4 KiB pages read or written
    std::uint64_t highestSector = 0;  // end of the highest request; the drive that needs no folding
    Time duration{};                  // from the first arrival to the last

    std::uint64_t requestsOf(RequestKind kind) const { return requests[static_cast<std::size_t>(kind)]; }
    std::uint64_t bytesOf(RequestKind kind) const;
    double meanBytesOf(RequestKind kind) const; // zero if there are none
    double readRatio() const;                   // of the number of reads and writes; zero if there are none
    double arrivalsPerSecond() const;           // zero if all arrive at once
};

TraceSummary summarise(RequestSource& source);

// A trace as it is: not folded, not split. Throws ConfigError.
TraceSummary summariseTrace(const TraceConfig& config);

} // namespace strobe::host
