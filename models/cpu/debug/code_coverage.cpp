// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/code_coverage.h"

namespace strobe::cpu {

CodeCoverage::CodeCoverage(const ElfImage& image)
    : code_(image), begun_(code_.size() + 1), left_(code_.size() + 1), jumped_(code_.size() + 1)
{
}

void CodeCoverage::jumped(const rv32::Core& /*core*/, std::uint32_t from, std::uint32_t to)
{
    ++jumped_[code_.indexOf(from)];
    ++begun_[code_.indexOf(to)];
}

void CodeCoverage::moved(const rv32::Core& core, std::uint32_t from)
{
    ++left_[code_.indexOf(from)];
    begin(core);
}

void CodeCoverage::trapped(const rv32::Core& core)
{
    moved(core, core.csr(rv32::csr::mepc).value_or(0));
}

CodeCoverage::Counts CodeCoverage::counts() const
{
    Counts counts(code_);
    counts.jumped_ = jumped_;
    counts.executed_.resize(begun_.size());
    std::uint64_t running = 0;
    for (std::size_t at = 0; at < code_.size(); ++at) {
        running += begun_[at] - left_[at];
        counts.executed_[at] = running;
        running -= jumped_[at];
    }
    counts.jumped_.back() = 0;
    return counts;
}

} // namespace strobe::cpu
