#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Removes items that lie outside some spans of time, from a long list that is roughly in order of time: blocks of items
// that touch no span as a whole are removed without a look at each item.

#include "models/base/time.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace strobe {

// Items keep their order. startOf(item), endOf(item): its span; touches(start, end): whether anything from start to end
// is to be kept.
template <class Items, class StartOf, class EndOf, class Touches>
void keepTouching(Items& items, StartOf startOf, EndOf endOf, Touches touches)
{
    constexpr std::size_t block = 1024;
    auto to = items.begin();
    for (std::size_t first = 0; first < items.size(); first += block) {
        const auto from = std::next(items.begin(), static_cast<std::ptrdiff_t>(first));
        const auto until = std::next(from, static_cast<std::ptrdiff_t>(std::min(block, items.size() - first)));
        Time start = Time::max();
        Time end = Time::min();
        for (auto item = from; item != until; ++item) {
            start = std::min(start, startOf(*item));
            end = std::max(end, endOf(*item));
        }
        if (!touches(start, end))
            continue;
        for (auto item = from; item != until; ++item) {
            if (!touches(startOf(*item), endOf(*item)))
                continue;
            if (to != item)
                *to = std::move(*item);
            ++to;
        }
    }
    items.erase(to, items.end());
}

} // namespace strobe
