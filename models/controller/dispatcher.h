#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The dispatcher between the flash units and the channels: selects the channel of a low-level operation and keeps track
// of the operations in progress. Fine-grained interleaving (Hydra, section 3.3.2) is the channel's own scheduling: its
// bus is held for requests and responses only, so a unit whose die is busy holds nothing, and the segments of all units
// compete for the bus one by one, foreground before background (nand::Priority of the operation). The dispatcher only
// bounds the number of operations that a unit has in the channels' queues and records which unit works on which die.

#include "models/base/check.h"
#include "models/base/statistics.h"
#include "models/nand/geometry.h"
#include "models/nand/operation.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace strobe::controller {

struct DispatcherCounters {
    using ByOpcode = std::array<std::uint64_t, nand::opcodeTable.size()>;
    std::array<ByOpcode, nand::purposeTable.size()> operations{}; // finished, by nand::Purpose and nand::Opcode
    std::uint64_t issued = 0;
    std::uint64_t finished = 0;
    std::uint64_t dieUsedByAnotherUnit = 0; // sent to a die on which another unit had an operation in progress
    std::uint32_t maxUnderWay = 0;          // at once, over all channels

    void declare(Statistics& stats)
    {
        for (ByOpcode& byOpcode : operations) {
            for (std::uint64_t& count : byOpcode)
                stats.keep(count); // reported by purpose
        }
        stats.add("die_used_by_another_unit", Unit::Count,
                  "operations sent to a die on which another unit had an operation in progress", dieUsedByAnotherUnit);
    }
};

class Dispatcher {
public:
    Dispatcher(const nand::ArrayGeometry& array, std::uint32_t units, std::uint32_t operationsPerUnit)
        : array_(array), operationsPerUnit_(operationsPerUnit), units_(units), dies_(array.dies()),
          background_(array.channels)
    {
    }

    // Accounts for the operation and returns its destination. REQUIRES: the unit is below its bound.
    ChannelId issue(UnitId unit, const nand::Operation& op)
    {
        Die& die = dies_[op.die];
        check(units_[unit] < operationsPerUnit_, "a flash unit sends more operations than it may have in progress");
        counters_.dieUsedByAnotherUnit += die.underWay != 0 && die.lastUnit != unit ? 1 : 0;
        ++die.underWay;
        die.lastUnit = unit;
        if (op.priority == nand::Priority::Background) {
            ++die.background;
            ++background_[array_.channelOf(op.die)];
        }
        ++units_[unit];
        ++counters_.issued;
        counters_.maxUnderWay = std::max(counters_.maxUnderWay, ++underWay_);
        return array_.channelOf(op.die);
    }

    void finished(UnitId unit, const nand::Operation& op)
    {
        check(units_[unit] != 0 && dies_[op.die].underWay != 0, "an operation finished that was not in progress");
        --units_[unit];
        --dies_[op.die].underWay;
        if (op.priority == nand::Priority::Background) {
            --dies_[op.die].background;
            --background_[array_.channelOf(op.die)];
        }
        --underWay_;
        ++counters_.finished;
        ++counters_.operations[static_cast<std::size_t>(op.purpose)][static_cast<std::size_t>(op.opcode)];
    }

    std::uint32_t underWay() const { return underWay_; }
    std::uint32_t underWay(UnitId unit) const { return units_[unit]; }
    std::uint32_t underWay(DieId die) const { return dies_[die].underWay; }
    std::uint32_t background(DieId die) const { return dies_[die].background; } // of these, without priority
    std::uint32_t background(ChannelId channel) const { return background_[channel]; }
    const DispatcherCounters& counters() const { return counters_; }
    void resetCounters() { counters_ = {}; }

private:
    struct Die {
        std::uint32_t underWay = 0;
        std::uint32_t background = 0;
        UnitId lastUnit{};
    };

    nand::ArrayGeometry array_;
    std::uint32_t operationsPerUnit_;
    IdVector<UnitId, std::uint32_t> units_;
    IdVector<DieId, Die> dies_;
    IdVector<ChannelId, std::uint32_t> background_;
    std::uint32_t underWay_ = 0;
    DispatcherCounters counters_;
};

} // namespace strobe::controller
