#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Base of all generators: the mix of reads, writes, trims and flushes, arrival times and limits. A generator adds
// one thing: which block comes next. Endless unless limited. Kinds, addresses and arrivals are drawn from three random
// streams, so changing the read ratio leaves the addresses alone.

#include "models/base/rng.h"
#include "models/host/request.h"
#include "models/host/workload/workload_config.h"

#include <cstdint>
#include <limits>
#include <string>

namespace strobe::host {

// A region cut into blocks; neighbouring positions are stepSectors apart.
struct BlockSpace {
    std::uint64_t firstSector = 0;
    std::uint64_t sectors = 0; // of the region
    std::uint64_t stepSectors = 8;
    std::uint32_t blockSectors = 8;

    // Blocks that are wholly inside the region, and those that begin inside it.
    std::uint64_t wholeBlocks() const
    {
        return sectors < blockSectors ? 0 : (sectors - blockSectors) / stepSectors + 1;
    }
    std::uint64_t begunBlocks() const { return (sectors + stepSectors - 1) / stepSectors; }
};

struct SourceLimits {
    static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t requests = none;
    std::uint64_t sectors = none; // read, written and trimmed; the request that reaches it is the last
};

struct SyntheticConfig {
    BlockSpace space;
    MixConfig mix;
    SourceLimits limits;
    Time interval{};
    ArrivalProcess arrivals = ArrivalProcess::Fixed;
    std::uint64_t seed = 0;
    std::string name; // of the random streams
};

class SyntheticSource : public RequestSource {
public:
    explicit SyntheticSource(const SyntheticConfig& config);

    std::optional<Request> next() final;
    std::optional<std::uint64_t> total() const final;
    const SourceCounts& counts() const final { return counts_; }
    std::string describe() const final;

protected:
    struct Extent {
        std::uint64_t sector;
        std::uint32_t sectors;
    };

    const BlockSpace& space() const { return space_; }
    Rng& addressRng() { return addressRng_; }
    Extent wholeBlock(std::uint64_t position) const
    {
        return {space_.firstSector + position * space_.stepSectors, space_.blockSectors};
    }
    // Number of blocks after which the volume reaches so many sectors; nothing: it is random.
    virtual std::optional<std::uint64_t> blocksFor(std::uint64_t sectors) const;

private:
    virtual Extent pick(RequestKind kind) = 0;   // the next block
    virtual std::string patternText() const = 0; // "zipf (theta 0.99)"
    virtual std::string sizeText() const;        // "4 KiB blocks"

    RequestKind pickKind();
    Time takeArrival();

    BlockSpace space_;
    MixConfig mix_;
    SourceLimits limits_;
    Time interval_;
    ArrivalProcess arrivals_;
    Rng kindRng_;
    Rng addressRng_;
    Rng arrivalRng_;
    Time arrival_{};
    std::uint64_t volumeSectors_ = 0;
    std::uint32_t writesSinceFlush_ = 0;
    SourceCounts counts_;
};

} // namespace strobe::host
