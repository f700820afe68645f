// SPDX-License-Identifier: Apache-2.0
//
// Commands that work on several pages (multi-plane, cache) or are cut in two (suspend, resume).
#include "models/base/check.h"
#include "models/nand/die.h"

#include <algorithm>
#include <utility>

namespace strobe::nand {

Time Die::issueJoined(Operation& op, Time now)
{
    switch (op.form) {
    case Form::Suspend: return suspend(op, now);
    case Form::Resume: return resume(op, now);
    case Form::Cache: op.status = Status::Ok; return issueCache(op, now);
    case Form::CopyOut: op.status = Status::Ok; return issueCopyOut(op, now);
    case Form::CopyIn: op.status = Status::Ok; return issueCopyIn(op, now);
    case Form::Access: return issueAccess(op, now);
    default: op.status = Status::Ok; return issuePlane(op, now);
    }
}

// All planes but the last are latched, which takes tDBSY; the array works on all of them from the last one on. What is
// latched counts as in the array: a reset ruins it.
Time Die::issuePlane(Operation& op, Time now)
{
    if (groupOpen_)
        ++counters_.joined;
    else
        beginCommand(now);
    apply(op);
    groupOpen_ = op.form == Form::Plane;
    if (!groupOpen_)
        return enterArray(op, now, arrayTime(op), Time{});
    if (aging_ && op.opcode == Opcode::Program)
        programTime(op.target);
    others_.push_back(op.target);
    return enterArray(op, now, part_.times.tDBSY, Time{});
}

// The last plane was refused: the array starts for those that were not.
Time Die::startLatched(Operation& op, Time now)
{
    Operation latched;
    latched.opcode = running_.opcode;
    latched.target = latched.source = running_.target;
    groupOpen_ = false;
    const bool isDrawn = aging_ && latched.opcode == Opcode::Program; // when it was latched
    const Time busy = isDrawn ? std::exchange(aging_->groupDrawn, Time{}) : arrayTime(latched);
    op.ready = enterArray(latched, now, busy, Time{});
    op.arrayEnd = latched.arrayEnd;
    op.statusByte = latched.statusByte;
    return op.ready;
}

// Read: what the page register holds moves to the cache register, then the array fetches this page. Program: this page
// moves from the cache register to the page register as soon as the array is done with the one before.
Time Die::issueCache(Operation& op, Time now)
{
    ++counters_.cached;
    if (op.opcode == Opcode::Read) {
        cacheRegister_ = registerOf(running_.target);
        others_.clear();
        loadPageRegister(op);
        return enterArray(op, now, part_.times.tRCBSY, part_.tR(op.target.page));
    }
    beginCommand(now);
    apply(op);
    const Time behind = programTime(op.target);
    return enterArray(op, now, part_.times.tCBSY, behind);
}

// As a read of the source, of which only the spare record goes out. A reset now harms no page.
Time Die::issueCopyOut(Operation& op, Time now)
{
    beginCommand(now);
    op.blank = isClean(op.source);
    registerOf(op.source) = {PageRegister::State::Loaded, op.source};
    ++counters_.reads;
    const Time ready = enterArray(op, now, part_.tR(op.source.page), Time{});
    running_.opcode = Opcode::Read;
    running_.target = op.source;
    return ready;
}

Time Die::issueCopyIn(Operation& op, Time now)
{
    beginCommand(now);
    ++counters_.programs;
    program(op);
    return enterArray(op, now, programTime(op.target), Time{});
}

// The effect of all accesses was applied with the first one; the page register keeps the page of a read.
Time Die::issueAccess(Operation& op, Time now)
{
    return enterArray(op, now, arrayTime(op), Time{});
}

// What was left of the operation waits; R/B# rises when the array has come to rest.
Time Die::suspend(Operation& op, Time now)
{
    const Time left = running_.ready - now;
    const Time rest = op.opcode == Opcode::Erase ? part_.times.tESUSP : part_.times.tPSUSP;
    suspended_ = true;
    suspendedOp_ = {running_.opcode, running_.target, left};
    suspendedOthers_.swap(others_);
    others_.clear();
    ++suspends_;
    ++counters_.suspends;
    counters_.arrayBusy -= std::min(left, counters_.arrayBusy);
    counters_.arrayBusy += rest;
    running_ = {Opcode::ReadStatus, op.target, now + rest};
    arrayFree_ = running_.ready;
    op.ready = op.arrayEnd = running_.ready;
    return op.ready;
}

Time Die::resume(Operation& op, Time now)
{
    const Time again = op.opcode == Opcode::Erase ? part_.times.tERSM : part_.times.tPRSM;
    suspended_ = false;
    others_.swap(suspendedOthers_);
    suspendedOthers_.clear();
    running_ = {suspendedOp_.opcode, suspendedOp_.target, now + again + suspendedOp_.ready};
    counters_.arrayBusy += again + suspendedOp_.ready;
    arrayFree_ = running_.ready;
    op.ready = op.arrayEnd = running_.ready;
    op.statusByte = statusByte(op.ready);
    return op.ready;
}

// A reset while suspended.
void Die::dropSuspended()
{
    ++counters_.aborted;
    suspended_ = false;
    suspendedOthers_.push_back(suspendedOp_.target);
    ruinTargets(suspendedOp_.opcode, suspendedOthers_);
    suspendedOthers_.clear();
}

void Die::ruinTargets(Opcode opcode, const std::vector<PageAddress>& targets)
{
    for (PageAddress target : targets) {
        if (opcode == Opcode::Erase)
            ruinBlock(target.block);
        else
            store_.ruin(target);
    }
}

} // namespace strobe::nand
