#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What the array of a die does for one page or block: the effect of a read, program, copy-back or erase on cells, page
// registers and counters, planned faults included, and for how long the array is at work. Every command is made of
// these steps. Legality is decided before (die_rules.h). Owns no clock: `now` is when the command was latched.
// Busy times: ONFI 1.0 sections 5 and 6; see docs/nand.md.

#include "models/nand/die_state.h"
#include "models/nand/operation.h"

namespace strobe::nand {

// A new command takes the page registers and the array.
void beginCommand(DieState& die, Time now);

// The effect of op.opcode: one of read, program, copy-back, erase. Sets op.status if it fails, and of a read op.blank,
// op.torn and op.bitErrors.
void applyToCells(DieState& die, Operation& op, Time now);
// Parts of it. The page register holds the page; the counters of reads include it.
void readPage(DieState& die, Operation& op, Time now);
// Program or copy-back, without the counters of either.
void programPage(DieState& die, Operation& op, Time now);

// For how long the array works for op.opcode. A die that ages draws the time of a program.
Time arrayTime(DieState& die, const Operation& op);
inline Time programTime(DieState& die, const Operation& op)
{
    return die.condition.programTime(die.part, die.cells, op, die.array.isGroupOpen());
}

// R/B# is low for `busy`, and the array works for another `after`. Sets op.ready, op.arrayEnd and op.statusByte, as
// READ STATUS will answer then. Returns op.ready.
Time enterArray(DieState& die, Operation& op, Opcode opcode, PageAddress target, Time now, Time busy, Time after);
inline Time enterArray(DieState& die, Operation& op, Time now, Time busy, Time after = {})
{
    return enterArray(die, op, op.opcode, op.target, now, busy, after);
}

// A page of several is latched for `busy`: as enterArray, but the array may still execute the command before.
Time enterLatch(DieState& die, Operation& op, Time now, Time busy);

// All of these: a command of one page or block. Sets op.accesses too. Returns when R/B# rises.
Time startCommand(DieState& die, Operation& op, Time now);

} // namespace strobe::nand
