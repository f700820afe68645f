#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a host does when the drive has lost its power.

#include "models/base/enum_table.h"

#include <array>
#include <cstdint>

namespace strobe::host {

// What happens to the commands that were outstanding when power was lost.
enum class LostCommands : std::uint8_t { Reissue, Drop };
inline constexpr std::array<EnumRow<LostCommands>, 2> lostCommandsTable{
    {{LostCommands::Reissue, "reissue", "issued again, in their order"},
     {LostCommands::Drop, "drop", "never completed; the workload continues without them"}}};
constexpr const auto& enumTable(LostCommands)
{
    return lostCommandsTable;
}

} // namespace strobe::host
