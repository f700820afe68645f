#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Operations of a die without time, for functional preconditioning: the effect of a command by the rules and with the
// outcome that it has with time, at once. The die's clock does not move; fetch() of die.h follows as usual.

#include "models/nand/die_state.h"
#include "models/nand/operation.h"

namespace strobe::nand {

// A read, program, erase or copy-back. A copy-back in halves (Form::CopyOut) is executed as a whole unless its source
// is blank; its form is CopyIn then. The pages of a word line come one by one, in order and without a form.
// REQUIRES: the array is idle, and so it stays.
void executeAtOnce(DieState& die, Operation& op);

// The same for a program of a whole page with the run of consecutive tags that begins with `first`; `more`: as in
// Operation::moreSpares. False: it is not simply accepted, and nothing has happened; executeAtOnce() has the outcome.
inline bool programRunAtOnce(DieState& die, PageAddress page, SectorTag first, const Spare& spare, Purpose purpose,
                             const Spare* more)
{
    if (die.array.isGroupOpen() || die.array.isSuspended() || die.condition.errors() != nullptr ||
        die.faults != nullptr || !die.cells.programRun(page, first, spare, purpose == Purpose::Metadata, more))
        return false;
    ++die.counters.array.programs;
    die.registers.free(page);
    die.array.beginChange();
    die.cells.expect({page.block, page.page + 1});
    return true;
}

} // namespace strobe::nand
