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

#include "models/cpu/rv32/code_cache.h"
#include "models/cpu/rv32/counter.h"
#include "models/cpu/rv32/csr_file.h"
#include "models/cpu/rv32/cycle_table.h"
#include "models/cpu/rv32/direct_memory.h"
#include "models/cpu/rv32/environment.h"
#include "models/cpu/rv32/step_kinds.h"

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace strobe::rv32 {

struct CoreConfig {
    std::uint32_t hart = 0;
    std::uint32_t resetPc = 0;
    std::optional<CycleTable> cycles; // none: one cycle per instruction
};

enum class Stop : std::uint8_t {
    Budget,     // used up
    Waiting,    // in WFI with no interrupt pending and enabled in mie; no cycles pass until there is one
    Later,      // requested by Environment; the instruction has not been executed
    Requested,  // stop() was called; after the instruction during which it was
    Breakpoint, // before the instruction at pc(); the next run() executes it
    Watchpoint, // after the instruction that touched watchHit()
};

struct Watchpoint {
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    bool onLoad = false;
    bool onStore = false;

    bool touches(std::uint32_t first, std::uint32_t count) const
    {
        return std::uint64_t{first} + count > address && std::uint64_t{address} + bytes > first;
    }
    bool operator==(const Watchpoint& other) const
    {
        return address == other.address && bytes == other.bytes && onLoad == other.onLoad && onStore == other.onStore;
    }
};
struct WatchHit {
    std::uint32_t address = 0; // of the access
    unsigned bytes = 0;
    bool isStore = false;
    Watchpoint watchpoint;
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
    void setInterrupt(InterruptLine line, bool level);
    void limit(std::int64_t cycles); // the current run ends after at most so many further cycles, the present
                                     // instruction included
    void stop();                     // the current run ends after the present instruction
    // Other masters may have stored since the last LR. Called by the owner before a run if another core has run.
    void breakReservation() { hasReservation_ = false; }

    // Cycles that instructions have taken, and instructions that have completed, since construction.
    std::uint64_t executed() const { return executed_ + static_cast<std::uint64_t>(budget_ - left_); }
    std::uint64_t retired() const { return executed() - overhead_; }
    std::uint64_t traps() const { return traps_; }
    std::uint64_t interrupts() const { return interrupts_; }
    bool isWaiting() const { return isWaiting_; }
    bool hasReservation() const { return hasReservation_; }              // of an lr whose sc has not come yet
    bool isInterruptPending() const { return csrs_.isPending(); }        // and enabled in mie: ends a wfi
    bool interruptsEnabled() const { return csrs_.interruptsEnabled(); } // mstatus.MIE, and any in mie

    // --- state -----------------------------------------------------------------------------------------------------

    std::uint32_t pc() const { return pc_; }
    void setPc(std::uint32_t pc);
    std::uint32_t reg(unsigned number) const { return x_[number]; } // REQUIRES: number < 32
    void setReg(unsigned number, std::uint32_t value);
    // As a debugger sees them: nothing if there is no such CSR.
    std::optional<std::uint32_t> csr(std::uint32_t number) const;
    bool setCsr(std::uint32_t number, std::uint32_t value); // false: none, or read-only
    std::uint32_t hart() const { return csrs_.hart(); }

    // --- memory ----------------------------------------------------------------------------------------------------

    // Accesses to these addresses go to host memory. Later regions override earlier ones.
    void map(const DirectRegion& region);
    void unmap(std::uint32_t first, std::uint32_t last); // removes every region that touches the range
    // Something other than this core has changed memory that may contain code.
    void invalidateCode(std::uint32_t first, std::uint32_t last);
    const DirectMemory& memory() const { return memory_; }

    // --- debugger --------------------------------------------------------------------------------------------------

    void addBreakpoint(std::uint32_t address);
    void removeBreakpoint(std::uint32_t address);
    void addWatchpoint(const Watchpoint& watchpoint);
    bool removeWatchpoint(const Watchpoint& watchpoint); // false: there is none
    const WatchHit& watchHit() const { return watchHit_; }
    // Null: none. Single step is run(1).
    void observe(Observer* observer);

private:
    enum class Done : std::uint8_t { Ok, Trap, Later };

    // In execute.cpp. With `handlers`: only returns their addresses.
    template <bool Timed, bool Observed>
    Stop execute(Handlers* handlers);
    void chooseInstance();
    bool serveAttention(Stop& why);
    void raise(Cause cause, std::uint32_t value) { trap_ = {cause, value}; }
    void enterTrap();
    void takeInterrupt();
    void enterHandler(std::uint32_t cause, std::uint32_t value);
    std::uint32_t returnFromTrap();
    void interruptsMayHaveChanged();
    void tellRetired(unsigned cycles);

    // Operations that threaded code does not execute inline. pc_ and left_ are exact. Trap: trap_ holds it.
    Done loadSlowly(std::uint32_t address, unsigned bytes, std::uint32_t& value);
    Done storeSlowly(std::uint32_t address, unsigned bytes, std::uint32_t value);
    Done accessCsr(const Step& step);
    Done accessAtomically(const Step& step);
    Done breakInstruction();
    std::uint8_t* atomicMemory(std::uint32_t address, bool isStore);
    void watch(std::uint32_t address, unsigned bytes, bool isStore);
    std::uint32_t readCounter(std::uint32_t number) const;
    void writeCounter(std::uint32_t number, std::uint32_t half, std::uint64_t own);
    void inhibitCounters();

    // Null, false: the trap is in trap_.
    CodePage* enterCode(std::uint32_t pc);
    bool fetchHalf(std::uint32_t address, std::uint32_t& half);
    bool fetch(std::uint32_t pc, std::uint32_t& bits);
    bool decodeAt(std::uint32_t pc, Step& step);
    void takeOperands(std::uint32_t pc, Step& step, const Step& fresh);
    const void* handlerOf(StepKind kind, unsigned bytes, std::uint32_t pc, Step& step);
    const void* handlerAt(std::uint32_t pc); // of the instruction under a breakpoint
    void refreshPages(std::uint32_t first, std::uint32_t last);

    std::array<std::uint32_t, 33> x_{}; // [32] receives writes to x0
    std::uint32_t pc_ = 0;
    bool attention_ = false; // something to check after the present instruction
    std::int64_t left_ = 0;
    std::int64_t budget_ = 0;
    std::uint64_t executed_ = 0; // before the current run
    std::uint64_t overhead_ = 0; // of these, cycles that belong to no completed instruction
    std::uint64_t traps_ = 0;
    std::uint64_t interrupts_ = 0;

    CoreConfig config_;
    Environment& environment_;
    Observer* observer_ = nullptr;
    CsrFile csrs_;
    DirectMemory memory_;
    CodeCache code_;
    CycleTable cycles_;
    Counter cycleCounter_;
    Counter instretCounter_;
    Stop (Core::*instance_)(Handlers*) = nullptr;
    Handlers handlers_{};
    bool isInstanceStale_ = false; // observe() was called

    struct Trap {
        Cause cause{};
        std::uint32_t value = 0;
    } trap_;
    bool isWaiting_ = false;
    bool stopRequested_ = false;
    bool hasReservation_ = false;
    std::uint32_t reservation_ = 0;

    std::set<std::uint32_t> breakpoints_;
    std::optional<std::uint32_t> passBreakpoint_; // where the last run stopped
    std::vector<Watchpoint> watchpoints_;
    WatchHit watchHit_;
    bool isWatchHit_ = false;
};

} // namespace strobe::rv32
