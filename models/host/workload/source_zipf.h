#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The block of rank k is touched with probability k^-theta / sum of i^-theta. Spread: ranks are shuffled over the
// region by a fixed one-to-one mapping, so the distribution stays exact; otherwise rank 1 is the region's first block.

#include "models/host/workload/permutation.h"
#include "models/host/workload/source_synthetic.h"
#include "models/host/workload/zipf_distribution.h"

namespace strobe::host {

class ZipfSource final : public SyntheticSource {
public:
    ZipfSource(const SyntheticConfig& config, double theta, bool spread);

private:
    Extent pick(RequestKind kind) override;
    std::string patternText() const override;

    ZipfDistribution ranks_;
    Permutation shuffle_;
    double theta_;
    bool spread_;
};

} // namespace strobe::host
