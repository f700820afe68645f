#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// How much of the bulk SDRAM firmware needs, computed by firmware's own functions (firmware/ftl/*/footprint.h). An
// upper bound: bad blocks make the tables smaller. Recovery is included, so that a drive whose contents come from a
// file, or that loses power, can start again.

#include "platform/config/scenario.h"

#include <cstdint>

namespace strobe::platform {

inline constexpr std::uint32_t memoryAlignment = 4096; // of the parts of the bulk SDRAM

// The next multiple of memoryAlignment.
std::uint64_t alignedToMemory(std::uint64_t bytes);

// Bytes of the factory bad block table; 0: firmware scans.
std::uint64_t badBlockTableBytes(const Scenario& scenario);

// Bytes of control memory. REQUIRES: dies and pages are within their limits.
std::uint64_t controlMemoryBytes(const Scenario& scenario);

struct LeastBuffer { // data buffer that the layer needs to start
    std::uint64_t count;
    std::uint32_t bytes; // of each
    const char* what;    // they are
};
LeastBuffer leastBuffer(const Scenario& scenario);

// Flash pages of the data buffer that writes may fill if the scenario does not say: half of it, or less if the buffer
// is so small that reads would have few slots. At least 1.
std::uint32_t usualWriteBufferPages(const Scenario& scenario, std::uint32_t bufferSize);

} // namespace strobe::platform
