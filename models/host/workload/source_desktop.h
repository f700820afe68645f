#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Traffic of a desktop's file system: requests of several sizes, in runs. Reads have one habit (HabitConfig), writes
// and trims another; each keeps the end of its last request. A request that does not fit there begins anywhere in the
// span. Sizes and places come from random streams of their own. Not modelled: popularity of places beyond the spans,
// and any relation of a request to the next other than its place.

#include "models/host/workload/source_synthetic.h"

#include <vector>

namespace strobe::host {

class DesktopSource final : public SyntheticSource {
public:
    // REQUIRES: every size fits into its span.
    DesktopSource(const SyntheticConfig& config, const HabitConfig& reads, const HabitConfig& writes,
                  std::uint64_t nearDistance);

private:
    struct Habit {
        std::vector<std::uint32_t> sectors; // sizes
        std::vector<double> upTo;           // sums of their weights, 1 at the end
        double sequential = 0;
        double sequentialOrNear = 0;
        std::uint64_t spanSectors = 0;
        std::uint64_t end = 0; // of the last request, in the region
        bool hasBegun = false;
        double meanBytes = 0;
    };

    Habit habitOf(const HabitConfig& config) const;
    Extent pick(RequestKind kind) override;
    std::uint32_t drawSize(const Habit& habit);
    std::uint64_t drawPlace(std::uint64_t first, std::uint64_t last); // a multiple of the alignment in between
    std::string patternText() const override;
    std::string sizeText() const override;
    std::optional<std::uint64_t> blocksFor(std::uint64_t) const override { return std::nullopt; }

    Habit reads_;
    Habit writes_;
    std::uint64_t nearSectors_;
    Rng sizeRng_;
};

} // namespace strobe::host
