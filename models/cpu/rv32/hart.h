#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The state that the parts of a core share while an instruction executes: registers, budget, counts and the trap that
// the present instruction has raised. Plain data; core.h describes the whole.

#include "models/cpu/rv32/csr_file.h"

#include <array>
#include <cstdint>

namespace strobe::rv32 {

struct Trap {
    Cause cause{};
    std::uint32_t value = 0;
};

// The registers of a hart at an instruction.
struct Registers {
    std::array<std::uint32_t, 32> x{};
    std::uint32_t pc = 0;
};

// An exception, with the registers before its handler has changed any.
struct Exception {
    Trap trap;
    Registers registers;
};

// Of an operation outside threaded code. Trap: Hart::trap holds it. Later: it has not happened; repeat it.
enum class Done : std::uint8_t { Ok, Trap, Later };

struct Hart {
    std::array<std::uint32_t, 33> x{}; // [32] receives writes to x0
    std::uint32_t pc = 0;
    bool attention = false; // something to check after the present instruction
    bool isWaiting = false; // in WFI
    std::int64_t left = 0;  // of the budget of the current run, cycles
    std::int64_t budget = 0;
    std::uint64_t before = 0;      // cycles before the current run
    std::uint64_t trapCycles = 0;  // of all cycles: those of instructions that trapped, and of entering traps
    std::uint64_t extraCycles = 0; // of completed instructions: those beyond one each
    Trap trap;
    bool holdsTraps = false; // for a debugger: execution stops before a trap is entered
    bool isTrapHeld = false; // `trap` is to be entered by the next run
    unsigned heldCost = 0;   // its cycles

    std::uint64_t executed() const { return before + static_cast<std::uint64_t>(budget - left); } // cycles
    std::uint64_t worked() const { return executed() - trapCycles; } // cycles of completed instructions
    std::uint64_t retired() const { return worked() - extraCycles; } // instructions
    // A trap at which the debugger halts first; environment calls do not count.
    bool mustHold() const { return holdsTraps && trap.cause != Cause::EnvironmentCall; }
    Done raise(Cause cause, std::uint32_t value)
    {
        trap = {cause, value};
        return Done::Trap;
    }
};

} // namespace strobe::rv32
