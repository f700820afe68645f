// SPDX-License-Identifier: Apache-2.0
#include "models/nand/die.h"

#include "models/base/check.h"
#include "models/nand/snap_read.h"

#include <algorithm>

namespace strobe::nand {

Die::Die(DieId id, const Part& part, std::uint32_t badBlocks, Rng rng, const Aging& aging)
    : id_(id), part_(part), array_(part.geometry.planes * part.geometry.pagesPerProgram), registers_(part.geometry),
      planes_(part.geometry.planes), condition_(part, aging, rng), cells_(part, badBlocks, rng),
      draws_(Rng(rng).next(), "power loss")
{
}

void Die::planFaults(const std::vector<FlashFault>& plan, Rng draws)
{
    auto faults = std::make_unique<FlashFaults>(id_, part_.geometry, plan, Rng(draws.next(), "faults"));
    faults_ = faults->isEmpty() ? nullptr : std::move(faults);
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
    case Opcode::Erase:
        beginCommand(now);
        apply(op, now);
        op.accesses = furtherAccesses(op);
        return enterArray(op, now, arrayTime(op));
    case Opcode::Reset: return enterArray(op, now, reset(now));
    case Opcode::ReadStatus:
    case Opcode::ReadId: break; // neither uses the array
    }
    op.statusByte = statusByte(planes_.areAllReady(now), now);
    op.ready = op.arrayEnd = now;
    return now;
}

std::uint8_t Die::statusByte(bool planesReady, Time now) const
{
    return planesReady ? array_.statusByte(now) : statusNotProtected;
}

Time Die::refuse(Operation& op, Time now)
{
    ++counters_.illegal;
    if (op.form == Form::Suspend || op.form == Form::Resume) // the outcome of the operation itself stays
        return now;
    op.status = Status::Illegal;
    if ((op.form == Form::LastPlane || op.form == Form::WordLineEnd) && array_.isGroupOpen())
        return startLatched(op, now);
    op.statusByte = array_.statusByte(now);
    op.ready = op.arrayEnd = now;
    return now;
}

// A new command takes the page registers.
void Die::beginCommand(Time now)
{
    registers_.freeAll();
    array_.beginCommand(now);
    condition_.enterTime(now);
    if (cells_.hasOpenErases() && !array_.isSuspended()) // only reads while suspended
        cells_.endErases();
}

Time Die::arrayTime(const Operation& op)
{
    switch (op.opcode) {
    case Opcode::Read: return readTime(part_, op);
    case Opcode::Program: return programTime(op);
    case Opcode::CopyBack: return part_.tR(op.source.page, op.pslc) + programTime(op);
    default: return part_.tBERS(op.pslc);
    }
}

Time Die::enterArray(Operation& op, Opcode opcode, PageAddress target, Time now, Time busy, Time after)
{
    array_.enter(opcode, target, now, busy, after, condition_.drawn(), op.pslc);
    counters_.arrayBusy += busy + after;
    op.ready = array_.readyAt();
    op.arrayEnd = array_.freeAt();
    op.statusByte = array_.statusByte(op.ready);
    return op.ready;
}

// The effect on cells and page registers.
void Die::apply(Operation& op, Time now)
{
    switch (op.opcode) {
    case Opcode::Read:
        read(op, now);
        cells_.expect({op.target.block, op.target.page + 1});
        break;
    case Opcode::Program:
        ++counters_.programs;
        pslcCounters_.programs += op.pslc ? 1 : 0;
        program(op, now);
        cells_.expect({op.target.block, op.target.page + 1});
        break;
    case Opcode::CopyBack:
        ++counters_.copyBacks;
        pslcCounters_.copyBacks += op.pslc ? 1 : 0;
        condition_.sensed(op.source.block);
        program(op, now);
        break;
    default: erase(op, now); break;
    }
}

// A page of PCM takes several accesses, a soft read several senses.
std::uint32_t Die::furtherAccesses(const Operation& op) const
{
    if (part_.accessBytes != 0)
        return part_.accesses(op.sectors) - 1;
    return op.opcode == Opcode::Read ? op.senses - 1U : 0;
}

