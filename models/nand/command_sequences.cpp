// SPDX-License-Identifier: Apache-2.0
#include "models/nand/command_sequences.h"

#include "models/nand/array_operations.h"

namespace strobe::nand {

Time issueAccess(DieState& die, Operation& op, Time now)
{
    return enterArray(die, op, now, arrayTime(die, op));
}

Time issueReferences(DieState& die, Operation& op, Time now)
{
    die.condition.errors()->setOption(op.readOption);
    return startCommand(die, op, now);
}

Time issueSense(DieState& die, Operation& op, Time now)
{
    die.condition.errors()->setOption(softReferences);
    die.condition.errors()->countSoftSense();
    die.condition.errors()->sensed(op.target.block);
    die.counters.countRead(op.pslc);
    return enterArray(die, op, now, arrayTime(die, op));
}

Time issueCache(DieState& die, Operation& op, Time now)
{
    ++die.counters.array.cached;
    if (op.opcode == Opcode::Read) {
        die.registers.moveToCache(die.array.running().target);
        die.array.dropOthers();
        readPage(die, op, now);
        return enterArray(die, op, now, die.part.times.tRCBSY, die.part.tR(op.target.page, op.pslc));
    }
    beginCommand(die, now);
    applyToCells(die, op, now);
    const Time after = programTime(die, op);
    return enterArray(die, op, now, die.part.times.tCBSY, after);
}

Time issueCopyOut(DieState& die, Operation& op, Time now)
{
    beginCommand(die, now);
    op.blank = die.cells.isClean(op.source);
    die.registers.load(op.source);
    die.condition.sensed(op.source.block);
    die.counters.countRead(op.pslc);
    return enterArray(die, op, Opcode::Read, op.source, now, die.part.tR(op.source.page, op.pslc), {});
}

Time issueCopyIn(DieState& die, Operation& op, Time now)
{
    beginCommand(die, now);
    die.counters.countProgram(op.pslc);
    programPage(die, op, now);
    return enterArray(die, op, now, programTime(die, op));
}

Time issuePlaneRead(DieState& die, Operation& op, Time now)
{
    const std::uint32_t plane = die.part.geometry.planeOf(op.target.block);
    if (op.opcode == Opcode::ReadStatus) {
        op.statusByte = die.statusByte(die.planes.isReady(plane, now), now);
        op.ready = op.arrayEnd = now;
        return now;
    }
    die.enterTime(now);
    PlaneReadCounters& counters = die.counters.planeReads;
    counters.overlapped += die.planes.areAllReady(now) ? 0U : 1U;
    ++counters.reads;
    applyToCells(die, op, now);
    const Time tR = arrayTime(die, op);
    counters.planeBusy += tR;
    die.counters.array.arrayBusy += die.planes.begin(plane, op.target, now, tR);
    op.ready = op.arrayEnd = die.planes.readyAt(plane);
    op.statusByte = die.array.statusByte(op.ready);
    return op.ready;
}

} // namespace strobe::nand
