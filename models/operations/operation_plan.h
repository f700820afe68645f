#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// NAND operations to be executed one by one, without a controller and its firmware: a list, or a random mix of given
// numbers of reads, programs, erases and copy-backs, as issued by a workload generator. A plan is legal whatever the
// order in which the dies work, because each die gets its own operations in order: pages of a block ascend, programs go
// to erased blocks, reads and copy-backs to pages that hold data. On a die of several planes successive operations of a
// kind go from plane to plane at equal pages, so that they may be joined.
// Not modelled: operations on parts of a page. Errors: ConfigError if a die has no block left for a mix.

#include "models/base/enum_table.h"
#include "models/nand/geometry.h"
#include "models/nand/operation.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace strobe::operations {

struct PlannedOperation {
    nand::Opcode opcode = nand::Opcode::Read; // read, program, erase or copy-back
    DieId die{};
    nand::PageAddress target; // erase: the page is ignored
    nand::PageAddress source; // copy-back only

    friend bool operator==(const PlannedOperation& a, const PlannedOperation& b)
    {
        return a.opcode == b.opcode && a.die == b.die && a.target == b.target && a.source == b.source;
    }
};

enum class DieChoice : std::uint8_t { RoundRobin, Random };
inline constexpr std::array<EnumRow<DieChoice>, 2> dieChoiceTable{
    {{DieChoice::RoundRobin, "round-robin", "one die after the other"},
     {DieChoice::Random, "random", "any die, each time"}}};
constexpr const auto& enumTable(DieChoice)
{
    return dieChoiceTable;
}

struct OperationsConfig {
    std::uint32_t reads = 0; // of the mix, over all dies
    std::uint32_t programs = 0;
    std::uint32_t erases = 0;
    std::uint32_t copyBacks = 0;
    DieChoice dies = DieChoice::RoundRobin;
    std::uint32_t preparedBlocks = 4;        // of each plane: programmed before the mix or the list begins
    std::optional<std::uint32_t> queueDepth; // outstanding operations of each bus; nothing: all
    std::vector<PlannedOperation> list;      // instead of a mix

    bool hasMix() const { return reads + programs + erases + copyBacks > 0; }
    bool isEmpty() const { return !hasMix() && list.empty(); }
};

struct OperationPlan {
    std::vector<PlannedOperation> prepare; // not measured
    std::vector<PlannedOperation> measured;
};

// `isUsable` returns whether a block may be programmed. Throws ConfigError if a die has too few erased blocks. The
// order of a mix depends only on the seed, its addresses also on the number of dies.
OperationPlan makePlan(const OperationsConfig& config, const nand::ArrayGeometry& array, const nand::DieGeometry& die,
                       std::uint64_t seed, const std::function<bool(DieId, std::uint32_t block)>& isUsable);

} // namespace strobe::operations
