// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/power_cuts.h"

namespace strobe::platform {

PowerCuts::PowerCuts(const PowerConfig& config, std::uint64_t seed)
    : instants_(config.cuts, config.meanCutInterval, Rng(seed, "power cuts")), mostRandom_(config.maxCuts)
{
}

Time PowerCuts::next(Time powerOn)
{
    return instants_.next(powerOn, mostRandom_ == 0 || instants_.drawn() < mostRandom_);
}

} // namespace strobe::platform
