#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Which commands a die accepts: the legality table. Pure functions of the operation and of the die's state. Not
// modelled: parts that allow several programs of a page (NOP > 1) or pages in descending order.

#include "models/nand/die_state.h"
#include "models/nand/operation.h"

namespace strobe::nand {

struct Legality {
    bool legal = false;
    IllegalReason reason = IllegalReason::None;
    Time earliest{}; // when the die will accept it, if it is only busy
};

// The rules that depend on addresses and on the state of the cells only.
IllegalReason whyCellsRefuse(const Operation& op, const DieState& die);

// A command to a busy die is legal later: {legal = false, DieBusy, earliest}; one that would not be legal then either
// gets its own reason.
Legality verdictOn(const Operation& op, const DieState& die, Time now);

} // namespace strobe::nand
