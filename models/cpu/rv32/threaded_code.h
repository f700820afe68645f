#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Executes the steps of translated instructions as threaded code. Six instances: plain or with a cycle table, each with
// or without an observer of jumps; plain with an observer of calls; and one with an observer of instructions. The plain
// ones, except that with an observer of jumps, continue with compiled blocks (block_compiler.h) where there are any. It
// owns only what the debugger needs between two runs; the state of the hart is the caller's.

#include "models/cpu/rv32/atomic_unit.h"
#include "models/cpu/rv32/block_compiler.h"
#include "models/cpu/rv32/cycle_table.h"
#include "models/cpu/rv32/hart.h"
#include "models/cpu/rv32/hart_memory.h"
#include "models/cpu/rv32/system_unit.h"
#include "models/cpu/rv32/translator.h"

#include <cstdint>
#include <optional>

namespace strobe::rv32 {

enum class Stop : std::uint8_t {
    Budget,     // used up
    Waiting,    // in WFI with no interrupt pending and enabled in mie; no cycles pass until there is one
    Later,      // requested by Environment; the instruction has not been executed
    Requested,  // stop() was called; stops after the instruction in progress
    Breakpoint, // before the instruction at pc(); the next run() executes it
    Watchpoint, // after the instruction that touched watchHit()
    Trap,       // before the trap that the instruction at pc() has raised (holdTraps); the next run() enters it
};

class ThreadedCode {
public:
    ThreadedCode(Hart& hart, HartMemory& memory, Translator& translator, SystemUnit& system, AtomicUnit& atomics,
                 const CycleTable& cycles, BlockCompiler& blocks)
        : hart_(hart), memory_(memory), translator_(translator), system_(system), atomics_(atomics), cycles_(cycles),
          blocks_(blocks)
    {
    }

    // Chooses the instance. The handlers of one are addresses in its own code, so all steps are translated anew.
    void choose(bool isTimed, std::optional<Detail> observed);
    // From Hart::pc, until the budget is used up or something else stops the hart.
    Stop run();
    void requestStop() // after the present instruction
    {
        stopRequested_ = true;
        hart_.attention = true;
    }
    void forgetStop() { stopRequested_ = false; }
    void enterHeldTrap(); // REQUIRES: Hart::isTrapHeld

private:
    // With `handlers`: only returns their addresses.
    enum class Watch : std::uint8_t { Nothing, Calls, Jumps, Instructions };
    template <bool Timed, Watch Watched>
    Stop execute(Handlers* handlers);
    bool serveAttention(Stop& why);
    Stop holdTrap(unsigned cycles);

    Hart& hart_;
    HartMemory& memory_;
    Translator& translator_;
    SystemUnit& system_;
    AtomicUnit& atomics_;
    const CycleTable& cycles_;
    BlockCompiler& blocks_;
    Stop (ThreadedCode::*instance_)(Handlers*) = nullptr;
    bool stopRequested_ = false;
    std::optional<std::uint32_t> passBreakpoint_; // where the last run stopped
};

} // namespace strobe::rv32
