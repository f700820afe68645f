// SPDX-License-Identifier: Apache-2.0
#include "models/nand/bad_blocks.h"

#include "models/base/check.h"

#include <string>

namespace strobe::nand {

Rng drawsOfDie(std::uint64_t seed, DieId die)
{
    return Rng(seed, "bad blocks of die" + std::to_string(raw(die)));
}

std::vector<bool> drawBadBlocks(const DieGeometry& geometry, std::uint32_t bad, Rng& draws)
{
    check(bad < geometry.blocks(), "block 0 of a die is always good");
    std::vector<bool> isBad(geometry.blocks());
    for (std::uint32_t placed = 0; placed < bad;) {
        const std::size_t block = 1 + draws.below(isBad.size() - 1);
        placed += isBad[block] ? 0U : 1U;
        isBad[block] = true;
    }
    return isBad;
}

} // namespace strobe::nand
