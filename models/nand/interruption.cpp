// SPDX-License-Identifier: Apache-2.0
#include "models/nand/interruption.h"

#include <algorithm>
#include <vector>

namespace strobe::nand {

namespace {

void abortTargets(DieState& die, Opcode opcode, const std::vector<PageAddress>& targets)
{
    for (const PageAddress target : targets) {
        if (opcode == Opcode::Read)
            die.registers.abort(target);
        else
            die.cells.corrupt(opcode, target);
    }
}

// The array stops in the middle of its operation.
void abortArray(DieState& die, Time now)
{
    die.counters.takeBackBusy(std::max(die.array.freeAt() - now, Time{}));
    die.condition.dropGroup();
    const Opcode opcode = die.array.running().opcode;
    const std::vector<PageAddress> targets = die.array.stop(now);
    if (targets.empty())
        return;
    ++die.counters.array.aborted;
    abortTargets(die, opcode, targets);
}

} // namespace

Time suspendArray(DieState& die, Operation& op, Time now)
{
    const Time rest = op.opcode == Opcode::Erase ? die.part.times.tESUSP : die.part.times.tPSUSP;
    const Time left = die.array.suspend(op.target, now, rest);
    ++die.counters.array.suspends;
    die.counters.takeBackBusy(left);
    die.counters.array.arrayBusy += rest;
    op.ready = op.arrayEnd = die.array.readyAt();
    return op.ready;
}

Time resumeArray(DieState& die, Operation& op, Time now)
{
    const Time again = op.opcode == Opcode::Erase ? die.part.times.tERSM : die.part.times.tPRSM;
    die.counters.array.arrayBusy += again + die.array.resume(now, again);
    op.ready = op.arrayEnd = die.array.readyAt();
    op.statusByte = die.array.statusByte(op.ready);
    return op.ready;
}

Time resetArray(DieState& die, Time now)
{
    const ArrayTimes& times = die.part.times;
    const auto timeAfter = [&](Opcode opcode) {
        return opcode == Opcode::Read ? times.tRstRead : opcode == Opcode::Erase ? times.tRstErase : times.tRstProgram;
    };
    ++die.counters.array.resets;
    die.array.clearFailure();
    Time busy = times.tRstIdle;
    if (!die.array.isFree(now) || die.array.isGroupOpen()) {
        const bool again = die.array.running().opcode == Opcode::Reset; // does not start again
        busy = again ? die.array.readyAt() - now : timeAfter(die.array.running().opcode);
        abortArray(die, now);
    } else {
        die.registers.freePlanes();
    }
    if (die.array.isSuspended()) {
        busy = timeAfter(die.array.suspendedOpcode());
        ++die.counters.array.aborted;
        abortTargets(die, die.array.suspendedOpcode(), die.array.dropSuspended());
    }
    if (!die.planes.areAllReady(now)) {
        busy = std::max(busy, timeAfter(Opcode::Read));
        die.counters.takeBackBusy(die.planes.allReadyAt() - now);
        const std::vector<PageAddress> targets = die.planes.stop(now);
        die.counters.array.aborted += targets.size();
        abortTargets(die, Opcode::Read, targets);
    }
    return busy;
}

std::uint32_t cutPower(DieState& die, Time at)
{
    std::uint32_t interrupted = 0;
    for (const ArrayState::Cut& cut : die.array.powerOff(at, die.part, die.condition.drawsProgramTimes())) {
        if (!cut.hasBegun) {
            die.cells.undo(cut.opcode, cut.target);
            continue;
        }
        die.cells.interrupt(cut.opcode, cut.target, die.draws);
        ++interrupted;
    }
    die.cells.endErases();
    die.registers.freeAll();
    die.planes.powerOff();
    die.condition.powerOff(at);
    return interrupted;
}

} // namespace strobe::nand