// Into the page register. Erased cells have no errors, nor has the bad block mark in the spare bytes.
void Die::read(Operation& op, Time now)
{
    const bool isInOtherMode = cells_.block(op.target.block).pslc != op.pslc;
    op.torn = isInOtherMode ? cells_.holdsOtherMode(op.target, op.pslc) : cells_.isTorn(op.target);
    op.blank = isInOtherMode ? !op.torn : cells_.looksBlank(op.target);
    const bool hasErrors = !op.blank && op.sectors != 0 && !cells_.holdsMark(op.target);
    op.bitErrors = hasErrors ? condition_.drawErrors(part_, cells_, op) : 0;
    condition_.sensed(op.target.block);
    registers_.load(op.target);
    if (faults_ != nullptr)
        disturb(op, hasErrors, now);
    snapReads_.reads += isSnapRead(part_, op) ? 1U : 0U;
    ++counters_.reads;
    pslcCounters_.reads += op.pslc ? 1 : 0;
}

// A read hit by planned faults.
void Die::disturb(Operation& op, bool hasData, Time now)
{
    const FlashFaults::Reading reading = faults_->read(op.target, hasData, now);
    op.bitErrors += reading.bits;
    if (!reading.isDead)
        return;
    op.torn = true;
    op.blank = false;
    op.bitErrors = 0;
    registers_.abort(op.target);
}

// Program and copy-back.
void Die::program(Operation& op, Time now)
{
    registers_.free(op.target);
    array_.beginChange();
    condition_.programmed(op.target.block);
    const bool isWordLine = part_.geometry.hasWordLines() && !op.pslc;
    const bool isHit = faults_ != nullptr && faults_->failsProgram(op.target, isWordLine, now);
    if (!cells_.program(op, isHit))
        fail(op, Status::ProgramFailed);
    else if (faults_ != nullptr && op.opcode == Opcode::CopyBack && faults_->losesCopy(op.source, now))
        cells_.spoil(op.target);
    if (observer_ != nullptr)
        observer_->programmed(*this, op);
}

void Die::erase(Operation& op, Time now)
{
    ++counters_.erases;
    pslcCounters_.erases += op.pslc ? 1 : 0;
    registers_.free(op.target);
    array_.beginChange();
    condition_.erased(op.target.block);
    const bool isHit = faults_ != nullptr && faults_->failsErase(op.target.block, now);
    if (!cells_.erase(op.target.block, op.purpose == Purpose::Metadata, op.pslc, isHit))
        fail(op, Status::EraseFailed);
    if (observer_ != nullptr)
        observer_->erased(*this, op);
}

void Die::fail(Operation& op, Status status)
{
    op.status = status;
    array_.noteFailure();
    ++counters_.failed;
}

// Returns how long the reset takes, which depends on what it interrupts.
Time Die::reset(Time now)
{
    const ArrayTimes& times = part_.times;
    const auto timeAfter = [&](Opcode opcode) {
        return opcode == Opcode::Read ? times.tRstRead : opcode == Opcode::Erase ? times.tRstErase : times.tRstProgram;
    };
    ++counters_.resets;
    array_.clearFailure();
    Time busy = times.tRstIdle;
    if (!array_.isFree(now) || array_.isGroupOpen()) {
        const bool again = array_.running().opcode == Opcode::Reset; // does not start again
        busy = again ? array_.readyAt() - now : timeAfter(array_.running().opcode);
        abort(now);
    } else {
        registers_.freePlanes();
    }
    if (array_.isSuspended()) {
        busy = timeAfter(array_.suspendedOpcode());
        ++counters_.aborted;
        abortTargets(array_.suspendedOpcode(), array_.dropSuspended());
    }
    if (!planes_.areAllReady(now)) {
        busy = std::max(busy, timeAfter(Opcode::Read));
        counters_.arrayBusy -= std::min(planes_.allReadyAt() - now, counters_.arrayBusy);
        const std::vector<PageAddress> targets = planes_.stop(now);
        counters_.aborted += targets.size();
        abortTargets(Opcode::Read, targets);
    }
    return busy;
}

// The array stops in the middle of its operation.
void Die::abort(Time now)
{
    // Counted in advance at issue; after resetCounters() only a part of it may be included.
    counters_.arrayBusy -= std::min(std::max(array_.freeAt() - now, Time{}), counters_.arrayBusy);
    condition_.dropGroup();
    const Opcode opcode = array_.running().opcode;
    const std::vector<PageAddress> targets = array_.stop(now);
    if (targets.empty())
        return;
    ++counters_.aborted;
    abortTargets(opcode, targets);
}

void Die::abortTargets(Opcode opcode, const std::vector<PageAddress>& targets)
{
    for (PageAddress target : targets) {
        if (opcode == Opcode::Read)
            registers_.abort(target);
        else
            cells_.corrupt(opcode, target);
    }
}

