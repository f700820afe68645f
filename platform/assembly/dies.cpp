// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/dies.h"

#include "models/base/rng.h"

#include <string>

namespace strobe::platform {

DieArray makeDies(const Scenario& scenario)
{
    DieArray dies;
    const nand::Aging aging{scenario.nand.preAged, scenario.controller.ecc.code.codewordBytes};
    for (std::uint32_t i = 0; i < scenario.nand.array.dies(); ++i) {
        dies.push_back(std::make_unique<nand::Die>(DieId{static_cast<std::uint16_t>(i)}, scenario.nand.part,
                                                   scenario.nand.factoryBadBlocks,
                                                   Rng(scenario.seed, "bad blocks of die" + std::to_string(i)), aging));
    }
    return dies;
}

} // namespace strobe::platform
