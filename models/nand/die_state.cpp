// SPDX-License-Identifier: Apache-2.0
#include "models/nand/die_state.h"

namespace strobe::nand {

DieState::DieState(DieId dieId, const Part& diePart, std::uint32_t badBlocks, const Rng& rng, const Aging& aging)
    : part(diePart), array(diePart.geometry.planes * diePart.geometry.pagesPerProgram), id(dieId),
      registers(diePart.geometry), planes(diePart.geometry.planes), condition(diePart, aging, rng),
      cells(diePart, badBlocks, rng), draws(Rng(rng).next(), "power loss")
{
}

} // namespace strobe::nand
