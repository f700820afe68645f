// SPDX-License-Identifier: Apache-2.0
//
// Commands that work on several pages (multi-plane, cache) or are divided in two (copy-back in halves, suspend,
// resume): how they use the parts of the die.
#include "models/nand/die.h"

#include <algorithm>

namespace strobe::nand {

Time Die::issueForm(Operation& op, Time now)
{
    if (op.form == Form::Suspend)
        return suspend(op, now);
    if (op.form == Form::Resume)
        return resume(op, now);
    if (op.form == Form::Access) // the effect of all accesses was applied with the first one
        return enterArray(op, now, arrayTime(op));
    op.status = Status::Ok;
    switch (op.form) {
    case Form::Cache: return issueCache(op, now);
    case Form::CopyOut: return issueCopyOut(op, now);
    case Form::CopyIn: return issueCopyIn(op, now);
    default: return issuePlane(op, now);
    }
}

// All planes but the last are latched, which takes tDBSY; the array works on all of them from the last one on. Latched
// pages count as in the array: a reset ruins them.
Time Die::issuePlane(Operation& op, Time now)
{
    if (array_.isGroupOpen())
        ++counters_.joined;
    else
        beginCommand(now);
    apply(op);
    array_.setGroupOpen(op.form == Form::Plane);
    if (!array_.isGroupOpen())
        return enterArray(op, now, arrayTime(op));
    if (aging_ && op.opcode == Opcode::Program)
        programTime(op.target);
    array_.latch(op.target);
    return enterArray(op, now, part_.times.tDBSY);
}

// The last plane was refused: the array starts for the accepted planes.
Time Die::startLatched(Operation& op, Time now)
{
    Operation latched;
    latched.opcode = array_.running().opcode;
    latched.target = latched.source = array_.running().target;
    array_.setGroupOpen(false);
    const bool isDrawn = aging_ && latched.opcode == Opcode::Program; // when it was latched
    const Time busy = isDrawn ? aging_->takeGroup() : arrayTime(latched);
    op.ready = enterArray(latched, now, busy);
    op.arrayEnd = latched.arrayEnd;
    op.statusByte = latched.statusByte;
    return op.ready;
}

// Read: what the page register holds moves to the cache register, then the array fetches this page. Program: this page
// moves from the cache register to the page register as soon as the array has finished the previous one.
Time Die::issueCache(Operation& op, Time now)
{
    ++counters_.cached;
    if (op.opcode == Opcode::Read) {
        registers_.moveToCache(array_.running().target);
        array_.dropOthers();
        read(op);
        return enterArray(op, now, part_.times.tRCBSY, part_.tR(op.target.page));
    }
    beginCommand(now);
    apply(op);
    const Time after = programTime(op.target);
    return enterArray(op, now, part_.times.tCBSY, after);
}

// As a read of the source, of which only the spare record goes out. A reset now harms no page.
Time Die::issueCopyOut(Operation& op, Time now)
{
    beginCommand(now);
    op.blank = cells_.isClean(op.source);
    registers_.load(op.source);
    ++counters_.reads;
    return enterArray(op, Opcode::Read, op.source, now, part_.tR(op.source.page), {});
}

Time Die::issueCopyIn(Operation& op, Time now)
{
    beginCommand(now);
    ++counters_.programs;
    program(op);
    return enterArray(op, now, programTime(op.target));
}

void Die::executeAtOnce(Operation& op)
{
    const Form form = op.form;
    op.form = Form::Alone;
    const Verdict verdict = probe(op, array_.freeAt());
    op.form = form;
    op.reason = verdict.reason;
    if (!verdict.legal) {
        ++counters_.illegal;
        op.status = Status::Illegal;
        return;
    }
    op.status = Status::Ok;
    if (form == Form::CopyOut) {
        op.blank = cells_.isClean(op.source);
        if (op.blank)
            return;
        op.form = Form::CopyIn;
    }
    apply(op);
    if (op.opcode == Opcode::Erase)
        cells_.endErases();
}

// The rest of the operation waits; R/B# rises when the array has stopped.
Time Die::suspend(Operation& op, Time now)
{
    const Time rest = op.opcode == Opcode::Erase ? part_.times.tESUSP : part_.times.tPSUSP;
    const Time left = array_.suspend(op.target, now, rest);
    ++counters_.suspends;
    counters_.arrayBusy -= std::min(left, counters_.arrayBusy);
    counters_.arrayBusy += rest;
    op.ready = op.arrayEnd = array_.readyAt();
    return op.ready;
}

Time Die::resume(Operation& op, Time now)
{
    const Time again = op.opcode == Opcode::Erase ? part_.times.tERSM : part_.times.tPRSM;
    counters_.arrayBusy += again + array_.resume(now, again);
    op.ready = op.arrayEnd = array_.readyAt();
    op.statusByte = array_.statusByte(op.ready);
    return op.ready;
}

} // namespace strobe::nand
