// SPDX-License-Identifier: Apache-2.0
#include "models/nand/die.h"

#include "models/base/check.h"
#include "models/nand/bad_blocks.h"

#include <algorithm>

namespace strobe::nand {

double arrayJoule(const DieEnergy& energy, const DieCounters& counters)
{
    const auto reads = static_cast<double>(counters.reads + counters.copyBacks);
    const auto programs = static_cast<double>(counters.programs + counters.copyBacks);
    return reads * energy.readJoule + programs * energy.programJoule +
           static_cast<double>(counters.erases) * energy.eraseJoule;
}

Die::Die(DieId id, const Part& part, std::uint32_t badBlocks, Rng rng, const Aging& aging)
    : id_(id), part_(part), blocks_(part.geometry.blocks()), registers_(part.geometry.planes), store_(part.geometry),
      draws_(Rng(rng).next(), "power loss")
{
    if (!part.wear.empty())
        aging_ = std::make_unique<AgingState>(AgingState{aging, Rng(Rng(rng).next(), "wear"), {}, {}});
    if (part.isOverwritable())
        overwrites_.resize(part.geometry.pages());
    others_.reserve(part.geometry.planes);
    suspendedOthers_.reserve(part.geometry.planes);
    erasing_.reserve(part.geometry.planes);
    const std::vector<bool> isBad = drawBadBlocks(part.geometry, badBlocks, rng);
    for (std::size_t block = 0; block < blocks_.size(); ++block)
        blocks_[block].factoryBad = isBad[block];
}

Time Die::issue(Operation& op, Time now)
{
    const Verdict verdict = probe(op, now);
    op.reason = verdict.reason;
    if (!verdict.legal)
        return refuse(op, now);
    if (op.form != Form::Alone)
        return issueJoined(op, now);
    op.status = Status::Ok;
    switch (op.opcode) {
    case Opcode::Read:
    case Opcode::Program:
    case Opcode::CopyBack:
    case Opcode::Erase:
        beginCommand(now);
        apply(op);
        op.accesses = part_.accessBytes == 0 ? 0 : part_.accesses(op.sectors) - 1;
        return enterArray(op, now, arrayTime(op), Time{});
    case Opcode::Reset: return enterArray(op, now, reset(now), Time{});
    case Opcode::ReadStatus:
    case Opcode::ReadId: break; // neither touches the array
    }
    op.statusByte = statusByte(now);
    op.ready = op.arrayEnd = now;
    return now;
}

Time Die::refuse(Operation& op, Time now)
{
    ++counters_.illegal;
    if (op.form == Form::Suspend || op.form == Form::Resume) // the outcome of the operation itself stands
        return now;
    op.status = Status::Illegal;
    if (op.form == Form::LastPlane && groupOpen_)
        return startLatched(op, now);
    op.statusByte = statusByte(now);
    op.ready = op.arrayEnd = now;
    return now;
}

// A new command takes the page registers. In the array it finds nothing, or the program of a cache sequence.
void Die::beginCommand(Time now)
{
    for (PageRegister& r : registers_)
        r.state = PageRegister::State::Free;
    cacheRegister_.state = PageRegister::State::Free;
    const bool follows = now < arrayFree_;
    before_ = {running_.opcode, running_.target, arrayFree_, running_.cells};
    others_.clear();
    if (follows)
        others_.push_back(running_.target);
    if (!erasing_.empty())
        endErases();
    failedBefore_ = follows && lastFailed_;
}

Time Die::arrayTime(const Operation& op)
{
    switch (op.opcode) {
    case Opcode::Read: return part_.tR(op.target.page);
    case Opcode::Program: return programTime(op.target);
    case Opcode::CopyBack: return part_.tR(op.source.page) + programTime(op.target);
    default: return part_.times.tBERS;
    }
}

double Die::wear(PageAddress page) const
{
    if (part_.endurance == 0)
        return 0;
    const std::uint32_t cycles = part_.isOverwritable() ? overwrites(page) : blocks_[page.block].erases;
    return (aging_ ? aging_->aging.before : 0) + static_cast<double>(cycles) / part_.endurance;
}

std::uint32_t Die::overwrites(PageAddress page) const
{
    const std::uint64_t number = std::uint64_t{page.block} * part_.geometry.pagesPerBlock + page.page;
    return overwrites_.empty() ? 0 : overwrites_[number];
}

// Of several planes the slowest decides.
Time Die::programTime(PageAddress target)
{
    const Time fresh = part_.tPROG(target.page);
    if (!aging_)
        return fresh;
    const Time drawn = drawProgramTime(fresh, part_.wear.at(wear(target)), aging_->draws);
    aging_->drawn = std::max(drawn, aging_->groupDrawn);
    aging_->groupDrawn = groupOpen_ ? aging_->drawn : Time{};
    return aging_->drawn;
}

// Raw bit errors in the worst codeword of what is read. Erased cells are as good as any.
std::uint32_t Die::readErrors(const Operation& op)
{
    if (!aging_ || op.blank || op.sectors == 0)
        return 0;
    const std::uint32_t codeword = aging_->aging.codewordBytes;
    const auto bytes = static_cast<std::uint32_t>(op.sectors * sectorBytes);
    const double rate = part_.wear.at(wear(op.target)).bitErrorRate;
    constexpr double bitsPerByte = 8;
    return drawWorst(rate * bitsPerByte * std::min(codeword, bytes), (bytes + codeword - 1) / codeword, aging_->draws);
}

// R/B# is low for `busy`, counted from when the array is free; the array goes on for `behind` after it.
Time Die::enterArray(Operation& op, Time now, Time busy, Time behind)
{
    running_ = {op.opcode, op.target, std::max(now, arrayFree_) + busy, aging_ ? aging_->drawn : Time{}};
    startedAt_ = now;
    arrayFree_ = running_.ready + behind;
    counters_.arrayBusy += busy + behind;
    op.ready = running_.ready;
    op.arrayEnd = arrayFree_;
    op.statusByte = statusByte(op.ready);
    return op.ready;
}

// The effect on cells and page registers.
void Die::apply(Operation& op)
{
    switch (op.opcode) {
    case Opcode::Read:
        loadPageRegister(op);
        store_.expect({op.target.block, op.target.page + 1});
        break;
    case Opcode::Program:
        ++counters_.programs;
        program(op);
        store_.expect({op.target.block, op.target.page + 1});
        break;
    case Opcode::CopyBack:
        ++counters_.copyBacks;
        program(op);
        break;
    default: erase(op); break;
    }
}

void Die::loadPageRegister(Operation& op)
{
    const Block& block = blocks_[op.target.block];
    const bool isMark = block.factoryBad && op.target.page == 0;
    op.blank = store_.looksBlank(op.target) && !block.ruined && !isMark;
    op.torn = store_.isTorn(op.target);
    op.bitErrors = isMark ? 0 : readErrors(op); // the mark stands in the spare bytes, whose record has no errors
    registerOf(op.target) = {PageRegister::State::Loaded, op.target};
    ++counters_.reads;
}

// Program and copy-back. A block that is worn out programs something, but nothing that can be relied on.
void Die::program(Operation& op)
{
    Block& block = blocks_[op.target.block];
    block.nextPage = op.target.page + 1;
    block.metadata = op.purpose == Purpose::Metadata;
    registerOf(op.target).state = PageRegister::State::Free;
    lastFailed_ = groupOpen_ && lastFailed_;
    suspends_ = 0;
    if (!overwrites_.empty()) {
        store_.undoProgram(op.target);
        ++overwrites_[std::uint64_t{op.target.block} * part_.geometry.pagesPerBlock + op.target.page];
    }
    if (block.wornOut) {
        store_.ruin(op.target);
        fail(op, Status::ProgramFailed);
    } else if (op.opcode == Opcode::CopyBack) {
        store_.copy(op.source, op.target);
        store_.replace(op.target, op.replaced, op.data);
        if (op.replacesSpare)
            store_.setSpare(op.target, op.spare);
    } else {
        store_.program(op.target, op.firstSector, op.sectors, op.data, op.spare);
    }
}

void Die::erase(Operation& op)
{
    Block& block = blocks_[op.target.block];
    ++block.erases;
    block.metadata = op.purpose == Purpose::Metadata;
    ++counters_.erases;
    registerOf(op.target).state = PageRegister::State::Free;
    lastFailed_ = groupOpen_ && lastFailed_;
    suspends_ = 0;
    if (block.wornOut) {
        ruinBlock(op.target.block);
        fail(op, Status::EraseFailed);
        return;
    }
    erasing_.push_back({op.target.block, store_.setAside(op.target.block), block.nextPage, block.ruined});
    block.nextPage = 0;
    block.ruined = false;
}

void Die::endErases()
{
    if (suspended_) // only reads meanwhile
        return;
    for (const Erasing& erasing : erasing_)
        store_.drop(erasing.contents);
    erasing_.clear();
}

void Die::fail(Operation& op, Status status)
{
    op.status = status;
    lastFailed_ = true;
    blocks_[op.target.block].failed = true;
    ++counters_.failed;
}

void Die::ruinBlock(std::uint32_t number)
{
    store_.erase(number);
    blocks_[number].nextPage = part_.geometry.pagesPerBlock;
    blocks_[number].ruined = true;
}

// Returns how long the reset takes: that depends on what it interrupts.
Time Die::reset(Time now)
{
    const ArrayTimes& times = part_.times;
    const auto timeAfter = [&](Opcode opcode) {
        return opcode == Opcode::Read ? times.tRstRead : opcode == Opcode::Erase ? times.tRstErase : times.tRstProgram;
    };
    ++counters_.resets;
    lastFailed_ = false;
    Time busy = times.tRstIdle;
    if (now < arrayFree_ || groupOpen_) {
        const bool again = running_.opcode == Opcode::Reset; // does not start again
        busy = again ? running_.ready - now : timeAfter(running_.opcode);
        abort(now);
    } else {
        for (PageRegister& r : registers_)
            r.state = PageRegister::State::Free;
    }
    if (suspended_) {
        busy = timeAfter(suspendedOp_.opcode);
        dropSuspended();
    }
    return busy;
}

// The array stops in the middle of running_: what it was writing is neither the old nor the new state.
void Die::abort(Time now)
{
    // Counted in advance at issue; after resetCounters() only a part of it may be in there.
    counters_.arrayBusy -= std::min(std::max(arrayFree_ - now, Time{}), counters_.arrayBusy);
    arrayFree_ = now;
    groupOpen_ = false;
    if (aging_)
        aging_->groupDrawn = {};
    before_.opcode = Opcode::Reset;
    if (running_.opcode == Opcode::Reset || running_.opcode == Opcode::ReadStatus) // a reset, or time to suspend
        return;
    ++counters_.aborted;
    others_.push_back(running_.target);
    if (running_.opcode == Opcode::Read) {
        for (PageAddress page : others_)
            registerOf(page) = {PageRegister::State::Aborted, page};
    } else {
        ruinTargets(running_.opcode, others_);
    }
    others_.clear();
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
    const auto holds = [&op](const PageRegister& r) {
        return r.state != PageRegister::State::Free && r.page == op.target;
    };
    const PageRegister& own = registers_[part_.geometry.planeOf(op.target.block)];
    const PageRegister& from = holds(own) ? own : cacheRegister_;
    check(op.opcode == Opcode::Read && holds(from), "the page register no longer holds the page of this read");
    if (from.state == PageRegister::State::Aborted) {
        PageStore::readBlank(op.sectors, op.data, op.spare);
        return;
    }
    store_.read(op.target, op.firstSector, op.sectors, op.data, op.spare);
    if (blocks_[op.target.block].factoryBad && op.target.page == 0)
        op.spare[0] = badBlockMark;
}

Spare Die::spareOf(PageAddress address) const
{
    Spare spare = blankSpare;
    store_.read(address, 0, 0, {}, spare);
    return spare;
}

void Die::wearOut(std::uint32_t block)
{
    check(block < blocks_.size(), "no such block on this die");
    blocks_[block].wornOut = true;
}

std::uint8_t Die::statusByte(Time now) const
{
    if (!isReady(now))
        return statusNotProtected;
    const std::uint8_t failed = (lastFailed_ ? statusFail : 0) | (failedBefore_ ? statusFailBefore : 0);
    return static_cast<std::uint8_t>(statusNotProtected | statusReady | (now < arrayFree_ ? 0 : statusArrayReady) |
                                     failed);
}

} // namespace strobe::nand
