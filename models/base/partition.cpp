// SPDX-License-Identifier: Apache-2.0
#include "models/base/partition.h"

#include "models/base/config_error.h"
#include "models/base/content.h"

#include <cmath>

namespace strobe {

namespace {

std::uint64_t bytesOf(const PartSize& size, std::uint64_t capacityBytes)
{
    if (size.bytes != 0)
        return size.bytes;
    const auto bytes = static_cast<std::uint64_t>(std::floor(size.share * static_cast<double>(capacityBytes)));
    return bytes / partUnit * partUnit;
}

std::string mebibytes(std::uint64_t bytes)
{
    return std::to_string(bytes / partUnit) + "MiB";
}

} // namespace

std::optional<PartProblem> problemOf(const std::vector<PartSize>& sizes, std::uint64_t capacitySectors)
{
    std::uint64_t rest = capacitySectors * sectorBytes;
    for (std::size_t part = 0; part < sizes.size(); ++part) {
        const bool isLast = part + 1 == sizes.size();
        if (sizes[part].isRest() != isLast)
            return PartProblem{part, isLast ? "the last namespace takes the rest of the drive: must be rest"
                                            : "only the last namespace takes the rest of the drive: must be a size or "
                                              "a percentage"};
        if (sizes[part].bytes % partUnit != 0)
            return PartProblem{part, "a namespace begins at a multiple of 1MiB: must be a multiple of 1MiB"};
        if (capacitySectors == 0)
            continue;
        const std::uint64_t bytes = isLast ? rest : bytesOf(sizes[part], capacitySectors * sectorBytes);
        if (bytes < (isLast ? sectorBytes : partUnit))
            return PartProblem{part, isLast ? "nothing of the drive's " + mebibytes(capacitySectors * sectorBytes) +
                                                  " is left for the last namespace"
                                            : "that is less than 1MiB on a drive of " +
                                                  mebibytes(capacitySectors * sectorBytes)};
        if (bytes > rest)
            return PartProblem{part, "the namespace has " + mebibytes(bytes) + ", but only " + mebibytes(rest) +
                                         " of the drive are left for it"};
        rest -= bytes;
    }
    return std::nullopt;
}

std::vector<SectorPart> partition(const std::vector<PartSize>& sizes, std::uint64_t capacitySectors)
{
    if (const auto problem = problemOf(sizes, capacitySectors))
        throw ConfigError("namespace " + std::to_string(problem->part + 1) + ": " + problem->message);
    std::vector<SectorPart> parts;
    std::uint64_t first = 0;
    for (std::size_t part = 0; part + 1 < sizes.size(); ++part) {
        parts.push_back({first, bytesOf(sizes[part], capacitySectors * sectorBytes) / sectorBytes});
        first = parts.back().end();
    }
    parts.push_back({first, capacitySectors - first});
    return parts;
}

} // namespace strobe
