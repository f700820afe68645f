#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The counters of one part of the drive, in a report. The JSON, the text and the reference table of all statistics
// follow from a list of these; platform/assembly/counter_blocks.cpp has the rows.

#include "models/base/statistics.h"

#include <any>
#include <string>
#include <vector>

namespace strobe::platform {

struct CounterPlace {
    std::string path;   // of an object in the JSON: "flash.pslc"; blocks with the same path share the object
    std::string remark; // when it is there, and what it covers; for the reference table
    std::string title;  // of its line in the text; blocks with the same title share the line; empty: no line
};

class CounterBlock {
public:
    template <class Counters>
    CounterBlock(CounterPlace place, const Counters& counters)
        : place_(std::move(place)), statistics_(statisticsOf(counters)), counters_(counters)
    {
    }

    const CounterPlace& place() const { return place_; }
    const std::vector<Statistic>& statistics() const { return statistics_; }
    // The counters themselves; null: they are of another type.
    template <class Counters>
    const Counters* as() const
    {
        return std::any_cast<Counters>(&counters_);
    }

private:
    CounterPlace place_;
    std::vector<Statistic> statistics_;
    std::any counters_;
};

// The counters of one type; null: no block has them.
template <class Counters>
const Counters* findCounters(const std::vector<CounterBlock>& blocks)
{
    for (const CounterBlock& block : blocks) {
        if (const Counters* found = block.as<Counters>())
            return found;
    }
    return nullptr;
}

} // namespace strobe::platform
