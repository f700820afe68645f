// SPDX-License-Identifier: Apache-2.0
#include "models/nand/die.h"

#include "models/base/check.h"
#include "models/nand/array_operations.h"
#include "models/nand/command_sequences.h"
#include "models/nand/interruption.h"
#include "models/nand/latched_pages.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace strobe::nand {

void Die::planFaults(const std::vector<FlashFault>& plan, Rng draws)
{
    auto faults = std::make_unique<FlashFaults>(id(), part().geometry, plan, Rng(draws.next(), "faults"));
    state_.faults = faults->isEmpty() ? nullptr : std::move(faults);
}

Time Die::issue(Operation& op, Time now)
{
    const Legality verdict = probe(op, now);
    op.reason = verdict.reason;
    if (!verdict.legal)
        return refuse(op, now);
    if (op.form != Form::Alone)
        return issueForm(op, now);
    op.status = Status::Ok;
    switch (op.opcode) {
    case Opcode::Read:
    case Opcode::Program:
    case Opcode::CopyBack:
    case Opcode::Erase: return startCommand(state_, op, now);
    case Opcode::Reset: return enterArray(state_, op, now, resetArray(state_, now));
    case Opcode::ReadStatus:
    case Opcode::ReadId: break; // neither uses the array
    }
    op.statusByte = state_.statusByte(state_.planes.areAllReady(now), now);
    op.ready = op.arrayEnd = now;
    return now;
}

Time Die::issueForm(Operation& op, Time now)
{
    switch (op.form) { // those that continue an operation leave its status
    case Form::Suspend: return suspendArray(state_, op, now);
    case Form::Resume: return resumeArray(state_, op, now);
    case Form::Access: return issueAccess(state_, op, now);
    case Form::Sense: return issueSense(state_, op, now);
    default: break;
    }
    op.status = Status::Ok;
    switch (op.form) {
    case Form::References: return issueReferences(state_, op, now);
    case Form::PlaneRead: return issuePlaneRead(state_, op, now);
    case Form::Cache: return issueCache(state_, op, now);
    case Form::CopyOut: return issueCopyOut(state_, op, now);
    case Form::CopyIn: return issueCopyIn(state_, op, now);
    default: return latchPage(state_, op, now);
    }
}

Time Die::refuse(Operation& op, Time now)
{
    ++state_.counters.array.illegal;
    if (op.form == Form::Suspend || op.form == Form::Resume) // the outcome of the operation itself stays
        return now;
    op.status = Status::Illegal;
    const bool isLast = op.form == Form::LastPlane || op.form == Form::LastPlaneCache || op.form == Form::WordLineEnd;
    if (isLast && state_.array.isGroupOpen())
        return startLatched(state_, op, now);
    op.statusByte = state_.array.statusByte(now);
    op.ready = op.arrayEnd = now;
    return now;
}

void Die::fetch(Operation& op) const
{
    if (op.opcode == Opcode::ReadId) {
        op.spare = {};
        const std::vector<std::uint8_t>& id = part().id;
        const std::size_t bytes = std::min(id.size(), sizeof(Spare));
        for (std::size_t i = 0; i < bytes; ++i)
            op.spare[i / 4] |= std::uint32_t{id[i]} << (8 * (i % 4));
        return;
    }
    const PageRegisters::State state = state_.registers.stateOf(op.target);
    check(op.opcode == Opcode::Read && state != PageRegisters::State::Free,
          "the page register no longer holds the page of this read");
    if (state != PageRegisters::State::Loaded)
        PageStore::readBlank(op.sectors, op.data, op.spare, op.moreSpares,
                             part().geometry.recordsOf(op.firstSector, op.sectors) - 1);
    else
        state_.cells.read(op);
}

std::uint32_t Die::powerOff(Time at)
{
    return cutPower(state_, at);
}

} // namespace strobe::nand
