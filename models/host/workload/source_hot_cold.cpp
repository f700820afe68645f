// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/source_hot_cold.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace strobe::host {

HotColdSource::HotColdSource(const SyntheticConfig& config, const HotConfig& hot, bool spread)
    : SyntheticSource(config), shuffle_(config.space.wholeBlocks(), config.seed), hot_(hot), spread_(spread)
{
    const std::uint64_t blocks = config.space.wholeBlocks();
    const auto wanted = static_cast<std::uint64_t>(std::llround(hot.space * static_cast<double>(blocks)));
    hotBlocks_ = std::clamp<std::uint64_t>(wanted, 1, blocks);
    coldBlocks_ = blocks - hotBlocks_;
}

SyntheticSource::Extent HotColdSource::pick(RequestKind)
{
    const bool isHot = addressRng().chance(hot_.accesses) || coldBlocks_ == 0;
    const std::uint64_t rank = isHot ? addressRng().below(hotBlocks_) : hotBlocks_ + addressRng().below(coldBlocks_);
    return wholeBlock(spread_ ? shuffle_(rank) : rank);
}

std::string HotColdSource::patternText() const
{
    return fmt::format("hot-cold ({:.4g} % of the accesses to {:.4g} % of the space)", hot_.accesses * 100,
                       hot_.space * 100);
}

} // namespace strobe::host
