#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A RISC-V hart without a kernel: RV32IMAC, Zicsr, Zifencei, Zicntr, machine mode only (Unprivileged ISA 20191213 with
// Zicntr, Privileged Architecture 1.12). Instructions are decoded once and run as threaded code; instruction count, PC
// and the point of an interrupt are exact.
//
// Memory is direct (map()) or reached through Environment. An instruction takes one cycle, or what a CycleTable gives.
// Misaligned loads, stores and atomics trap; atomics and instruction fetches outside direct memory are access faults.
// Stores of this core take effect on its own instruction stream at once, stores of others at its next fence.i or
// invalidateCode(). Not modelled: user and supervisor mode, physical memory protection, triggers (breakpoints and
// watchpoints below are the debugger's and invisible to firmware), caches and pipeline beyond the table.
//
// This class only connects the parts: memory (hart_memory.h), translation (translator.h), execution (threaded_code.h),
// compiled code (block_compiler.h), traps, interrupts and CSRs (system_unit.h), atomics (atomic_unit.h). They share
// hart.h.

#include "models/cpu/rv32/atomic_unit.h"
#include "models/cpu/rv32/block_compiler.h"
#include "models/cpu/rv32/cycle_table.h"
#include "models/cpu/rv32/environment.h"
#include "models/cpu/rv32/hart.h"
#include "models/cpu/rv32/hart_memory.h"
#include "models/cpu/rv32/system_unit.h"
#include "models/cpu/rv32/threaded_code.h"
#include "models/cpu/rv32/translator.h"

#include <cstdint>
#include <optional>

namespace strobe::rv32 {

struct CoreConfig {
    std::uint32_t hart = 0;
    std::uint32_t resetPc = 0;
    std::optional<CycleTable> cycles; // none: one cycle per instruction
    // Code is compiled that a jump has reached so often; 0: never. Without effect on what a run does, and not used with
    // a cycle table or an observer of more than calls.
    unsigned compileAfter = 32;
};

class Core {
public:
    Core(const CoreConfig& config, Environment& environment);

    // --- running ---------------------------------------------------------------------------------------------------

    // Executes until `budget` cycles are used up (with a cycle table the last instruction may overshoot) or something
    // else stops it. The cycles used are the difference of executed().
    Stop run(std::int64_t budget);
    void reset(); // registers and CSRs as after power-on, pc at the reset vector; memory, counts and debugger stay

    // From inside Environment's functions, or between runs:
    void setInterrupt(InterruptLine line, bool level) { system_.setInterrupt(line, level); }
    void limit(std::int64_t cycles); // the current run ends after at most so many further cycles, the present
                                     // instruction included
    void stop();                     // the current run ends after the present instruction
    // Other masters may have stored since the last LR. Called by the owner before a run if another core has run.
    void breakReservation() { atomics_.breakReservation(); }

    // Cycles that instructions have taken, and instructions that have completed, since construction.
    std::uint64_t executed() const { return hart_.executed(); }
    std::int64_t left() const { return hart_.left; } // of the budget of the run, the present instruction included
    std::uint64_t worked() const { return hart_.worked(); } // executed() without entering traps and what has trapped
    std::uint64_t retired() const { return hart_.retired(); }
    std::uint64_t traps() const { return system_.traps(); }
    std::uint64_t interrupts() const { return system_.interrupts(); }
    const std::optional<Exception>& lastException() const { return system_.lastException(); }
    bool isWaiting() const { return hart_.isWaiting; }
    std::uint64_t compiledBlocks() const { return blocks_.blocks(); }             // since construction
    bool hasReservation() const { return atomics_.hasReservation(); }             // of an lr whose sc has not come yet
    bool isInterruptPending() const { return system_.csrs().isPending(); }        // and enabled in mie: ends a wfi
    bool interruptsEnabled() const { return system_.csrs().interruptsEnabled(); } // mstatus.MIE, and any in mie

    // --- state -----------------------------------------------------------------------------------------------------

    std::uint32_t pc() const { return hart_.pc; }
    void setPc(std::uint32_t pc);
    std::uint32_t reg(unsigned number) const { return hart_.x[number]; } // REQUIRES: number < 32
    void setReg(unsigned number, std::uint32_t value);
    Registers registers() const;
    // As a debugger sees them: nothing if there is no such CSR.
    std::optional<std::uint32_t> csr(std::uint32_t number) const { return system_.read(number); }
    bool setCsr(std::uint32_t number, std::uint32_t value)
    {
        return system_.write(number, value);
    } // false: none, or read-only
    std::uint32_t hart() const { return system_.csrs().hart(); }

    // --- memory ----------------------------------------------------------------------------------------------------

    // Accesses to these addresses go to host memory. Later regions override earlier ones.
    void map(const DirectRegion& region) { memory_.map(region); }
    void unmap(std::uint32_t first, std::uint32_t last)
    {
        memory_.unmap(first, last);
    } // removes every region that touches the range
    // Something other than this core has changed memory that may contain code.
    void invalidateCode(std::uint32_t first, std::uint32_t last) { memory_.code().forget(first, last); }
    const DirectMemory& memory() const { return memory_.direct(); }
    // Reports stores to the range, or instructions in it (Environment::guardHit).
    void guard(Guard guard, std::uint32_t first, std::uint32_t last) { memory_.guard(guard, first, last); }

    // --- debugger --------------------------------------------------------------------------------------------------

    void addBreakpoint(std::uint32_t address) { translator_.addBreakpoint(address); }
    void removeBreakpoint(std::uint32_t address) { translator_.removeBreakpoint(address); }
    void addWatchpoint(const Watchpoint& watchpoint) { memory_.addWatchpoint(watchpoint); }
    bool removeWatchpoint(const Watchpoint& watchpoint)
    {
        return memory_.removeWatchpoint(watchpoint);
    } // false: there is none
    const WatchHit& watchHit() const { return memory_.watchpoints().hit(); }
    // From now on run() stops before the trap of an instruction is entered (Stop::Trap), except for environment calls;
    // the next run() enters it, unless setPc() was called.
    void holdTraps(bool holds) { hart_.holdsTraps = holds; }
    // The trap that run() has stopped before; nothing: there is none.
    std::optional<Trap> heldTrap() const { return hart_.isTrapHeld ? std::optional<Trap>(hart_.trap) : std::nullopt; }
    // Null: none. Single step is run(1).
    void observe(Observer* observer);

private:
    void chooseInstance();

    CoreConfig config_;
    CycleTable cycles_;
    Hart hart_;
    HartMemory memory_;
    Translator translator_;
    SystemUnit system_;
    AtomicUnit atomics_;
    BlockCompiler blocks_;
    ThreadedCode code_;
    bool isInstanceStale_ = false; // observe() was called
    bool stopRequested_ = false;   // by the owner
};

} // namespace strobe::rv32
