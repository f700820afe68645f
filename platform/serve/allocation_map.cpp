// SPDX-License-Identifier: Apache-2.0
#include "platform/serve/allocation_map.h"

#include <algorithm>

namespace strobe::platform::serve {

AllocationMap::AllocationMap(std::uint64_t sectors, std::uint32_t unitSectors, bool isUsed)
    : sectors_(sectors), unitSectors_(unitSectors), holdsData_((sectors + unitSectors - 1) / unitSectors, isUsed)
{
}

void AllocationMap::written(std::uint64_t lba, std::uint64_t sectors)
{
    for (std::uint64_t unit = lba / unitSectors_; unit * unitSectors_ < lba + sectors; ++unit)
        holdsData_[unit] = true;
}

void AllocationMap::trimmed(std::uint64_t lba, std::uint64_t sectors)
{
    for (std::uint64_t unit = (lba + unitSectors_ - 1) / unitSectors_; (unit + 1) * unitSectors_ <= lba + sectors;
         ++unit)
        holdsData_[unit] = false;
}

std::vector<AllocationMap::Extent> AllocationMap::extents(std::uint64_t lba, std::uint64_t sectors,
                                                          std::size_t most) const
{
    std::vector<Extent> found;
    const std::uint64_t end = std::min(lba + sectors, sectors_);
    while (lba < end) {
        const bool isHole = !holdsData_[lba / unitSectors_];
        const std::uint64_t next = std::min(end, (lba / unitSectors_ + 1) * unitSectors_);
        if (found.empty() || found.back().isHole != isHole) {
            if (found.size() == most)
                break;
            found.push_back({0, isHole});
        }
        found.back().sectors += next - lba;
        lba = next;
    }
    return found;
}

} // namespace strobe::platform::serve
