#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Translates instructions to steps of threaded code, one when it is first reached, joins pairs, and places the
// debugger's breakpoints.

#include "models/cpu/rv32/cycle_table.h"
#include "models/cpu/rv32/hart_memory.h"
#include "models/cpu/rv32/step_kinds.h"

#include <cstdint>
#include <set>

namespace strobe::rv32 {

class Translator {
public:
    Translator(HartMemory& memory, const CycleTable& cycles) : memory_(memory), cycles_(cycles) {}

    // The threaded code that executes from now on; everything is translated anew. `joinsPairs`: its instructions
    // take one cycle each, without an observer.
    void setHandlers(const Handlers& handlers, bool joinsPairs);

    bool translate(std::uint32_t pc, Step& step); // false: the trap is raised
    const void* handlerAt(std::uint32_t pc);      // of the instruction under a breakpoint

    void addBreakpoint(std::uint32_t address);
    void removeBreakpoint(std::uint32_t address);

private:
    void takeOperands(std::uint32_t pc, Step& step, const Step& fresh);
    const void* handlerOf(StepKind kind, unsigned bytes, std::uint32_t pc, Step& step);

    HartMemory& memory_;
    const CycleTable& cycles_;
    Handlers handlers_{};
    bool joinsPairs_ = false;
    std::set<std::uint32_t> breakpoints_;
};

} // namespace strobe::rv32
