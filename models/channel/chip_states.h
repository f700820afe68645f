#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The states that a chip goes through while it receives commands over its pins, as the CPS-SIM paper draws them (its
// Figs. 6a and 6b): a machine for each of page read, page program, block erase and copy-back, driven by the cycles on
// the bus and by R/B#. The die itself (models/nand) needs no such states, because a request reaches it whole; they are
// reconstructed from the bus schedule and the time stamps of an operation, for reports and traces.
// Not modelled: operations of several planes, cache forms, copy-back in halves, pSLC mode (they have no states here).

#include "models/channel/bus_schedule.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::channel {

enum class ChipState : std::uint8_t { Cmd1Ready, AddrReady, DataReady, Cmd2Ready, Operating, DataOut };
inline constexpr std::array<EnumRow<ChipState>, 6> chipStateTable{
    {{ChipState::Cmd1Ready, "cmd1 ready", "waits for the first command of an operation; its status may be read"},
     {ChipState::AddrReady, "addr ready", "has a command, takes addresses"},
     {ChipState::DataReady, "data ready", "takes the bytes of a page into the page register"},
     {ChipState::Cmd2Ready, "cmd2 ready", "waits for what starts the array, or for a page to be taken"},
     {ChipState::Operating, "operating", "the array works, R/B# is low"},
     {ChipState::DataOut, "data out", "gives the bytes of the page register"}}};
constexpr const auto& enumTable(ChipState)
{
    return chipStateTable;
}

enum class ChipEvent : std::uint8_t {
    Command,   // a command cycle that is not the last of the request
    Addressed, // the last address cycle
    Filled,    // the last byte of data in
    Confirm,   // the command cycle that ends the request
    Ready,     // R/B# rises
    Take,      // the chip is selected for data out
    Taken      // the last byte of data out
};
inline constexpr std::array<EnumRow<ChipEvent>, 7> chipEventTable{
    {{ChipEvent::Command, "command", ""},
     {ChipEvent::Addressed, "addressed", "last address cycle"},
     {ChipEvent::Filled, "filled", "last byte of data in"},
     {ChipEvent::Confirm, "confirm", "command that ends the request"},
     {ChipEvent::Ready, "ready", "R/B# rises"},
     {ChipEvent::Take, "take", "selected for data out"},
     {ChipEvent::Taken, "taken", "last byte of data out"}}};
constexpr const auto& enumTable(ChipEvent)
{
    return chipEventTable;
}

struct ChipTransition {
    nand::Opcode opcode;
    ChipState from;
    ChipEvent on;
    ChipState to;
};
// Of all machines; each begins and ends in Cmd1Ready.
const std::vector<ChipTransition>& chipTransitions();
// Empty: the event is not allowed in this state.
std::optional<ChipState> nextChipState(nand::Opcode opcode, ChipState from, ChipEvent on);

struct ChipSpan {
    ChipState state;
    Time start;
    Time end;
    bool onBus; // the bus is held for this chip
};

// The states of a finished operation, by its time stamps, from the start of its request to the end of its response;
// spans of no length are left out. Empty: it was refused, or is of a kind or form that has no machine.
std::vector<ChipSpan> chipStates(const BusSchedule& schedule, const nand::Operation& op);

} // namespace strobe::channel
