#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What halts the debugger besides its own breakpoints, and the command that chooses among it. All at first.

#include "models/base/enum_table.h"

#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>

namespace strobe::cpu {

enum class StopEvent : std::uint8_t { Trap, Panic, Stall, Misuse, Mismatch, PowerLoss };

inline constexpr std::array<EnumRow<StopEvent>, 6> stopEventTable{
    {{StopEvent::Trap, "trap", "before an exception is entered, except ecall"},
     {StopEvent::Panic, "panic", "firmware ends the run with an error, or can only trap"},
     {StopEvent::Stall, "stall", "the drive serves its host no more, or not yet"},
     {StopEvent::Misuse, "misuse", "the hardware refuses what firmware orders"},
     {StopEvent::Mismatch, "mismatch", "a read returns wrong data to the host"},
     {StopEvent::PowerLoss, "power-loss", "the power of the drive is about to go"}}};
constexpr const auto& enumTable(StopEvent)
{
    return stopEventTable;
}

class StopEvents {
public:
    bool has(StopEvent event) const { return chosen_[static_cast<std::size_t>(event)]; }
    // "trap,panic", "all" or "none" chooses; an empty text only asks. The answer: the choice, or what is wrong with the
    // list, which then changes nothing.
    std::string choose(std::string_view list);

private:
    std::bitset<stopEventTable.size()> chosen_{~0ULL};
};

} // namespace strobe::cpu
