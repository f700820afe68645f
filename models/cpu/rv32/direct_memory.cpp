// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/direct_memory.h"

#include <algorithm>

namespace strobe::rv32 {

std::vector<DirectRegion> DirectMemory::remove(std::uint32_t first, std::uint32_t last)
{
    const auto kept = std::stable_partition(regions_.begin(), regions_.end(),
                                            [=](const DirectRegion& r) { return r.first > last || first > r.last; });
    std::vector<DirectRegion> removed(kept, regions_.end());
    regions_.erase(kept, regions_.end());
    return removed;
}

std::uint8_t* DirectMemory::find(std::uint32_t address, unsigned count, bool isStore) const
{
    for (const DirectRegion& region : regions_) {
        if (region.covers(address, count) && (isStore ? region.isWritable : region.isReadable))
            return region.bytes + (address - region.first);
    }
    return nullptr;
}

void DirectMemory::refresh(std::uint32_t page, bool mayLoad, bool mayStore)
{
    const std::uint32_t start = page << pageBits;
    const auto entry = [&](bool isStore) -> std::uintptr_t {
        const std::uint8_t* bytes = find(start, pageBytes, isStore);
        return bytes == nullptr ? 0 : reinterpret_cast<std::uintptr_t>(bytes) - start;
    };
    loads_[page] = mayLoad ? entry(false) : 0;
    stores_[page] = mayStore ? entry(true) : 0;
}

} // namespace strobe::rv32
