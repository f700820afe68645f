// SPDX-License-Identifier: Apache-2.0
//
// What a die accepts.
#include "models/nand/die.h"
#include "models/nand/multi_plane.h"

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
        {on(Opcode::Erase, Opcode::CopyBack), IllegalReason::NoErase,
         [](const Die& die, const Operation&) { return die.part_.isOverwritable(); }},
        {writes, IllegalReason::PageNotErased,
         [](const Die& die, const Operation& op) { return !die.part_.isOverwritable() && !die.isClean(op.target); }},
        {writes, IllegalReason::PageOutOfOrder,
         [](const Die& die, const Operation& op) {
             return !die.part_.isOverwritable() && op.target.page < die.blocks_[op.target.block].nextPage;
         }},
    };
    for (const Rule<Die>& rule : rules) {
        if ((rule.opcodes & bit(operation.opcode)) != 0 && rule.broken(*this, operation))
            return rule.reason;
    }
    return IllegalReason::None;
}

// What the form of a command, planes that are latched and a suspended operation add to that.
IllegalReason Die::whyFormIllegal(const Operation& op) const
{
    constexpr std::uint32_t always = on(Opcode::ReadStatus, Opcode::Reset);
    if (op.form == Form::Alone && (bit(op.opcode) & always) != 0)
        return IllegalReason::None;
    const bool isPlane = op.form == Form::Plane || op.form == Form::LastPlane;
    if (groupOpen_) {
        const auto fits = [&](PageAddress other) { return areMultiPlane(part_, op.opcode, op.target, other); };
        const bool continues = isPlane && op.opcode == running_.opcode;
        return continues && std::all_of(others_.begin(), others_.end(), fits) ? IllegalReason::None
                                                                              : IllegalReason::MultiPlane;
    }
    if (isPlane && (part_.multiPlane == MultiPlaneRule::None || part_.geometry.planes == 1))
        return IllegalReason::MultiPlane;
    if (op.form == Form::Cache && op.opcode != Opcode::Program) {
        const PageRegister& before = registers_[part_.geometry.planeOf(running_.target.block)];
        const bool follows = op.opcode == Opcode::Read && running_.opcode == Opcode::Read &&
                             before.state == PageRegister::State::Loaded && before.page == running_.target;
        if (!follows)
            return IllegalReason::CacheSequence;
    }
    if (op.form == Form::CopyIn) {
        const PageRegister& source = registers_[part_.geometry.planeOf(op.source.block)];
        if (source.state != PageRegister::State::Loaded || !(source.page == op.source))
            return IllegalReason::CacheSequence;
    }
    if (op.form == Form::Access) {
        const bool follows = part_.accessBytes != 0 && op.opcode == running_.opcode && op.target == running_.target;
        return follows ? IllegalReason::None : IllegalReason::CacheSequence;
    }
    if (suspended_ && op.opcode != Opcode::ReadId && (op.opcode != Opcode::Read || touchesSuspended(op)))
        return IllegalReason::Suspended;
    return IllegalReason::None;
}

bool Die::touchesSuspended(const Operation& op) const
{
    const auto isIn = [&op](PageAddress page) { return page.block == op.target.block; };
    return isIn(suspendedOp_.target) || std::any_of(suspendedOthers_.begin(), suspendedOthers_.end(), isIn);
}

// Suspend and resume: of what is in the array, or was.
bool Die::mayCut(const Operation& op, Time now) const
{
    if (op.form == Form::Resume)
        return suspended_ && op.opcode == suspendedOp_.opcode && now >= arrayFree_ && !groupOpen_;
    return !suspended_ && op.opcode == running_.opcode && (bit(op.opcode) & on(Opcode::Program, Opcode::Erase)) != 0 &&
           !isReady(now) && !groupOpen_ && suspends_ < part_.maxSuspends;
}

Verdict Die::probe(const Operation& op, Time now) const
{
    if (op.form == Form::Suspend || op.form == Form::Resume)
        return {mayCut(op, now), mayCut(op, now) ? IllegalReason::None : IllegalReason::Suspended, now};
    if (const IllegalReason reason = whyIllegal(op); reason != IllegalReason::None)
        return {false, reason, now};
    if (op.form != Form::Alone || groupOpen_ || suspended_) {
        if (const IllegalReason reason = whyFormIllegal(op); reason != IllegalReason::None)
            return {false, reason, now};
    }
    constexpr std::uint32_t acceptedWhileBusy = on(Opcode::ReadStatus, Opcode::Reset);
    if (now < arrayFree_ && (bit(op.opcode) & acceptedWhileBusy) == 0) {
        const bool mayFollow = op.opcode == running_.opcode &&
                               (op.form == Form::Cache || (op.form == Form::Alone && op.opcode == Opcode::Program));
        if (!isReady(now) || !mayFollow)
            return {false, IllegalReason::DieBusy, mayFollow ? readyAt() : arrayFree_};
    }
    return {true, IllegalReason::None, now};
}

} // namespace strobe::nand
