#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Which operations of a die may be planes of one command (ONFI's multi-plane, Samsung's two-plane commands). Pure.

#include "models/nand/operation.h"
#include "models/nand/part.h"

namespace strobe::nand {

// Two reads, programs or erases of different planes, in the same mode, at addresses that the part allows together.
// REQUIRES: both blocks lie in the die.
inline bool areMultiPlane(const Part& part, Opcode opcode, bool isPslc, PageAddress a, PageAddress b)
{
    if (part.multiPlane == MultiPlaneRule::None)
        return false;
    if (opcode != Opcode::Read && opcode != Opcode::Program && opcode != Opcode::Erase)
        return false;
    const std::uint32_t planes = part.geometry.planes;
    const bool blocksFit = part.multiPlane != MultiPlaneRule::SameBlockAndPage || a.block / planes == b.block / planes;
    const bool areOfWordLines =
        opcode == Opcode::Program && !isPslc; // which are a page each, unless a program writes several
    const bool pagesFit = opcode == Opcode::Erase || a.page == b.page ||
                          (areOfWordLines && part.geometry.wordLineOf(a.page) == part.geometry.wordLineOf(b.page));
    return blocksFit && pagesFit && a.block % planes != b.block % planes;
}

} // namespace strobe::nand
