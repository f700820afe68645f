// SPDX-License-Identifier: Apache-2.0
#include "models/nand/array_operations.h"

#include "models/nand/snap_read.h"

namespace strobe::nand {

namespace {

// A page of PCM takes several accesses, a soft read several senses.
std::uint32_t furtherAccesses(const Part& part, const Operation& op)
{
    if (part.accessBytes != 0)
        return part.accesses(op.sectors) - 1;
    return op.opcode == Opcode::Read ? op.senses - 1U : 0;
}

// A read hit by planned faults.
void disturb(DieState& die, Operation& op, bool hasData, Time now)
{
    const FlashFaults::Reading reading = die.faults->read(op.target, hasData, now);
    op.bitErrors += reading.bits;
    if (!reading.isDead)
        return;
    op.torn = true;
    op.blank = false;
    op.bitErrors = 0;
    die.registers.lose(op.target);
}

void fail(DieState& die, Operation& op, Status status)
{
    op.status = status;
    die.array.noteFailure();
    ++die.counters.array.failed;
}

void eraseBlock(DieState& die, Operation& op, Time now)
{
    die.counters.countErase(op.pslc);
    die.registers.free(op.target);
    die.array.beginChange();
    die.condition.erased(op.target.block);
    const bool isHit = die.faults != nullptr && die.faults->failsErase(op.target.block, now);
    if (!die.cells.erase(op.target.block, op.purpose == Purpose::Metadata, op.pslc, isHit))
        fail(die, op, Status::EraseFailed);
    if (die.observer != nullptr)
        die.observer->erased(die.id, die.cells, op);
}

} // namespace

void beginCommand(DieState& die, Time now)
{
    die.registers.freeAll();
    die.array.beginCommand(now);
    die.enterTime(now);
}

Time arrayTime(DieState& die, const Operation& op)
{
    switch (op.opcode) {
    case Opcode::Read: return readTime(die.part, op);
    case Opcode::Program: return programTime(die, op);
    case Opcode::CopyBack: return die.part.tR(op.source.page, op.pslc) + programTime(die, op);
    default: return die.part.tBERS(op.pslc);
    }
}

Time enterArray(DieState& die, Operation& op, Opcode opcode, PageAddress target, Time now, Time busy, Time after)
{
    die.array.enter(opcode, target, now, busy, after, die.condition.drawn(), op.pslc);
    die.counters.array.arrayBusy += busy + after;
    op.ready = die.array.readyAt();
    op.arrayEnd = die.array.freeAt();
    op.statusByte = die.array.statusByte(op.ready);
    return op.ready;
}

Time enterLatch(DieState& die, Operation& op, Time now, Time busy)
{
    die.counters.array.arrayBusy +=
        die.array.enterLatch(op.opcode, op.target, now, busy, die.condition.drawn(), op.pslc);
    op.ready = die.array.readyAt();
    op.arrayEnd = die.array.freeAt();
    op.statusByte = die.array.statusByte(op.ready);
    return op.ready;
}

Time startCommand(DieState& die, Operation& op, Time now)
{
    beginCommand(die, now);
    applyToCells(die, op, now);
    op.accesses = furtherAccesses(die.part, op);
    return enterArray(die, op, now, arrayTime(die, op));
}

void applyToCells(DieState& die, Operation& op, Time now)
{
    switch (op.opcode) {
    case Opcode::Read:
        readPage(die, op, now);
        die.cells.expect({op.target.block, op.target.page + 1});
        break;
    case Opcode::Program:
        die.counters.countProgram(op.pslc);
        programPage(die, op, now);
        die.cells.expect({op.target.block, op.target.page + 1});
        break;
    case Opcode::CopyBack:
        die.counters.countCopyBack(op.pslc);
        die.condition.sensed(op.source.block);
        programPage(die, op, now);
        break;
    default: eraseBlock(die, op, now); break;
    }
}

// Into the page register. Erased cells have no errors, nor has the bad block mark in the spare bytes.
void readPage(DieState& die, Operation& op, Time now)
{
    const bool isInOtherMode = die.cells.block(op.target.block).pslc != op.pslc;
    op.torn = isInOtherMode ? die.cells.holdsOtherMode(op.target, op.pslc) : die.cells.isTorn(op.target);
    op.blank = isInOtherMode ? !op.torn : die.cells.looksBlank(op.target);
    const bool hasErrors = !op.blank && op.sectors != 0 && !die.cells.holdsMark(op.target);
    op.bitErrors = hasErrors ? die.condition.drawErrors(die.part, die.cells, op) : 0;
    die.condition.sensed(op.target.block);
    die.registers.load(op.target);
    if (die.faults != nullptr)
        disturb(die, op, hasErrors, now);
    die.counters.snapReads.reads += isSnapRead(die.part, op) ? 1U : 0U;
    die.counters.countRead(op.pslc);
}

void programPage(DieState& die, Operation& op, Time now)
{
    die.registers.free(op.target);
    die.array.beginChange();
    die.condition.programmed(op.target.block);
    const bool isWordLine = die.part.geometry.hasWordLines() && !op.pslc;
    const bool isHit = die.faults != nullptr && die.faults->failsProgram(op.target, isWordLine, now);
    if (!die.cells.program(op, isHit))
        fail(die, op, Status::ProgramFailed);
    else if (die.faults != nullptr && op.opcode == Opcode::CopyBack && die.faults->losesCopy(op.source, now))
        die.cells.spoil(op.target);
    if (die.observer != nullptr)
        die.observer->programmed(die.id, die.cells, op);
}

} // namespace strobe::nand
