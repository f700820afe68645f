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
    loads_[page] = mayLoad ? entry(start, false) : 0;
    stores_[page] = mayStore ? entry(start, true) : 0;
}

std::uintptr_t DirectMemory::entry(std::uint32_t start, bool isStore) const
{
    const std::uint8_t* bytes = find(start, pageBytes, isStore);
    return bytes == nullptr ? 0 : reinterpret_cast<std::uintptr_t>(bytes) - start;
}

void DirectMemory::openWindow(std::uint32_t first)
{
    const std::uintptr_t bias = entry(first & ~(pageBytes - 1), true);
    window_ = bias == 0 ? StoreWindow{} : StoreWindow{first, pageBytes - first % pageBytes, bias};
}

} // namespace strobe::rv32
