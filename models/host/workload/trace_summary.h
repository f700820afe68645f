#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Summary of a trace, or of any finite request source: counts, sizes, footprint and rate. Reads the source to its end.
// Memory grows with the footprint: 2 bytes per 4 KiB in dense areas, up to 120 bytes where pages are isolated.

#include "models/host/request.h"
#include "models/host/workload/workload_config.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace strobe::host {

struct TraceSummary {
    static constexpr std::size_t kinds = requestKindTable.size();

    std::string description;
    TraceFormat format = TraceFormat::Auto; // Auto: not a trace
    SourceCounts counts;
    std::array<std::uint64_t, kinds> requests{}; // by RequestKind
    std::array<std::uint64_t, kinds> sectors{};
    std::array<std::map<std::uint32_t, std::uint64_t>, kinds> sizes; // requests by their sectors
    std::uint64_t streams = 0;                                       // files or disks
    std::uint64_t footprintSectors = 0;                              // distinct ones read or written, of all files
    std::uint64_t footprintPages = 0;                                // distinct 4 KiB pages with such a sector
    std::uint64_t highestSector = 0; // end of the highest request within a file: what a drive needs not to fold it
    std::uint64_t sequential = 0;    // reads and writes that begin where the one before of the same file ended
    bool hasTimes = true;
    Time duration{};                 // from the first arrival to the last
    std::uint64_t peakPerSecond = 0; // most arrivals within a second, seconds counted from the first arrival
    std::uint64_t responses = 0;     // requests whose response time is recorded
    Time meanResponse{};             // of these

    std::uint64_t requestsOf(RequestKind kind) const { return requests[static_cast<std::size_t>(kind)]; }
    std::uint64_t bytesOf(RequestKind kind) const;
    double meanBytesOf(RequestKind kind) const; // zero if there are none
    // The size that the given percentage of the requests does not exceed; zero if there are none. REQUIRES: 0..100
    std::uint64_t bytesPercentile(RequestKind kind, double percent) const;
    double readRatio() const;         // of the number of reads and writes; zero if there are none
    double sequentialShare() const;   // of the number of reads and writes
    double arrivalsPerSecond() const; // zero if all arrive at once
};

TraceSummary summarise(RequestSource& source);

// A trace as it is: not folded, not split. Throws ConfigError.
TraceSummary summariseTrace(const TraceConfig& config);

} // namespace strobe::host
