#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a channel's interface block may do with the operations that wait for a die, besides executing them one by one:
// join them into multi-plane or cache commands, and suspend an operation that delays a read. All off by default. The
// rules are in lane_train.h, the commands in bus_schedule.h, what a part allows in models/nand.

#include "models/base/enum_table.h"

#include <array>
#include <cstdint>

namespace strobe::channel {

enum class Suspend : std::uint8_t { None, Program, Erase, Both };

inline constexpr std::array<EnumRow<Suspend>, 4> suspendTable{
    {{Suspend::None, "none", "a read waits for the program or erase of its die"},
     {Suspend::Program, "program", "a read suspends a program"},
     {Suspend::Erase, "erase", "a read suspends an erase"},
     {Suspend::Both, "both", "a read suspends programs and erases"}}};
constexpr const auto& enumTable(Suspend)
{
    return suspendTable;
}

struct JoinPolicy {
    bool multiPlane = false; // reads, programs and erases of several planes in one command
    bool cache = false;      // cache read and cache program
    Suspend suspend = Suspend::None;
    std::uint32_t suspendReads = 4; // reads that one suspension may serve, and that may pass waiting writes in a row
    std::uint32_t planesAtOnce = UINT32_MAX; // of a die, that one command may work on

    bool isPlain() const { return !multiPlane && !cache && suspend == Suspend::None; }
    bool suspendsPrograms() const { return suspend == Suspend::Program || suspend == Suspend::Both; }
    bool suspendsErases() const { return suspend == Suspend::Erase || suspend == Suspend::Both; }
};

} // namespace strobe::channel
