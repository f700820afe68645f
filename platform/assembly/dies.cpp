// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/dies.h"

#include "models/nand/bad_blocks.h"

namespace strobe::platform {

DieArray makeDies(const Scenario& scenario)
{
    DieArray dies;
    const nand::Aging aging{scenario.nand.preAged, scenario.controller.ecc.code.codewordBytes,
                            scenario.nand.storedHours, scenario.nand.storedReads};
    for (std::uint32_t i = 0; i < scenario.nand.array.dies(); ++i) {
        const DieId die{static_cast<std::uint16_t>(i)};
        dies.push_back(std::make_unique<nand::Die>(die, scenario.nand.partOf(die), scenario.nand.factoryBadBlocks,
                                                   nand::drawsOfDie(scenario.seed, die), aging));
        dies[die]->planFaults(scenario.faults.flash, nand::drawsOfDie(scenario.seed, die));
    }
    return dies;
}

} // namespace strobe::platform
