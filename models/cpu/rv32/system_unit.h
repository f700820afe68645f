#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Traps, interrupts and CSR instructions of a hart, with the counters. It also reports to the observer.

#include "models/cpu/rv32/code_cache.h"
#include "models/cpu/rv32/counter.h"
#include "models/cpu/rv32/csr_file.h"
#include "models/cpu/rv32/environment.h"
#include "models/cpu/rv32/hart.h"
#include "models/cpu/rv32/hart_memory.h"

#include <cstdint>
#include <optional>

namespace strobe::rv32 {

class SystemUnit {
public:
    // `core`: an argument for the environment and the observer. `trapCycles`: of entering a handler.
    SystemUnit(Core& core, Hart& hart, HartMemory& memory, Environment& environment, std::uint32_t number,
               unsigned trapCycles);

    void reset(); // CSRs as after power-on; the counters go on
    const CsrFile& csrs() const { return csrs_; }
    void setInterrupt(InterruptLine line, bool level);

    void enterTrap();               // that of Hart::trap
    void takeInterrupt();           // REQUIRES: csrs().mustInterrupt()
    std::uint32_t returnFromTrap(); // mret: where to continue
    Done breakInstruction();
    Done accessCsr(const Step& step);
    bool senseInterrupts() { return environment_.senseInterrupts(); }
    void passWait() { environment_.waitPassed(core_); } // after a wfi

    // As a debugger sees them. Nothing, or false: there is none, or it is read-only.
    std::optional<std::uint32_t> read(std::uint32_t number) const;
    bool write(std::uint32_t number, std::uint32_t value);

    std::uint64_t traps() const { return traps_; }
    std::uint64_t interrupts() const { return interrupts_; }
    // The last one except environment calls; of several without an instruction in between, the first.
    const std::optional<Exception>& lastException() const { return lastException_; }

    void setObserver(Observer* observer) { observer_ = observer; }
    Observer* observer() const { return observer_; }
    void reportRetired(unsigned cycles);
    void reportJump(std::uint32_t from, std::uint32_t to);
    void reportAccess(std::uint32_t address, unsigned bytes, bool isStore);

private:
    void keepException();
    void enterHandler(std::uint32_t cause, std::uint32_t value);
    void interruptsMayHaveChanged();
    std::uint32_t readCounter(std::uint32_t number) const;
    void writeCounter(std::uint32_t number, std::uint32_t half, std::uint64_t own);
    void inhibitCounters();

    Core& core_;
    Hart& hart_;
    HartMemory& memory_;
    Environment& environment_;
    std::uint32_t number_;
    unsigned trapCycles_;
    CsrFile csrs_;
    Counter cycleCounter_;
    Counter instretCounter_;
    std::uint64_t traps_ = 0;
    std::uint64_t interrupts_ = 0;
    std::optional<Exception> lastException_;
    std::uint64_t retiredAtException_ = 0;
    Observer* observer_ = nullptr;
};

} // namespace strobe::rv32
