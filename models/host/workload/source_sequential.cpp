// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/source_sequential.h"

#include <algorithm>

namespace strobe::host {

SyntheticSource::Extent SequentialSource::pick(RequestKind)
{
    const std::uint64_t rest = space().sectors - offset_;
    const Extent extent{space().firstSector + offset_,
                        static_cast<std::uint32_t>(std::min<std::uint64_t>(space().blockSectors, rest))};
    offset_ = rest > space().stepSectors ? offset_ + space().stepSectors : 0;
    return extent;
}

std::optional<std::uint64_t> SequentialSource::blocksFor(std::uint64_t sectors) const
{
    const std::uint64_t perPass = space().begunBlocks();
    const std::uint64_t lastRoom = space().sectors - (perPass - 1) * space().stepSectors;
    const std::uint64_t passSectors =
        (perPass - 1) * space().blockSectors + std::min<std::uint64_t>(space().blockSectors, lastRoom);
    return sectors / passSectors * perPass + *SyntheticSource::blocksFor(sectors % passSectors);
}

} // namespace strobe::host
