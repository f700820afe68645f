#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Search in a sorted sequence for a place that is mostly close to one that is known, such as the last one found: steps
// from there that double, then halves.

namespace strobe::platform {

// The first index of [low, high) for which isLater(index) is true; high: none. REQUIRES: it is true for all after it.
template <class Index, class Later>
Index firstLater(Index low, Index high, Index near, Later isLater)
{
    near = near < low ? low : near < high ? near : high;
    Index step = 1;
    if (near > low && isLater(near - 1)) {
        high = near - 1;
        for (; high > low; step *= 2) {
            const Index probe = high - low > step ? high - step : low;
            if (!isLater(probe)) {
                low = probe + 1;
                break;
            }
            high = probe;
        }
    } else {
        low = near;
        for (; low < high; step *= 2) {
            const Index probe = high - low > step ? low + step - 1 : high - 1;
            if (isLater(probe)) {
                high = probe;
                break;
            }
            low = probe + 1;
        }
    }
    while (low < high) {
        const Index middle = low + (high - low) / 2;
        if (isLater(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

} // namespace strobe::platform
