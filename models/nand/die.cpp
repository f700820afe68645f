// SPDX-License-Identifier: Apache-2.0
#include "models/nand/die.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::nand {

namespace {

constexpr std::uint32_t bit(Opcode opcode)
{
    return 1U << static_cast<unsigned>(opcode);
}
template <class... Opcodes>
constexpr std::uint32_t on(Opcodes... opcodes)
{
    return (bit(opcodes) | ...);
}

// A row of the legality table: the command is refused with `reason` if `broken` holds.
template <class Subject>
struct Rule {
    std::uint32_t opcodes;
    IllegalReason reason;
    bool (*broken)(const Subject& die, const Operation& op);
};

constexpr bool isOutside(const DieGeometry& geometry, PageAddress address)
{
    return address.block >= geometry.blocks() || address.page >= geometry.pagesPerBlock;
}

} // namespace

double arrayJoule(const DieEnergy& energy, const DieCounters& counters)
{
    const auto reads = static_cast<double>(counters.reads + counters.copyBacks);
    const auto programs = static_cast<double>(counters.programs + counters.copyBacks);
    return reads * energy.readJoule + programs * energy.programJoule +
           static_cast<double>(counters.erases) * energy.eraseJoule;
}

Die::Die(DieId id, const Part& part, std::uint32_t badBlocks, Rng rng)
    : id_(id), part_(part), store_(part.geometry), blocks_(part.geometry.blocks())
{
    check(badBlocks < part.geometry.blocks(), "block 0 of a die is always good");
    for (std::uint32_t placed = 0; placed < badBlocks;) {
        Block& block = blocks_[1 + rng.below(blocks_.size() - 1)];
        placed += block.factoryBad ? 0 : 1;
        block.factoryBad = true;
    }
}

// The first row that holds decides. The address rows come first: the rows below them look at the block.
IllegalReason Die::whyIllegal(const Operation& operation) const
{
    constexpr std::uint32_t pageCommands = on(Opcode::Read, Opcode::Program, Opcode::CopyBack);
    constexpr std::uint32_t writes = on(Opcode::Program, Opcode::CopyBack);
    static constexpr Rule<Die> rules[] = {
        {pageCommands, IllegalReason::AddressOutOfRange,
         [](const Die& die, const Operation& op) { return isOutside(die.part_.geometry, op.target); }},
        {on(Opcode::Erase), IllegalReason::AddressOutOfRange,
         [](const Die& die, const Operation& op) { return op.target.block >= die.blocks_.size(); }},
        {on(Opcode::CopyBack), IllegalReason::AddressOutOfRange,
         [](const Die& die, const Operation& op) { return isOutside(die.part_.geometry, op.source); }},
        {on(Opcode::Read, Opcode::Program), IllegalReason::ColumnOutOfRange,
         [](const Die& die, const Operation& op) {
             return std::uint64_t{op.firstSector} + op.sectors > die.part_.geometry.sectorsPerPage();
         }},
        {on(Opcode::Program, Opcode::CopyBack, Opcode::Erase), IllegalReason::BadBlock,
         [](const Die& die, const Operation& op) { return die.blocks_[op.target.block].factoryBad; }},
        {on(Opcode::CopyBack), IllegalReason::PlaneMismatch,
         [](const Die& die, const Operation& op) {
             const DieGeometry& geometry = die.part_.geometry;
             return geometry.planeOf(op.source.block) != geometry.planeOf(op.target.block);
         }},
        {writes, IllegalReason::PageNotErased,
         [](const Die& die, const Operation& op) { return !die.isClean(op.target); }},
        {writes, IllegalReason::PageOutOfOrder,
         [](const Die& die, const Operation& op) { return op.target.page < die.blocks_[op.target.block].nextPage; }},
    };
    for (const Rule<Die>& rule : rules) {
        if ((rule.opcodes & bit(operation.opcode)) != 0 && rule.broken(*this, operation))
            return rule.reason;
    }
    return IllegalReason::None;
}

Verdict Die::probe(const Operation& op, Time now) const
{
    if (const IllegalReason reason = whyIllegal(op); reason != IllegalReason::None)
        return {false, reason, now};
    constexpr std::uint32_t acceptedWhileBusy = on(Opcode::ReadStatus, Opcode::Reset);
    if (!isReady(now) && (bit(op.opcode) & acceptedWhileBusy) == 0)
        return {false, IllegalReason::DieBusy, readyAt()};
    return {true, IllegalReason::None, now};
}

