#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What of the floors of SectorVersions a power loss may take back: each flush ends an epoch, and each epoch keeps, of
// the 4 KiB that were acknowledged in it, the floors as they were before. When a flush is acknowledged the epochs
// before it are forgotten: their floors are for good. Memory: 48 bytes per 4 KiB acknowledged since the last flush.

#include "models/host/sector_versions.h"

#include <array>
#include <cstdint>
#include <deque>
#include <unordered_map>

namespace strobe::host {

class DurableFloors {
public:
    using Floors = std::array<std::uint32_t, SectorVersions::chunkSectors>;

    // The floor of a part is about to rise because a write was acknowledged.
    void beforeRaise(const SectorVersions& versions, std::uint64_t chunk);
    // It has risen for good: the write was acknowledged as being in flash.
    void raisedForGood(const SectorVersions::Part& part, std::uint32_t floor);
    std::uint64_t flushIssued(); // ends an epoch; the ticket for flushed()
    void flushed(std::uint64_t ticket);

    // Power is lost: floors fall to what is durable. Returns what they were, by chunk.
    std::unordered_map<std::uint64_t, Floors> powerLost(SectorVersions& versions);

    std::uint64_t bytesUsed() const;

private:
    using Epoch = std::unordered_map<std::uint64_t, Floors>;

    std::deque<Epoch> epochs_{1};
    std::uint64_t first_ = 0; // number of epochs_.front()
};

} // namespace strobe::host
