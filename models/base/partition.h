#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A space of sectors in parts, one after the other from sector 0, as the namespaces of a drive divide it. A part has a
// size in bytes or as a share of the space; shares are rounded down to the unit. The last part takes the rest. Host and
// drive divide the space by the same rule, so that both know where a namespace begins. Pure.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strobe {

inline constexpr std::uint64_t partUnit = 1024 * 1024; // bytes: the parts but the last are multiples of it

struct PartSize {
    std::uint64_t bytes = 0; // a multiple of the unit; 0: a share, or the rest
    double share = 0;        // of the space, 0..1

    bool isRest() const { return bytes == 0 && share == 0; }
};

struct SectorPart {
    std::uint64_t first = 0;
    std::uint64_t sectors = 0;

    std::uint64_t end() const { return first + sectors; }
};

struct PartProblem {
    std::size_t part = 0;
    std::string message;
};

// The first part that is empty or does not fit, or (without a capacity) whose size is not allowed where it is. Nothing:
// the space can be divided. `capacitySectors` 0: not known.
std::optional<PartProblem> problemOf(const std::vector<PartSize>& sizes, std::uint64_t capacitySectors);

// No sizes: one part, the whole space. Throws ConfigError with the message of problemOf().
std::vector<SectorPart> partition(const std::vector<PartSize>& sizes, std::uint64_t capacitySectors);

} // namespace strobe