Time Die::issue(Operation& op, Time now)
{
    const Verdict verdict = probe(op, now);
    op.reason = verdict.reason;
    if (!verdict.legal) {
        op.status = Status::Illegal;
        op.statusByte = statusByte(now);
        op.ready = now;
        ++counters_.illegal;
        return now;
    }
    op.status = Status::Ok;
    Time busy{};
    switch (op.opcode) {
    case Opcode::Read:
        loadPageRegister(op);
        busy = part_.times.tR;
        break;
    case Opcode::Program:
        ++counters_.programs;
        program(op);
        busy = part_.times.tPROG;
        break;
    case Opcode::CopyBack:
        ++counters_.copyBacks;
        program(op);
        busy = part_.times.tR + part_.times.tPROG;
        break;
    case Opcode::Erase:
        erase(op);
        busy = part_.times.tBERS;
        break;
    case Opcode::Reset: busy = reset(now); break;
    case Opcode::ReadStatus:
    case Opcode::ReadId: // neither touches the array
        op.statusByte = statusByte(now);
        op.ready = now;
        return now;
    }
    running_ = {op.opcode, op.target, now + busy};
    counters_.arrayBusy += busy;
    op.ready = running_.ready;
    op.statusByte = statusByte(op.ready);
    return op.ready;
}

void Die::loadPageRegister(Operation& op)
{
    const Block& block = blocks_[op.target.block];
    const bool isMark = block.factoryBad && op.target.page == 0;
    op.blank = isClean(op.target) && !isMark;
    registerPage_ = op.target;
    pageRegister_ = PageRegister::Loaded;
    ++counters_.reads;
}

// Program and copy-back. A block that is worn out programs something, but nothing that can be relied on.
void Die::program(Operation& op)
{
    Block& block = blocks_[op.target.block];
    block.nextPage = op.target.page + 1;
    pageRegister_ = PageRegister::Free;
    lastFailed_ = false;
    if (block.wornOut) {
        store_.ruin(op.target);
        fail(op, Status::ProgramFailed);
    } else if (op.opcode == Opcode::CopyBack) {
        store_.copy(op.source, op.target);
    } else {
        store_.program(op.target, op.firstSector, op.sectors, op.data, op.spare);
    }
}

void Die::erase(Operation& op)
{
    Block& block = blocks_[op.target.block];
    ++block.erases;
    ++counters_.erases;
    pageRegister_ = PageRegister::Free;
    lastFailed_ = false;
    if (block.wornOut) {
        ruinBlock(op.target.block);
        fail(op, Status::EraseFailed);
        return;
    }
    store_.erase(op.target.block);
    block.nextPage = 0;
    block.ruined = false;
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
    const Running* interrupted = running(now);
    ++counters_.resets;
    lastFailed_ = false;
    if (interrupted == nullptr) {
        pageRegister_ = PageRegister::Free;
        return times.tRstIdle;
    }
    const Opcode opcode = interrupted->opcode;
    abort(now);
    switch (opcode) {
    case Opcode::Read: return times.tRstRead;
    case Opcode::Program:
    case Opcode::CopyBack: return times.tRstProgram;
    case Opcode::Erase: return times.tRstErase;
    default: return interrupted->ready - now; // a reset during a reset does not start it again
    }
}

// The array stops in the middle of running_: what it was writing is neither the old nor the new state.
void Die::abort(Time now)
{
    // Counted in advance at issue; after resetCounters() only a part of it may be in there.
    counters_.arrayBusy -= std::min(running_.ready - now, counters_.arrayBusy);
    switch (running_.opcode) {
    case Opcode::Read: pageRegister_ = PageRegister::Aborted; break;
    case Opcode::Program:
    case Opcode::CopyBack: store_.ruin(running_.target); break;
    case Opcode::Erase: ruinBlock(running_.target.block); break;
    default: return;
    }
    ++counters_.aborted;
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
    check(op.opcode == Opcode::Read && pageRegister_ != PageRegister::Free && registerPage_ == op.target,
          "the page register no longer holds the page of this read");
    if (pageRegister_ == PageRegister::Aborted) {
        PageStore::readBlank(op.sectors, op.data, op.spare);
        return;
    }
    store_.read(op.target, op.firstSector, op.sectors, op.data, op.spare);
    if (blocks_[op.target.block].factoryBad && op.target.page == 0)
        op.spare[0] = badBlockMark;
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
    return static_cast<std::uint8_t>(statusNotProtected | statusReady | statusArrayReady |
                                     (lastFailed_ ? statusFail : 0));
}

} // namespace strobe::nand
