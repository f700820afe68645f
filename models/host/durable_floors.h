#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The floors of SectorVersions that a power loss may revert: each flush ends an epoch, and each epoch keeps, for the 4
// KiB units acknowledged in it, the previous floors. When a flush is acknowledged the epochs before it are dropped:
// their floors are final. Memory: 48 bytes per 4 KiB acknowledged since the last flush.

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
    // It has risen permanently: the write was acknowledged as being in flash.
    void raisedForGood(const SectorVersions::Part& part, std::uint32_t floor);
    std::uint64_t flushIssued(); // ends an epoch; the ticket for flushed()
    void flushed(std::uint64_t ticket);

    // Power is lost: floors fall to what is durable. Returns the previous ones, by chunk.
    std::unordered_map<std::uint64_t, Floors> powerLost(SectorVersions& versions);

    std::uint64_t bytesUsed() const;

private:
    using Epoch = std::unordered_map<std::uint64_t, Floors>;

    std::deque<Epoch> epochs_{1};
    std::uint64_t first_ = 0; // number of epochs_.front()
};

} // namespace strobe::host
