#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A CPU that executes RV32 firmware (rv32/core.h), woken through the agenda; a state machine without a stack of its
// own. It keeps a local time ahead of simulated time, which instructions (cycles / clock) and bus latencies advance:
//   loads          synchronise, then read: exact
//   stores         posted: arrive at their local time, as the delay of the transaction; do not synchronise
//   direct memory  no additional time
//   interrupts     while firmware has them enabled, it does not run past the next instant at which another module may
//                  do something, so each is taken by the first instruction at or after its time; other CPUs are
//                  waited for once a quantum
//   wfi            sleeps until a line is active at local time or later
// Lines: the enabled lines of the interrupt controller are the machine external interrupt; its timer and software lines
// are the machine timer and software interrupts besides, enabled in mie alone. One controller per CPU.
// An access that the bus answers with an error is an access fault in firmware. An exception thrown by a module, and
// firmware that only traps, stop the simulation; rethrowFault() gives the reason.
// Not modelled: see rv32/core.h.

#include "models/cpu/cpu_module.h"
#include "models/cpu/firmware_fault.h"
#include "models/cpu/rv32/core.h"
#include "models/tlm/agenda.h"

#include <functional>
#include <optional>
#include <vector>

namespace strobe::cpu {

struct Rv32CpuConfig {
    std::uint32_t hart = 0;
    std::uint32_t resetPc = 0;
    std::uint64_t clockHz = 200'000'000;
    // How far the CPU may run ahead of another CPU, and of others while interrupts are disabled. Bounds how stale the
    // memory written by them may appear to firmware; everything else is exact for any value.
    Time quantum = std::chrono::microseconds(1);
    std::optional<rv32::CycleTable> cycles; // none: one cycle per instruction
};

// The debugger's control of the CPU. Neither simulated nor local time advances during a call, and a stop does not end a
// slice: the run is the same as without a debugger, wherever and how often it stops. So with interrupts disabled the
// CPU may stop ahead of other modules; otherwise they do nothing before its local time.
class Rv32Debugger {
public:
    Rv32Debugger() = default;
    Rv32Debugger(const Rv32Debugger&) = delete;
    Rv32Debugger& operator=(const Rv32Debugger&) = delete;
    virtual ~Rv32Debugger() = default;

    // Breakpoint, watchpoint, held trap, or as allow() requested. The CPU runs on when it returns.
    virtual void stopped(rv32::Stop why) = 0;
    // Before each slice and after each stop in it: how many of the `cycles` left of the slice may be taken before the
    // next call (1: single step; 0: a pending interrupt is entered, but nothing is executed). Nothing: stop here.
    virtual std::optional<std::int64_t> allow(std::int64_t cycles) { return cycles; }
    // Firmware has failed; nothing of its state is lost yet, and the simulation will end.
    virtual void failed(const FirmwareFault& /*fault*/) {}
};

class Rv32CpuModule : public CpuModule, private rv32::Environment {
public:
    // Throws ConfigError for a clock out of range.
    Rv32CpuModule(const sc_core::sc_module_name& name, const Rv32CpuConfig& config,
                  InterruptControllerModule& interrupts);

    rv32::Core& core() { return core_; }
    const rv32::Core& core() const { return core_; }
    void attach(Rv32Debugger* debugger) { debugger_ = debugger; } // null: none
    // Whether other modules may still do something before its local time; only while its interrupts are disabled.
    bool isAheadOfOthers() { return wake_.nextOfCoupled() < localTime(); }
    // At most so many cycles have been executed since that local time; 0 inside an access of the CPU. REQUIRES: a
    // debugger is attached
    std::uint64_t cyclesSince(Time at) const;
    // For an observer of the core: local time, exact, when the instruction or trap that it is called for begins.
    Time instructionTime() const { return exactTime(core_); }
    // Handles an EBREAK that may be a semihosting call; true: it was one.
    void onBreak(std::function<bool(rv32::Core&)> serve) { serveBreak_ = std::move(serve); }

    // The core stores to a guarded range, or executes it.
    void onGuardHit(std::function<void(const rv32::Core&, rv32::Guard, std::uint32_t address)> listener)
    {
        guardHit_ = std::move(listener);
    }

    // The core stores on the bus, to what is not memory of its own, and was not refused; it is at the instruction.
    void onRegisterWrite(std::function<void(const rv32::Core&, std::uint32_t address)> listener)
    {
        registerWritten_ = std::move(listener);
    }

    bool isRunning() const { return isRunning_; } // executes now, inside an access, too
    std::uint64_t instructions() const override { return core_.retired() - retiredBefore_; }
    std::optional<std::uint32_t> programCounter() const override { return core_.pc(); }
    void resetUsage() override;

private:
    // rv32::Environment
    rv32::BusResult load(std::uint32_t address, unsigned bytes, std::uint32_t& value) override;
    rv32::BusResult store(std::uint32_t address, unsigned bytes, std::uint32_t value) override;
    void requestDirect(std::uint32_t address) override;
    bool senseInterrupts() override;
    void waitPassed(const rv32::Core& core) override;
    void interruptTaken(const rv32::Core& core) override;
    void interruptMaskChanged() override;
    std::uint64_t cycles(const rv32::Core& core) const override;
    std::uint64_t time(const rv32::Core& core) const override;
    bool breakInstruction(rv32::Core& core) override;
    void guardHit(const rv32::Core& core, rv32::Guard guard, std::uint32_t address) override;

    void step();
    void endSimulation();
    void advance();
    bool letOthersGoFirst();
    bool runSlice(); // false: not before the next step()
    Time sliceEnd();
    void shorten();
    rv32::Stop execute(std::int64_t cycles);
    rv32::Stop executeDebugged(std::int64_t cycles);
    void countCycles();
    void driveLines();
    void setLines(std::uint32_t lines);
    std::uint32_t linesBehind(std::uint32_t interrupts) const;
    bool finishAtomic();
    void sleep();
    void suspend();
    void checkProgress();
    bool isDirect(std::uint32_t address, unsigned bytes, std::uint8_t*& memory, bool isStore);
    void invalidate(sc_dt::uint64 start, sc_dt::uint64 end) override;
    FirmwareFault lockedUp() const;
    Time exactTime(const rv32::Core& core) const;

    rv32::Core core_;
    Rv32Debugger* debugger_ = nullptr;
    std::function<bool(rv32::Core&)> serveBreak_;
    std::function<void(const rv32::Core&, rv32::Guard, std::uint32_t)> guardHit_;
    std::function<void(const rv32::Core&, std::uint32_t)> registerWritten_;
    std::uint64_t counted_ = 0; // of core_.executed(), in local time
    Time sliceEnd_{};
    Time resumeAt_{};
    Time yieldedAt_ = never; // other modules due at this instant have been executed
    bool isHalted_ = false;
    bool isExecuting_ = false; // of a CPU with a debugger
    bool isRunning_ = false;
    std::int64_t keptBack_ = 0;     // cycles of the slice that the debugger does not allow yet
    std::uint32_t lines_ = 0;       // as last passed to the core
    std::vector<bool> isNotDirect_; // by page: asked, and refused
    std::uint64_t retiredBefore_ = 0;
    std::uint64_t retiredAtTrap_ = 0;
    std::uint64_t trapsAtProgress_ = 0;

    Wake wake_ = Wake::decoupledCalls<&Rv32CpuModule::step>(*this);
};

} // namespace strobe::cpu
