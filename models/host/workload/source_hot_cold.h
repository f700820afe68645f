#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A share of the blocks (hot) receives a share of the accesses; within hot and within cold all blocks are equal.
// Spread: hot blocks are spread over the region; otherwise they are its beginning.

#include "models/host/workload/permutation.h"
#include "models/host/workload/source_synthetic.h"

namespace strobe::host {

class HotColdSource final : public SyntheticSource {
public:
    HotColdSource(const SyntheticConfig& config, const HotConfig& hot, bool spread);

private:
    Extent pick(RequestKind kind) override;
    std::string patternText() const override;

    Permutation shuffle_;
    HotConfig hot_;
    std::uint64_t hotBlocks_; // at least one
    std::uint64_t coldBlocks_;
    bool spread_;
};

} // namespace strobe::host
