#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Every block of the region with equal probability, independently. A remainder of the region shorter than a block is
// never accessed.

#include "models/host/workload/source_synthetic.h"

namespace strobe::host {

class UniformSource final : public SyntheticSource {
public:
    using SyntheticSource::SyntheticSource;

private:
    Extent pick(RequestKind kind) override;
    std::string patternText() const override { return "uniform"; }
};

} // namespace strobe::host
