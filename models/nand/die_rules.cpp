// SPDX-License-Identifier: Apache-2.0
//
#include "models/nand/die_rules.h"

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

// A row of the legality table: the command is refused with `reason` if `broken` holds. Each row has a type of its own,
// so that the rows become one function without calls.
template <class Broken> // bool(const DieState&, const Operation&)
struct Rule {
    std::uint32_t opcodes;
    IllegalReason reason;
    Broken broken;
};
template <class Broken>
Rule(std::uint32_t, IllegalReason, Broken) -> Rule<Broken>;

template <class... Broken>
IllegalReason firstBroken(const DieState& die, const Operation& op, const Rule<Broken>&... rules)
{
    IllegalReason reason = IllegalReason::None;
    const auto refuses = [&](const auto& rule) {
        const bool isBroken = (rule.opcodes & bit(op.opcode)) != 0 && rule.broken(die, op);
        if (isBroken)
            reason = rule.reason;
        return isBroken;
    };
    static_cast<void>((refuses(rules) || ...));
    return reason;
}

constexpr bool isOutside(const DieGeometry& geometry, PageAddress address, bool isPslc)
{
    return address.block >= geometry.blocks() || address.page >= geometry.pagesOfBlock(isPslc);
}

// The operation is a program of a page of a word line.
bool isOfWordLine(const Operation& op, const DieState& die)
{
    return die.part.geometry.hasWordLines() && op.opcode == Opcode::Program && !op.pslc;
}

// A page, or the word line that begins with it, is erased.
bool isErased(const DieState& die, const Operation& op)
{
    const PageAddress target = op.target;
    const std::uint32_t pages = die.part.geometry.pagesPerProgram;
    bool isClean = die.cells.isClean(target);
    for (std::uint32_t i = 1; isOfWordLine(op, die) && target.page % pages == 0 && i < pages && isClean; ++i)
        isClean = die.cells.isClean({target.block, target.page + i});
    return isClean;
}

// Whether a program of a page of a word line has the form that it needs, and follows the page before it.
bool continuesWordLine(const Operation& op, const DieState& die)
{
    const DieGeometry& geometry = die.part.geometry;
    const bool isEnd = op.form == Form::Plane || op.form == Form::LastPlane || op.form == Form::WordLineEnd;
    const bool isBegin = op.form == Form::WordLinePlane || op.form == Form::WordLinePage;
    const bool hasForm = geometry.isLastOfWordLine(op.target.page) ? isEnd : isBegin;
    const bool isFirst = op.target.page % geometry.pagesPerProgram == 0;
    return hasForm &&
           (isFirst || (die.array.isGroupOpen() && die.array.isLatched({op.target.block, op.target.page - 1})));
}

bool isOfSeveral(const Operation& op) // one of the planes of a command
{
    return op.form == Form::Plane || op.form == Form::LastPlane || op.form == Form::LastPlaneCache;
}

// Whether a program may be accepted while the array executes `before`, the pages of one program. A cache sequence of
// several planes is of the same planes each time; their number is not checked: a plane that was refused is missing.
bool isInSequence(const Operation& op, const DieState& die, const std::vector<PageAddress>& before)
{
    if (!isOfSeveral(op) && before.size() == 1)
        return true;
    const DieGeometry& geometry = die.part.geometry;
    return die.part.hasPlaneCache() && std::any_of(before.begin(), before.end(), [&](PageAddress page) {
               return geometry.planeOf(page.block) == geometry.planeOf(op.target.block);
           });
}

// A program, after a program that may still be in the array.
bool followsProgram(const Operation& op, const DieState& die)
{
    const bool isPage = op.form == Form::Cache || op.form == Form::Alone;
    return die.array.isGroupOpen() || ((isPage || isOfSeveral(op)) && isInSequence(op, die, die.array.pagesRunning()));
}

