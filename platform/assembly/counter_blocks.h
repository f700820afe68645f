#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The table of all counters that parts of the drive keep: which part has them, and where they are in a report. A row is
// all that a new block of counters needs besides its own declaration: Measurement adds it up, and report, JSON and
// reference table contain it. Not here: figures that depend on the host's protocol (host::PortFigures), use of
// resources, cost points, histograms.

#include "platform/assembly/ssd_module.h"
#include "platform/assembly/write_buffer_probe.h"
#include "platform/config/scenario.h"
#include "platform/report/counter_block.h"

#include <any>
#include <functional>
#include <map>
#include <typeindex>
#include <vector>

namespace strobe::platform {

struct Finished; // collect.h

// Sums over parts and power cycles, one of each type of counters.
class CounterSums {
public:
    template <class Counters>
    Counters& of() // zero at first
    {
        std::any& sum = sums_[typeid(Counters)];
        if (!sum.has_value())
            sum = Counters{};
        return *std::any_cast<Counters>(&sum);
    }
    template <class Counters>
    Counters of() const
    {
        const auto found = sums_.find(typeid(Counters));
        return found == sums_.end() ? Counters{} : *std::any_cast<Counters>(&found->second);
    }

private:
    std::map<std::type_index, std::any> sums_;
};

// Of one power cycle.
struct MeasuredParts {
    const SsdModule& ssd;
    const WriteBufferProbe& writeBuffer;
};

struct CounterRow {
    CounterPlace place;
    bool (*isReported)(const Scenario&) = nullptr;
    std::function<void(const MeasuredParts&, CounterSums&)> measure; // a measured phase has ended; or:
    std::function<void(const Finished&, CounterSums&)> finish;       // the run has ended
    std::function<CounterBlock(const CounterSums&)> block;
};

const std::vector<CounterRow>& counterRows(); // in the order of a report

std::vector<CounterBlock> counterBlocks(const Finished& finished); // of its report
std::vector<CounterBlock> allCounterBlocks();                      // of any report, at zero

} // namespace strobe::platform
