#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Instants at which something happens: listed ones, and random ones in addition, each drawn from the one before (or
// from the beginning), uniform from 0 to twice the mean interval. Pure.

#include "models/base/rng.h"
#include "models/base/time.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace strobe {

class Instants {
public:
    Instants() = default; // none
    // `listed`: ascending. `mean`: 0: no random ones.
    Instants(std::vector<Time> listed, Time mean, const Rng& draws)
        : listed_(std::move(listed)), mean_(mean), draws_(draws)
    {
    }

    // The next one after `from`, or never. REQUIRES: `from` ascends from call to call. `allowsRandom`: a random one is
    // drawn, too, and counts as drawn if it comes first.
    Time next(Time from, bool allowsRandom = true)
    {
        while (passed_ < listed_.size() && listed_[passed_] <= from)
            ++passed_;
        const Time listed = passed_ < listed_.size() ? listed_[passed_] : never;
        if (mean_ <= Time{} || !allowsRandom)
            return listed;
        const auto most = static_cast<std::uint64_t>(mean_.count()) * 2;
        const Time random = from + Time{1 + static_cast<std::int64_t>(draws_.below(most))};
        drawn_ += random < listed ? 1U : 0U;
        return std::min(listed, random);
    }
    std::uint32_t drawn() const { return drawn_; } // random ones that next() has returned

private:
    std::vector<Time> listed_;
    Time mean_{};
    Rng draws_{0, "instants"};
    std::size_t passed_ = 0; // of listed_
    std::uint32_t drawn_ = 0;
};

} // namespace strobe
