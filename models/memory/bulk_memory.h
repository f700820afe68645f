#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The bulk SDRAM without a kernel: contents and timing. Two areas: control memory (plain bytes: descriptors, tables)
// and the data buffer (sector contents in the platform's data mode, addressed by byte address, whole sectors). Backing
// store is reserved, not touched: host memory follows what is written. Timing: a shared data path of `bytesPerSecond`
// with `ports` ports. A burst takes a fixed first-access latency plus its transfer time; bursts of all ports share
// the data path in order of arrival, so each port's figures show its waiting. Not modelled: banks, rows and refresh (a
// burst's latency is their mean). A configuration that cannot be built throws ConfigError.

#include "models/base/content.h"
#include "models/base/ids.h"
#include "models/base/resource.h"
#include "models/memory/region.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace strobe::memory {

struct BulkMemoryConfig {
    Region region;     // whole memory on the bus
    Region dataBuffer; // part of it that holds sectors; 512-byte aligned
    DataMode dataMode = DataMode::Tags;
    std::uint64_t bytesPerSecond = 320'000'000; // data path
    Time latency{};                             // first access of a burst (mean of row hit and miss), not overlapped
    std::vector<std::string> ports;             // names, for the report
};

class BulkMemory {
public:
    explicit BulkMemory(const BulkMemoryConfig& config);
    ~BulkMemory();
    BulkMemory(const BulkMemory&) = delete;
    BulkMemory& operator=(const BulkMemory&) = delete;

    // Takes the data path for a burst of `bytes` that arrives at `at` on `port`; returns its end.
    Time access(std::uint32_t port, std::uint32_t bytes, Time at);

    // Host pointer to control memory (descriptors, tables). Null if the range leaves the region or touches the buffer.
    std::byte* bytes(BusAddress address, std::uint32_t length)
    {
        const bool isControl = before_.contains(address, length) || after_.contains(address, length);
        return isControl ? control_ + (raw(address) - raw(config_.region.base)) : nullptr;
    }
    // The control memory around `address` up to the buffer or the end of the region; size 0 if it is not control
    // memory.
    Region controlAround(BusAddress address) const;
    // Contents of the sectors at `address` of the data buffer. REQUIRES: 512-byte aligned, inside the buffer.
    Content sectors(BusAddress address, std::uint32_t count);
    // What a burst moves, without time: whole sectors of the data buffer, plain bytes elsewhere. Empty contents:
    // nothing moves. False: not an address of this memory, or not whole sectors.
    bool move(BusAddress address, std::uint32_t bytes, Content content, bool isWrite);
    bool isDataBuffer(BusAddress address, std::uint32_t length) const
    {
        return config_.dataBuffer.contains(address, length);
    }

    const BulkMemoryConfig& config() const { return config_; }
    const Resource& path() const { return path_; }
    const Resource& port(std::uint32_t number) const { return ports_[number]; }
    void resetUsage();

private:
    Time burstTime(std::uint32_t bytes) const // avoids a division for the usual ones
    {
        if (bytes < wordTimes_.size())
            return wordTimes_[bytes];
        if (bytes % sectorBytes == 0 && bytes / sectorBytes < sectorTimes_.size())
            return sectorTimes_[bytes / sectorBytes];
        return transferTime(bytes, config_.bytesPerSecond);
    }

    BulkMemoryConfig config_;
    Region before_; // control memory before the data buffer, or all of it
    Region after_;
    std::array<Time, 65> wordTimes_;   // of bursts of so many bytes
    std::array<Time, 33> sectorTimes_; // of so many sectors
    Resource path_;
    std::vector<Resource> ports_;  // accounting only: the path arbitrates
    std::byte* control_ = nullptr; // reserved with mmap, region.size bytes
    std::byte* buffer_ = nullptr;  // reserved with mmap, stride bytes per sector
};

} // namespace strobe::memory
