// SPDX-License-Identifier: Apache-2.0
#include "models/nand/die_counters.h"

namespace strobe::nand {

ArrayEnergy arrayEnergy(const Part& part, const DieCounters& all, const PslcCounters& pslc)
{
    const auto joule = [](std::uint64_t count, std::uint64_t inPslc, double usual, double own) {
        return static_cast<double>(count - inPslc) * usual + static_cast<double>(inPslc) * (own > 0 ? own : usual);
    };
    const DieEnergy& energy = part.energy;
    return {joule(all.reads + all.copyBacks, pslc.reads + pslc.copyBacks, energy.readJoule, part.pslc.readJoule),
            joule(all.programs + all.copyBacks, pslc.programs + pslc.copyBacks, energy.programJoule,
                  part.pslc.programJoule),
            joule(all.erases, pslc.erases, energy.eraseJoule, part.pslc.eraseJoule)};
}

} // namespace strobe::nand
