#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Removes items that lie outside some spans of time, from a long list that is roughly in order of time: blocks of items
// that touch no span as a whole are removed, and blocks of which every item touches one are kept, without a question
// for each item.

#include "models/base/time.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace strobe {

// Items keep their order. startOf(item), endOf(item): its span; touches(start, end): whether one of the spans to be
// kept begins before `end` and ends after `start`.
template <class Items, class StartOf, class EndOf, class Touches>
void keepTouching(Items& items, StartOf startOf, EndOf endOf, Touches touches)
{
    constexpr std::size_t block = 256;
    auto to = items.begin();
    for (std::size_t first = 0; first < items.size(); first += block) {
        const auto from = std::next(items.begin(), static_cast<std::ptrdiff_t>(first));
        const auto until = std::next(from, static_cast<std::ptrdiff_t>(std::min(block, items.size() - first)));
        Time firstStart = Time::max(); // of the block
        Time lastEnd = Time::min();
        for (auto item = from; item != until; ++item) {
            firstStart = std::min<Time>(firstStart, startOf(*item));
            lastEnd = std::max<Time>(lastEnd, endOf(*item));
        }
        if (!touches(firstStart, lastEnd))
            continue;
        Time lastStart = Time::min();
        Time firstEnd = Time::max();
        for (auto item = from; item != until; ++item) {
            lastStart = std::max<Time>(lastStart, startOf(*item));
            firstEnd = std::min<Time>(firstEnd, endOf(*item));
        }
        const bool areAll = touches(lastStart, firstEnd); // the same span touches each
        for (auto item = from; item != until; ++item) {
            if (!areAll && !touches(startOf(*item), endOf(*item)))
                continue;
            if (to != item)
                *to = std::move(*item);
            ++to;
        }
    }
    items.erase(to, items.end());
}

} // namespace strobe
