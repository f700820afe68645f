#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Which target of the fabric answers an address: non-overlapping regions of the 32-bit bus, found by binary search with
// the last hit in that 16 MiB of the bus tried first (firmware alternates between a few blocks). Mistakes in the
// map are ConfigErrors that name both regions.

#include "models/memory/region.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace strobe::fabric {

struct Mapping {
    std::string name;
    memory::Region region;
    std::uint32_t target = 0; // number of the add() call, from 0
};

class AddressMap {
public:
    // Returns the target number. Throws ConfigError if the region is empty, leaves the 32-bit space or overlaps.
    std::uint32_t add(const std::string& name, memory::Region region);

    // The mapping that holds the whole range, or null. A range that crosses the end of a region is not mapped.
    const Mapping* find(std::uint64_t address, std::uint32_t length) const
    {
        if (address > UINT32_MAX || mappings_.empty())
            return nullptr;
        const BusAddress start{static_cast<std::uint32_t>(address)};
        const Mapping& hit = mappings_[lastHit_[raw(start) >> 24U]];
        return hit.region.contains(start, length) ? &hit : search(start, length);
    }

    const std::vector<Mapping>& mappings() const { return mappings_; } // in ascending order of address

private:
    const Mapping* search(BusAddress start, std::uint32_t length) const;

    std::vector<Mapping> mappings_;
    mutable std::array<std::uint16_t, 256> lastHit_{}; // by the upper byte of the address
};

} // namespace strobe::fabric
