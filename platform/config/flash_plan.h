#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The capacity that a mapping layer can offer, before a drive exists: the numbers that firmware will compute when it
// starts, by its own formulas (firmware/ftl/*/capacity.h) and the factory bad blocks that the dies will have.

#include "models/controller/superchip.h"
#include "models/nand/geometry.h"

#include <cstdint>
#include <vector>

namespace strobe::platform {

struct FlashPlan {
    nand::DieGeometry die;
    nand::ArrayGeometry array;
    std::uint32_t badBlocks; // of a die
    std::uint64_t seed;
    std::uint32_t spareBlocks; // of a die
    std::uint32_t overProvisioningPermille;
    std::uint32_t mappingUnitBytes; // page mapping only, as the seven that follow
    std::uint32_t rowPlanes;        // planes that a page of the layer spans
    std::uint32_t superblockDies;   // dies that a block of the layer spans
    bool hasParity;                 // one of them holds parity
    std::uint32_t pslcCache;        // boot word
    std::uint32_t pslcCacheBlocks;  // of a die
    std::uint32_t placementHandles;
    std::uint32_t placementIsolation; // boot word
    std::uint32_t zoneDies;           // layer of zones only, as the next: dies of a zone
    std::uint32_t zoneRows;           // word lines of each of its blocks; 0: all
    // Superblock mapping only.
    controller::SuperchipGeometry superchip;
    std::uint32_t units;
    std::uint32_t parkingSuperblocks; // 0: none
    bool replicateTables;
    std::uint32_t writeBufferPages = 0; // layer of zones only: what a power loss saves
};

struct FlashCapacity {             // sectors
    std::uint64_t most;            // that a capacity may be
    std::uint64_t usually;         // default capacity; 0 or above `most`: there is none
    bool hasTooManyBlocks = false; // the tables outgrow their area
    std::uint64_t granularity = 1; // a capacity is rounded down to a multiple of this
};

// REQUIRES: the plan's dies, pages and superchips are within their own limits.
FlashCapacity pageMapCapacity(const FlashPlan& plan);
struct XorAccumulators { // of the XOR engine, which adds up parity
    std::uint32_t needed;
    std::uint32_t most;
};
XorAccumulators pageMapAccumulators(const FlashPlan& plan);
FlashCapacity superblockMapCapacity(const FlashPlan& plan);
FlashCapacity zonedCapacity(const FlashPlan& plan);

std::vector<std::uint32_t> goodBlocks(const FlashPlan& plan, std::uint32_t die); // by plane

// Sectors from one zone to the next, and those of a zone that can be written.
struct PlannedZones {
    std::uint64_t sectors;
    std::uint64_t capacity;
};
PlannedZones plannedZones(const nand::DieGeometry& die, const nand::ArrayGeometry& array, std::uint32_t zoneDies,
                          std::uint32_t zoneRows);

} // namespace strobe::platform
