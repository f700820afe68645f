// SPDX-License-Identifier: Apache-2.0
#include "models/nand/latched_pages.h"

#include "models/nand/array_operations.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace strobe::nand {

namespace {

// Word lines of which a page was refused are not programmed. `last`: the block whose last page is not latched, but on
// its way to the array.
void dropPartsOfWordLines(DieState& die, std::uint32_t last)
{
    const DieGeometry& geometry = die.part.geometry;
    ArrayState& array = die.array;
    if (!geometry.hasWordLines() || array.running().opcode != Opcode::Program || array.running().pslc)
        return;
    const auto isPart = [&](PageAddress page) {
        const std::uint32_t end = (geometry.wordLineOf(page.page) + 1) * geometry.pagesPerProgram - 1;
        return page.block != last && !array.isLatched({page.block, end});
    };
    std::vector<PageAddress> parts;
    std::copy_if(array.latched().begin(), array.latched().end(), std::back_inserter(parts), isPart);
    for (const PageAddress page : parts) {
        die.cells.undo(Opcode::Program, page);
        array.unlatch(page);
    }
}

} // namespace

Time latchPage(DieState& die, Operation& op, Time now)
{
    const DieGeometry& geometry = die.part.geometry;
    if (!die.array.isGroupOpen())
        beginCommand(die, now);
    else if (geometry.planeOf(op.target.block) != geometry.planeOf(die.array.latched().front().block))
        ++die.counters.array.joined;
    applyToCells(die, op, now);
    const bool isLast = op.form == Form::LastPlane || op.form == Form::LastPlaneCache || op.form == Form::WordLineEnd;
    die.array.setGroupOpen(!isLast);
    if (op.form == Form::LastPlaneCache) {
        die.counters.array.cached += die.array.latched().size() + 1;
        return enterArray(die, op, now, die.part.times.tCBSY, programTime(die, op));
    }
    if (isLast) {
        dropPartsOfWordLines(die, op.target.block);
        return enterArray(die, op, now, arrayTime(die, op));
    }
    if (die.condition.drawsProgramTimes() && op.opcode == Opcode::Program &&
        (op.pslc || geometry.isLastOfWordLine(op.target.page))) // drawn once per word line
        programTime(die, op);
    die.array.latch(op.target);
    return enterLatch(die, op, now, op.form == Form::WordLinePage ? die.part.times.tPBSY : die.part.times.tDBSY);
}

Time startLatched(DieState& die, Operation& op, Time now)
{
    constexpr std::uint32_t none = UINT32_MAX;
    dropPartsOfWordLines(die, none);
    if (die.array.latched().empty()) {
        die.array.setGroupOpen(false);
        die.condition.dropGroup();
        op.statusByte = die.array.statusByte(now);
        op.ready = op.arrayEnd = now;
        return now;
    }
    Operation latched;
    latched.opcode = die.array.running().opcode;
    latched.pslc = die.array.running().pslc;
    latched.target = latched.source = die.array.latched().back();
    die.array.setGroupOpen(false);
    const bool isDrawn = die.condition.drawsProgramTimes() && latched.opcode == Opcode::Program; // when it was latched
    const Time busy = isDrawn ? die.condition.takeGroup() : arrayTime(die, latched);
    op.ready = enterArray(die, latched, now, busy);
    op.arrayEnd = latched.arrayEnd;
    op.statusByte = latched.statusByte;
    return op.ready;
}

} // namespace strobe::nand