void Die::fetch(Operation& op) const
{
    if (op.opcode == Opcode::ReadId) {
        op.spare = {};
        const std::size_t bytes = std::min(part_.id.size(), sizeof(Spare));
        for (std::size_t i = 0; i < bytes; ++i)
            op.spare[i / 4] |= std::uint32_t{part_.id[i]} << (8 * (i % 4));
        return;
    }
    const PageRegisters::State state = registers_.stateOf(op.target);
    check(op.opcode == Opcode::Read && state != PageRegisters::State::Free,
          "the page register no longer holds the page of this read");
    if (state == PageRegisters::State::Aborted)
        PageStore::readBlank(op.sectors, op.data, op.spare, op.moreSpares,
                             part_.geometry.recordsOf(op.firstSector, op.sectors) - 1);
    else
        cells_.read(op);
}

std::uint32_t Die::powerOff(Time at)
{
    std::uint32_t interrupted = 0;
    for (const ArrayState::Cut& cut : array_.powerOff(at, part_, condition_.drawsProgramTimes())) {
        if (!cut.hasBegun) {
            cells_.undo(cut.opcode, cut.target);
            continue;
        }
        cells_.interrupt(cut.opcode, cut.target, draws_);
        ++interrupted;
    }
    cells_.endErases();
    registers_.freeAll();
    planes_.powerOff();
    condition_.powerOff(at);
    return interrupted;
}

// --- commands of several pages (multi-plane, cache) or in two parts (copy-back in halves, suspend, resume)

Time Die::issueForm(Operation& op, Time now)
{
    if (op.form == Form::Suspend)
        return suspend(op, now);
    if (op.form == Form::Resume)
        return resume(op, now);
    if (op.form == Form::Access) // the effect of all accesses was applied with the first one
        return enterArray(op, now, arrayTime(op));
    if (op.form == Form::Sense)
        return issueSense(op, now);
    op.status = Status::Ok;
    switch (op.form) {
    case Form::References:
        condition_.errors()->setOption(op.readOption);
        beginCommand(now);
        apply(op, now);
        op.accesses = furtherAccesses(op);
        return enterArray(op, now, arrayTime(op));
    case Form::PlaneRead: return issuePlaneRead(op, now);
    case Form::Cache: return issueCache(op, now);
    case Form::CopyOut: return issueCopyOut(op, now);
    case Form::CopyIn: return issueCopyIn(op, now);
    default: return issuePlane(op, now);
    }
}

// The other planes keep their registers and go on. Nothing of the array as a whole is at work, or it is suspended.
Time Die::issuePlaneRead(Operation& op, Time now)
{
    const std::uint32_t plane = part_.geometry.planeOf(op.target.block);
    if (op.opcode == Opcode::ReadStatus) {
        op.statusByte = statusByte(planes_.isReady(plane, now), now);
        op.ready = op.arrayEnd = now;
        return now;
    }
    condition_.enterTime(now);
    if (cells_.hasOpenErases() && !array_.isSuspended())
        cells_.endErases();
    planeReadCounters_.overlapped += planes_.areAllReady(now) ? 0U : 1U;
    ++planeReadCounters_.reads;
    apply(op, now);
    const Time tR = arrayTime(op);
    planeReadCounters_.planeBusy += tR;
    counters_.arrayBusy += planes_.begin(plane, op.target, now, tR);
    op.ready = op.arrayEnd = planes_.readyAt(plane);
    op.statusByte = array_.statusByte(op.ready);
    return op.ready;
}

// All planes but the last, and all pages of a word line but its last, are latched, which takes tDBSY or tPBSY; the
// array works on all of them from the last one on. Latched pages count as in the array: a reset corrupts them.
Time Die::issuePlane(Operation& op, Time now)
{
    const DieGeometry& geometry = part_.geometry;
    if (!array_.isGroupOpen())
        beginCommand(now);
    else if (geometry.planeOf(op.target.block) != geometry.planeOf(array_.latched().front().block))
        ++counters_.joined;
    apply(op, now);
    const bool isLast = op.form == Form::LastPlane || op.form == Form::WordLineEnd;
    array_.setGroupOpen(!isLast);
    if (isLast) {
        dropPartsOfWordLines(op.target.block);
        return enterArray(op, now, arrayTime(op));
    }
    if (condition_.drawsProgramTimes() && op.opcode == Opcode::Program &&
        (op.pslc || geometry.isLastOfWordLine(op.target.page))) // drawn once per word line
        programTime(op);
    array_.latch(op.target);
    return enterArray(op, now, op.form == Form::WordLinePage ? part_.times.tPBSY : part_.times.tDBSY);
}

