#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Requests of block clients, in whole sectors. Plain values.

#include "models/base/enum_table.h"
#include "models/base/statistics.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::platform::serve {

enum class BlockKind : std::uint8_t { Read, Write, Zero, Trim, Flush };

inline constexpr std::array<EnumRow<BlockKind>, 5> blockKindTable{
    {{BlockKind::Read, "read", ""},
     {BlockKind::Write, "write", ""},
     {BlockKind::Zero, "write zeros", "without data on the connection"},
     {BlockKind::Trim, "trim", ""},
     {BlockKind::Flush, "flush", ""}}};
constexpr const auto& enumTable(BlockKind)
{
    return blockKindTable;
}

struct BlockRequest {
    BlockKind kind = BlockKind::Read;
    bool fua = false;            // complete only when in flash
    bool mayTrim = false;        // zero: the sectors need not stay allocated
    std::uint64_t lba = 0;       // 512-byte sectors
    std::uint64_t sectors = 0;   // zero for flush only
    std::vector<std::byte> data; // of a write; of a read when it has ended
};

// What clients have asked for.
struct BlockCounters {
    struct Kind {
        std::uint64_t requests = 0;
        std::uint64_t sectors = 0;
        std::uint64_t forced = 0; // with FUA
        std::uint64_t failed = 0; // answered with an error
    };
    std::array<Kind, blockKindTable.size()> kinds{}; // by BlockKind
    std::uint64_t clients = 0;                       // that have connected
    std::uint64_t extents = 0;                       // requests for the allocation of a range

    Kind& of(BlockKind kind) { return kinds[static_cast<std::size_t>(kind)]; }
};

} // namespace strobe::platform::serve
