#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Which blocks of a die are bad from the factory: drawn from the scenario's seed. Block 0 is
// always good. Callers that need the list before a die exists use the same functions.

#include "models/base/ids.h"
#include "models/base/rng.h"
#include "models/nand/geometry.h"

#include <vector>

namespace strobe::nand {

Rng drawsOfDie(std::uint64_t seed, DieId die);

// By block number. REQUIRES: bad < blocks of the die.
std::vector<bool> drawBadBlocks(const DieGeometry& geometry, std::uint32_t bad, Rng& draws);

} // namespace strobe::nand