// Word lines of which a page was refused are not programmed. `last`: the block whose last page is not latched, but on
// its way to the array.
void Die::dropPartsOfWordLines(std::uint32_t last)
{
    const DieGeometry& geometry = part_.geometry;
    if (!geometry.hasWordLines() || array_.running().opcode != Opcode::Program || array_.running().pslc)
        return;
    const auto isPart = [&](PageAddress page) {
        const std::uint32_t end = (geometry.wordLineOf(page.page) + 1) * geometry.pagesPerProgram - 1;
        return page.block != last && !array_.isLatched({page.block, end});
    };
    std::vector<PageAddress> parts;
    std::copy_if(array_.latched().begin(), array_.latched().end(), std::back_inserter(parts), isPart);
    for (const PageAddress page : parts) {
        cells_.undo(Opcode::Program, page);
        array_.unlatch(page);
    }
}

// The last plane was refused: the array starts for the accepted planes, if there are any.
Time Die::startLatched(Operation& op, Time now)
{
    constexpr std::uint32_t none = UINT32_MAX;
    dropPartsOfWordLines(none);
    if (array_.latched().empty()) {
        array_.setGroupOpen(false);
        condition_.dropGroup();
        op.statusByte = array_.statusByte(now);
        op.ready = op.arrayEnd = now;
        return now;
    }
    Operation latched;
    latched.opcode = array_.running().opcode;
    latched.pslc = array_.running().pslc;
    latched.target = latched.source = array_.latched().back();
    array_.setGroupOpen(false);
    const bool isDrawn = condition_.drawsProgramTimes() && latched.opcode == Opcode::Program; // when it was latched
    const Time busy = isDrawn ? condition_.takeGroup() : arrayTime(latched);
    op.ready = enterArray(latched, now, busy);
    op.arrayEnd = latched.arrayEnd;
    op.statusByte = latched.statusByte;
    return op.ready;
}

// The effect of a soft read was applied with its first sense. Its last references are not those of an option.
Time Die::issueSense(Operation& op, Time now)
{
    condition_.errors()->setOption(softReferences);
    condition_.errors()->countSoftSense();
    condition_.errors()->sensed(op.target.block);
    ++counters_.reads;
    pslcCounters_.reads += op.pslc ? 1 : 0;
    return enterArray(op, now, arrayTime(op));
}

// Read: what the page register holds moves to the cache register, then the array fetches this page. Program: this page
// moves from the cache register to the page register as soon as the array has finished the previous one.
Time Die::issueCache(Operation& op, Time now)
{
    ++counters_.cached;
    if (op.opcode == Opcode::Read) {
        registers_.moveToCache(array_.running().target);
        array_.dropOthers();
        read(op, now);
        return enterArray(op, now, part_.times.tRCBSY, part_.tR(op.target.page, op.pslc));
    }
    beginCommand(now);
    apply(op, now);
    const Time after = programTime(op);
    return enterArray(op, now, part_.times.tCBSY, after);
}

// As a read of the source, of which only the spare record goes out. A reset now harms no page.
Time Die::issueCopyOut(Operation& op, Time now)
{
    beginCommand(now);
    op.blank = cells_.isClean(op.source);
    registers_.load(op.source);
    condition_.sensed(op.source.block);
    ++counters_.reads;
    pslcCounters_.reads += op.pslc ? 1 : 0;
    return enterArray(op, Opcode::Read, op.source, now, part_.tR(op.source.page, op.pslc), {});
}

Time Die::issueCopyIn(Operation& op, Time now)
{
    beginCommand(now);
    ++counters_.programs;
    pslcCounters_.programs += op.pslc ? 1 : 0;
    program(op, now);
    return enterArray(op, now, programTime(op));
}

void Die::executeAtOnce(Operation& op)
{
    const Form form = op.form;
    const bool setsReferences = condition_.errors() != nullptr && op.opcode == Opcode::Read;
    op.form = setsReferences ? Form::References : Form::Alone; // the die's own setting is left alone
    condition_.leaveTime();
    const bool isWordLine = part_.geometry.hasWordLines() && op.opcode == Opcode::Program && !op.pslc; // page by page
    op.reason = isWordLine ? whyCellsRefuse(op, view()) : probe(op, array_.freeAt()).reason;
    op.form = form;
    if (op.reason != IllegalReason::None) {
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
    apply(op, array_.freeAt());
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
