#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The environment of the dies, which changes their output delay: the supply voltage, and a temperature given as steps.
// It is the same for all dies. Not modelled: heating by the drive.

#include "models/base/time.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

namespace strobe::channel {

struct DieEnvironment {
    struct Change {
        Time at{};
        std::int32_t celsius = 25;
    };
    std::uint32_t supplyPermille = 1'000; // of the nominal voltage
    std::int32_t celsius = 25;            // at power-on
    std::vector<Change> changes;          // ascending

    std::int32_t celsiusAt(Time at) const
    {
        const auto next =
            std::upper_bound(changes.begin(), changes.end(), at, [](Time t, const Change& c) { return t < c.at; });
        return next == changes.begin() ? celsius : std::prev(next)->celsius;
    }
    Time nextChange(Time after) const // never: there is none
    {
        const auto next =
            std::upper_bound(changes.begin(), changes.end(), after, [](Time t, const Change& c) { return t < c.at; });
        return next == changes.end() ? never : next->at;
    }
};

} // namespace strobe::channel
