#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Cycles per class of instruction, for firmware time that is nearer to a certain core than one cycle per instruction.
// The defaults add nothing to one cycle each. Not modelled: dependencies between instructions, caches.

#include <array>
#include <cstddef>
#include <cstdint>

namespace strobe::rv32 {

enum class InstructionClass : std::uint8_t { Simple, Multiply, Divide, Load, Store, Branch, Jump, Atomic, System };
inline constexpr std::size_t instructionClasses = 9;

struct CycleTable {
    std::array<std::uint8_t, instructionClasses> cycles{1, 1, 1, 1, 1, 1, 1, 1, 1}; // each at least 1
    std::uint8_t branchTaken = 0;                                                   // more, for a branch that is taken
    std::uint8_t trap = 0; // more, for the way into a trap or an interrupt

    std::uint8_t of(InstructionClass c) const { return cycles[static_cast<std::size_t>(c)]; }
};

} // namespace strobe::rv32
