#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Translates instructions to steps of threaded code, one when it is first reached, and places the debugger's
// breakpoints.

#include "models/cpu/rv32/cycle_table.h"
#include "models/cpu/rv32/hart_memory.h"
#include "models/cpu/rv32/step_kinds.h"

#include <cstdint>
#include <set>

namespace strobe::rv32 {

class Translator {
public:
    Translator(HartMemory& memory, const CycleTable& cycles) : memory_(memory), cycles_(cycles) {}

    // The threaded code that executes from now on; everything is translated anew.
    void setHandlers(const Handlers& handlers);

    bool translate(std::uint32_t pc, Step& step); // false: the trap is raised
    const void* handlerAt(std::uint32_t pc);      // of the instruction under a breakpoint
    bool isTranslated(const Step& step) const     // and no breakpoint
    {
        return step.handler != handlers_.decode() && step.handler != handlers_.breakpoint() &&
               step.handler != handlers_.nextPage();
    }
    // That step executes this instruction. False: the bits in memory have changed since without notice.
    bool isTranslationOf(const Step& step, std::uint32_t pc, std::uint32_t bits) const;

    void addBreakpoint(std::uint32_t address);
    void removeBreakpoint(std::uint32_t address);

private:
    HartMemory& memory_;
    const CycleTable& cycles_;
    Handlers handlers_{};
    std::set<std::uint32_t> breakpoints_;
};

} // namespace strobe::rv32
