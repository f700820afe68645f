#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Block after block; the last block is shortened to end with the region, then the region starts over. Reads,
// writes and trims share the one position.

#include "models/host/workload/source_synthetic.h"

namespace strobe::host {

class SequentialSource final : public SyntheticSource {
public:
    using SyntheticSource::SyntheticSource;

private:
    Extent pick(RequestKind kind) override;
    std::string patternText() const override { return "sequential"; }
    std::optional<std::uint64_t> blocksFor(std::uint64_t sectors) const override;

    std::uint64_t offset_ = 0; // of the next block in the region, sectors
};

} // namespace strobe::host