// Further rules for the form of a command, latched planes and a suspended operation.
IllegalReason whyFormIllegal(const Operation& op, const DieState& die)
{
    const Part& part = die.part;
    const ArrayState::Running& running = die.array.running();
    constexpr std::uint32_t always = on(Opcode::ReadStatus, Opcode::Reset);
    if (op.form == Form::Alone && (bit(op.opcode) & always) != 0)
        return IllegalReason::None;
    if (op.form == Form::PlaneRead) {
        if (!part.hasPlaneReads() || (op.opcode != Opcode::Read && op.opcode != Opcode::ReadStatus) || op.senses != 1)
            return IllegalReason::PlaneRead;
        if (op.opcode == Opcode::ReadStatus)
            return IllegalReason::None;
    }
    const bool isWordLine =
        op.form == Form::WordLinePlane || op.form == Form::WordLinePage || op.form == Form::WordLineEnd;
    const bool isPlane = isOfSeveral(op);
    if (op.form == Form::LastPlaneCache && (op.opcode != Opcode::Program || !part.hasPlaneCache()))
        return IllegalReason::MultiPlane;
    const bool ofWordLine = isOfWordLine(op, die);
    if (ofWordLine ? !continuesWordLine(op, die) : isWordLine)
        return IllegalReason::WordLine;
    if (die.array.isGroupOpen()) {
        const std::vector<PageAddress>& latched = die.array.latched();
        const auto fits = [&](PageAddress other) {
            const bool isSame = ofWordLine && other.block == op.target.block &&
                                part.geometry.wordLineOf(other.page) == part.geometry.wordLineOf(op.target.page);
            return isSame || areMultiPlane(part, op.opcode, op.pslc, op.target, other);
        };
        const bool continues = (isPlane || isWordLine) && op.opcode == running.opcode && op.pslc == running.pslc &&
                               (!die.array.follows() || isInSequence(op, die, die.array.pagesBefore()));
        return continues && std::all_of(latched.begin(), latched.end(), fits) ? IllegalReason::None
                                                                              : IllegalReason::MultiPlane;
    }
    if ((isPlane || op.form == Form::WordLinePlane) &&
        (part.multiPlane == MultiPlaneRule::None || part.geometry.planes == 1))
        return IllegalReason::MultiPlane;
    if (op.form == Form::Cache && op.opcode != Opcode::Program) {
        const bool follows = op.opcode == Opcode::Read && running.opcode == Opcode::Read && op.pslc == running.pslc &&
                             die.registers.isLoaded(running.target);
        if (!follows)
            return IllegalReason::CacheSequence;
    }
    if (op.form == Form::References || op.form == Form::Sense) {
        if (op.opcode != Opcode::Read || !part.errors.isOn())
            return IllegalReason::NoOption;
        const bool follows = op.form == Form::References || (op.target == running.target && op.pslc == running.pslc);
        if (!follows)
            return IllegalReason::CacheSequence;
    }
    if (op.form == Form::CopyIn && !die.registers.isLoaded(op.source))
        return IllegalReason::CacheSequence;
    if (op.form == Form::Access) {
        const bool follows = part.accessBytes != 0 && op.opcode == running.opcode && op.target == running.target;
        return follows ? IllegalReason::None : IllegalReason::CacheSequence;
    }
    if (die.array.isSuspended() && op.opcode != Opcode::ReadId &&
        (op.opcode != Opcode::Read || die.array.touchesSuspended(op.target.block)))
        return IllegalReason::Suspended;
    return IllegalReason::None;
}

} // namespace

