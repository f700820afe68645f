#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The environment of a core: the bus for everything that is not direct memory, the clock that mcycle shows, and the
// observers of its events. While one of these functions runs, the core is at the instruction that called: pc(),
// retired() and executed() are exact.

#include <cstdint>

namespace strobe::rv32 {

class Core;

enum class BusResult : std::uint8_t {
    Ok,
    Fault, // the core takes an access fault
    Later, // the access has not happened; run() returns Stop::Later and its next call repeats the instruction
};

// What a guarded range of addresses (Core::guard) is not meant for.
enum class Guard : std::uint8_t {
    Stores,    // it holds code or constants
    Null,      // stores to its first bytes are made through a null pointer
    Execution, // it holds the stack
};

// Functions without a body here must be implemented; `value` holds the low `bytes` (1, 2, 4) bytes. Addresses are
// aligned. They may throw: the core can continue afterwards.
class Environment {
public:
    Environment() = default;
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    virtual ~Environment() = default;

    virtual BusResult load(std::uint32_t address, unsigned bytes, std::uint32_t& value) = 0;
    virtual BusResult store(std::uint32_t address, unsigned bytes, std::uint32_t value) = 0;

    // An instruction fetch or an atomic found no direct memory here: the last chance to Core::map() it before it
    // faults.
    virtual void requestDirect(std::uint32_t /*address*/) {}
    // The core is about to read its interrupt lines (wfi, or a read of mip): pass their levels to setInterrupt().
    // False: not known yet; a wfi waits then, a read is repeated by the next run() (Stop::Later).
    virtual bool senseInterrupts() { return true; }
    // A wfi has found an interrupt that is pending and enabled in mie, and has ended: the core is after it.
    virtual void waitPassed(const Core& /*core*/) {}
    // The handler of an interrupt was entered: mcause says of which, mepc where.
    virtual void interruptTaken(const Core& /*core*/) {}
    // Firmware has changed mstatus.MIE or mie: interruptsEnabled() may have another value than before.
    virtual void interruptMaskChanged() {}
    // What mcycle counts: by default the cycles that instructions have taken; a module adds those asleep and on the
    // bus.
    virtual std::uint64_t cycles(const Core& core) const;
    // What the `time` CSR shows; by default the same.
    virtual std::uint64_t time(const Core& core) const { return cycles(core); }
    // The present instruction stores to a guarded range, or is in one; it has its usual effect. Of an instruction in a
    // range: when it is executed for the first time.
    virtual void guardHit(const Core& /*core*/, Guard /*guard*/, std::uint32_t /*address*/) {}
    // An EBREAK that is not a breakpoint of the debugger. True: it was a semihosting call, continue after it; false:
    // trap.
    virtual bool breakInstruction(Core& /*core*/) { return false; }
};

// What an observer is called for, besides traps: calls are cheaper to observe than jumps, and jumps than instructions.
enum class Detail : std::uint8_t {
    Calls,        // jumps that link, jumps to an address in a register, mret, other jumps that Observer::sees(), and
                  // custom hints (slti x0), of which retired() is called, if Observer::seesHints()
    Jumps,        // all jumps, and custom hints; the core interprets instructions then instead of compiling them
    Instructions, // jumps, too
};

// Called while attached (Core::observe); costs nothing while none is attached.
class Observer {
public:
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual ~Observer() = default;

    virtual Detail detail() const { return Detail::Instructions; } // asked when it is attached
    // Detail::Calls: must this branch, or jump without a link, be reported? Asked when code is compiled, so the answer
    // must not change. Others of them may be reported, too.
    virtual bool sees(std::uint32_t /*from*/, std::uint32_t /*to*/) { return true; }
    virtual bool seesHints() const { return false; } // the same for custom hints

    // An instruction has been completed; registers hold its results, pc() and the counts are those before it. `bits` of
    // a compressed instruction: the lower 16.
    virtual void retired(const Core& /*core*/, std::uint32_t /*pc*/, std::uint32_t /*bits*/, unsigned /*cycles*/) {}
    // The instruction is about to load or store, directly or on the bus; pc() is exact. Atomics report both. An access
    // that the bus postpones is reported again.
    virtual void accessed(const Core& /*core*/, std::uint32_t /*address*/, unsigned /*bytes*/, bool /*isStore*/) {}
    // A branch that is taken, a jump or an mret has been completed; executed() counts it, pc() is not exact. Between
    // two of these, traps and moved(), instructions follow each other in memory.
    virtual void jumped(const Core& /*core*/, std::uint32_t /*from*/, std::uint32_t /*to*/) {}
    // A debugger has set pc() (Core::setPc); the instruction at `from` has not been executed.
    virtual void moved(const Core& /*core*/, std::uint32_t /*from*/) {}
    // Trap or interrupt was entered: mepc, mcause and mtval give the reason, pc() where it continues.
    virtual void trapped(const Core& /*core*/) {}
};

} // namespace strobe::rv32
