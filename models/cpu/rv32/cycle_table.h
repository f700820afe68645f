#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Cycles per class of instruction, for firmware time closer to that of a specific core than one cycle per instruction.
// The defaults are one cycle each. Not modelled: dependencies between instructions, caches.

#include <array>
#include <cstddef>
#include <cstdint>

namespace strobe::rv32 {

enum class InstructionClass : std::uint8_t { Simple, Multiply, Divide, Load, Store, Branch, Jump, Atomic, System };
inline constexpr std::size_t instructionClasses = 9;

struct CycleTable {
    std::array<std::uint8_t, instructionClasses> cycles{1, 1, 1, 1, 1, 1, 1, 1, 1}; // each at least 1
    std::uint8_t branchTaken = 0; // additional cycles of a taken branch
    std::uint8_t trap = 0;        // additional cycles of entering a trap or an interrupt

    std::uint8_t of(InstructionClass c) const { return cycles[static_cast<std::size_t>(c)]; }
};

} // namespace strobe::rv32
