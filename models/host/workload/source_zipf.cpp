// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/source_zipf.h"

#include <fmt/format.h>

namespace strobe::host {

ZipfSource::ZipfSource(const SyntheticConfig& config, double theta, bool spread)
    : SyntheticSource(config), ranks_(config.space.wholeBlocks(), theta),
      shuffle_(config.space.wholeBlocks(), config.seed), theta_(theta), spread_(spread)
{
}

SyntheticSource::Extent ZipfSource::pick(RequestKind)
{
    const std::uint64_t rank = ranks_(addressRng());
    return wholeBlock(spread_ ? shuffle_(rank) : rank);
}

std::string ZipfSource::patternText() const
{
    return fmt::format("zipf (theta {:.4g})", theta_);
}

} // namespace strobe::host