// The first row that holds decides. The address rows come first: the rows below them read the state of the block.
IllegalReason whyCellsRefuse(const Operation& operation, const DieState& view)
{
    constexpr std::uint32_t pageCommands = on(Opcode::Read, Opcode::Program, Opcode::CopyBack);
    constexpr std::uint32_t writes = on(Opcode::Program, Opcode::CopyBack);
    return firstBroken(
        view, operation,
        Rule{pageCommands | on(Opcode::Erase), IllegalReason::Mode,
             [](const DieState& die, const Operation& op) { return op.pslc && !die.part.geometry.hasPslc(); }},
        Rule{pageCommands, IllegalReason::AddressOutOfRange,
             [](const DieState& die, const Operation& op) { return isOutside(die.part.geometry, op.target, op.pslc); }},
        Rule{on(Opcode::Erase), IllegalReason::AddressOutOfRange,
             [](const DieState& die, const Operation& op) { return op.target.block >= die.cells.blocks(); }},
        Rule{on(Opcode::CopyBack), IllegalReason::AddressOutOfRange,
             [](const DieState& die, const Operation& op) { return isOutside(die.part.geometry, op.source, op.pslc); }},
        Rule{on(Opcode::Read, Opcode::Program), IllegalReason::ColumnOutOfRange,
             [](const DieState& die, const Operation& op) {
                 return std::uint64_t{op.firstSector} + op.sectors > die.part.geometry.sectorsPerPage();
             }},
        Rule{on(Opcode::Program, Opcode::CopyBack, Opcode::Erase), IllegalReason::BadBlock,
             [](const DieState& die, const Operation& op) { return die.cells.block(op.target.block).factoryBad; }},
        Rule{on(Opcode::CopyBack), IllegalReason::PlaneMismatch,
             [](const DieState& die, const Operation& op) {
                 const DieGeometry& geometry = die.part.geometry;
                 return geometry.planeOf(op.source.block) != geometry.planeOf(op.target.block);
             }},
        Rule{writes, IllegalReason::Mode,
             [](const DieState& die, const Operation& op) {
                 const DieCells::Block& target = die.cells.block(op.target.block);
                 return (target.pslc != op.pslc && target.nextPage != 0) ||
                        (op.opcode == Opcode::CopyBack && die.cells.block(op.source.block).pslc != op.pslc);
             }},
        Rule{on(Opcode::Read), IllegalReason::NoOption,
             [](const DieState& die, const Operation& op) {
                 const ErrorModel& errors = die.part.errors;
                 return (op.readOption != 0 && op.readOption > errors.options.size()) ||
                        (op.senses > 1 && !errors.isOn());
             }},
        Rule{on(Opcode::Erase, Opcode::CopyBack), IllegalReason::NoErase,
             [](const DieState& die, const Operation&) { return die.part.isOverwritable(); }},
        Rule{writes, IllegalReason::PageNotErased,
             [](const DieState& die, const Operation& op) { return !die.part.isOverwritable() && !isErased(die, op); }},
        Rule{writes, IllegalReason::PageOutOfOrder,
             [](const DieState& die, const Operation& op) {
                 return !die.part.isOverwritable() && op.target.page < die.cells.block(op.target.block).nextPage;
             }},
        Rule{writes, IllegalReason::WordLine,
             [](const DieState& die, const Operation& op) { // a later page of a word line follows the one before it
                 const DieGeometry& geometry = die.part.geometry;
                 return geometry.hasWordLines() && !op.pslc &&
                        (op.opcode == Opcode::CopyBack ||
                         (op.target.page % geometry.pagesPerProgram != 0 &&
                          op.target.page != die.cells.block(op.target.block).nextPage));
             }});
}

Legality verdictOn(const Operation& op, const DieState& die, Time now)
{
    if (op.form == Form::Suspend || op.form == Form::Resume) {
        const bool isLegal = op.form == Form::Resume
                                 ? die.array.mayResume(op.opcode, now) && die.planes.areAllReady(now)
                                 : die.array.maySuspend(op.opcode, now, die.part.maxSuspends);
        return {isLegal, isLegal ? IllegalReason::None : IllegalReason::Suspended, now};
    }
    if (const IllegalReason reason = whyCellsRefuse(op, die); reason != IllegalReason::None)
        return {false, reason, now};
    const bool setsReferences = op.form == Form::References || op.form == Form::Sense;
    if (op.opcode == Opcode::Read && op.readOption != die.condition.readOption() && !setsReferences)
        return {false, IllegalReason::NoOption, now};
    if (op.form != Form::Alone || die.array.isGroupOpen() || die.array.isSuspended() || isOfWordLine(op, die)) {
        if (const IllegalReason reason = whyFormIllegal(op, die); reason != IllegalReason::None)
            return {false, reason, now};
    }
    constexpr std::uint32_t acceptedWhileBusy = on(Opcode::ReadStatus, Opcode::Reset);
    if (!die.array.isFree(now) && (bit(op.opcode) & acceptedWhileBusy) == 0) {
        const bool mayFollow = op.opcode == die.array.running().opcode && op.pslc == die.array.running().pslc &&
                               (op.opcode == Opcode::Program ? followsProgram(op, die) : op.form == Form::Cache);
        if (!die.array.isReady(now) || !mayFollow)
            return {false, IllegalReason::DieBusy, mayFollow ? die.array.readyAt() : die.array.freeAt()};
    }
    const Time planesReady = op.form == Form::PlaneRead ? die.planes.readyAt(die.part.geometry.planeOf(op.target.block))
                                                        : die.planes.allReadyAt();
    if (planesReady > now && (bit(op.opcode) & acceptedWhileBusy) == 0)
        return {false, IllegalReason::DieBusy, planesReady};
    return {true, IllegalReason::None, now};
}

} // namespace strobe::nand
