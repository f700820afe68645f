// SPDX-License-Identifier: Apache-2.0
#include "models/nand/at_once.h"

#include "models/nand/array_operations.h"
#include "models/nand/die_rules.h"

#include <algorithm>

namespace strobe::nand {

void executeAtOnce(DieState& die, Operation& op)
{
    const Form form = op.form;
    const bool setsReferences = die.condition.errors() != nullptr && op.opcode == Opcode::Read;
    op.form = setsReferences ? Form::References : Form::Alone; // the die's own setting is left alone
    die.condition.leaveTime();
    const Time idle = std::max(die.array.freeAt(), die.planes.allReadyAt()); // after reads of single planes, too
    const bool isWordLine =
        die.part.geometry.hasWordLines() && op.opcode == Opcode::Program && !op.pslc; // page by page
    op.reason = isWordLine ? whyCellsRefuse(op, die) : verdictOn(op, die, idle).reason;
    op.form = form;
    if (op.reason != IllegalReason::None) {
        ++die.counters.array.illegal;
        op.status = Status::Illegal;
        return;
    }
    op.status = Status::Ok;
    if (form == Form::CopyOut) {
        op.blank = die.cells.isClean(op.source);
        if (op.blank)
            return;
        op.form = Form::CopyIn;
    }
    applyToCells(die, op, idle);
    if (op.opcode == Opcode::Erase)
        die.cells.endErases();
}

} // namespace strobe::nand
