#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Which commands a die accepts: the legality table. Pure functions of the operation and of the die's parts. Not
// modelled: parts that allow several programs of a page (NOP > 1) or pages in descending order.

#include "models/nand/array_state.h"
#include "models/nand/die_cells.h"
#include "models/nand/operation.h"
#include "models/nand/page_registers.h"
#include "models/nand/part.h"
#include "models/nand/plane_reads.h"

namespace strobe::nand {

struct Legality {
    bool legal = false;
    IllegalReason reason = IllegalReason::None;
    Time earliest{}; // when the die will accept it, if it is only busy
};

struct DieView {
    const Part& part;
    const DieCells& cells;
    const PageRegisters& registers;
    const ArrayState& array;
    const PlaneReads& planes;
    std::uint32_t readOption = 0; // that SET FEATURES has set
};

// The rules that depend on addresses and on the state of the cells only.
IllegalReason whyCellsRefuse(const Operation& op, const DieView& die);

// A command to a busy die is legal later: {legal = false, DieBusy, earliest}; one that would not be legal then either
// gets its own reason.
Legality verdictOn(const Operation& op, const DieView& die, Time now);

} // namespace strobe::nand
