#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Snap reads: a part may sense an aligned section of a page faster than the whole page. Pure.
// Source of the order of magnitude: data sheet of Frontgrade's UT81NDQ512G8T [secondary]: 51 us instead of 73 us.
// Assumption: page types differ in the same ratio. Not in pSLC mode, of several planes in one command, from the cache
// register, or soft. With whole clocks (channel/clocked_times.h) those of page types are in proportion, not rounded.

#include "models/nand/operation.h"
#include "models/nand/part.h"

#include <cmath>

namespace strobe::nand {

// The sectors of a read lie in one section, and its form allows it.
inline bool isSnapRead(const Part& part, const Operation& op)
{
    const std::uint32_t section = part.snapRead.bytes / static_cast<std::uint32_t>(sectorBytes);
    const bool hasForm = op.form == Form::Alone || op.form == Form::PlaneRead || op.form == Form::References;
    if (section == 0 || part.times.tR == Time{} || op.opcode != Opcode::Read || !hasForm || op.pslc || op.senses != 1 ||
        op.sectors == 0)
        return false;
    return op.firstSector / section == (op.firstSector + op.sectors - 1) / section;
}

// How long the array takes for a read.
inline Time readTime(const Part& part, const Operation& op)
{
    const Time whole = part.tR(op.target.page, op.pslc);
    if (!isSnapRead(part, op))
        return whole;
    return Time{std::llround(static_cast<double>(whole.count()) * static_cast<double>(part.snapRead.tR.count()) /
                             static_cast<double>(part.times.tR.count()))};
}

} // namespace strobe::nand
