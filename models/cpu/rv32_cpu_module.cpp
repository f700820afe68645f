// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32_cpu_module.h"

#include "models/base/check.h"
#include "models/tlm/time_bridge.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

namespace strobe::cpu {

namespace {

rv32::CoreConfig coreConfig(const Rv32CpuConfig& config)
{
    return {config.hart, config.resetPc, config.cycles};
}

constexpr std::uint32_t lineBit(InterruptSource line)
{
    return std::uint32_t{1} << static_cast<unsigned>(line);
}
constexpr std::uint32_t bit(rv32::InterruptLine line)
{
    return std::uint32_t{1} << static_cast<unsigned>(line);
}

const void* lastToRun = nullptr; // of all CPUs

constexpr int atomicInstructions = 16; // of an lr, its sc, and what is allowed between them (Unprivileged ISA, 8.3)
constexpr int quantaAlone = 16;        // how far a CPU runs on if nothing else is pending

} // namespace

Rv32CpuModule::Rv32CpuModule(const sc_core::sc_module_name& name, const Rv32CpuConfig& config,
                             InterruptControllerModule& interrupts)
    : CpuModule(name, config.clockHz, config.quantum, interrupts), core_(coreConfig(config), *this),
      isNotDirect_(rv32::pageCount)
{
    interrupts_.onWake([this](Time at) { wake_.at(at); });
    wake_.at(Time{});
}

// --- turns ----------------------------------------------------------------------------------------------------------

void Rv32CpuModule::step()
{
    try {
        advance();
    } catch (const FirmwareFault& fault) {
        if (debugger_ != nullptr)
            debugger_->failed(fault);
        endSimulation();
    } catch (...) {
        endSimulation();
    }
}

void Rv32CpuModule::endSimulation() // REQUIRES: an exception is being handled
{
    fault_ = std::current_exception();
    isHalted_ = true;
    sc_core::sc_stop();
}

void Rv32CpuModule::advance()
{
    if (isHalted_)
        return;
    if (now() < resumeAt_) { // woken for something else
        wake_.at(resumeAt_);
        return;
    }
    if (!letOthersGoFirst())
        return;
    driveLines();
    if (isSleeping()) {
        if (!core_.isInterruptPending()) {
            sleep();
            return;
        }
        interrupts_.taken(linesBehind(core_.csr(rv32::csr::mie).value()), now(), core_.pc());
        wakeUp();
    }
    if (lastToRun != this)
        core_.breakReservation();
    lastToRun = this;
    isRunning_ = true;
    while (runSlice()) {
    }
    isRunning_ = false;
}

// The target of a posted write may be woken at the instant at which the write arrives: before anything is read here.
bool Rv32CpuModule::letOthersGoFirst()
{
    if (lastPosted_ == now()) {
        lastPosted_ = never;
        yieldedAt_ = now();
        wake_.at(now());
        return false;
    }
    if (yieldedAt_ == now() && nextKernelActivity() <= now()) { // a target with processes of its own
        wake_.atNextDelta();
        return false;
    }
    return true;
}

bool Rv32CpuModule::runSlice()
{
    senseInterrupts();
    sliceEnd_ = sliceEnd();
    if (sliceEnd_ <= localTime()) {
        if (ahead_ > Time{} || yieldedAt_ != now()) {
            suspend();
            return false;
        }
        sliceEnd_ = localTime() + picoseconds(1); // other modules due now have already been executed
    }
    switch (execute(static_cast<std::int64_t>(clock_.cyclesFor(sliceEnd_ - localTime())))) {
    case rv32::Stop::Budget: checkProgress(); return finishAtomic();
    case rv32::Stop::Later: suspend(); return false;
    case rv32::Stop::Waiting:
        if (ahead_ > Time{})
            ++counters_.synchronisations;
        fallAsleep();
        resumeAt_ = fellAsleepAt();
        sleep();
        return false;
    default: check(false, "a core stopped for a debugger that is not there");
    }
    return false;
}

rv32::Stop Rv32CpuModule::execute(std::int64_t cycles)
{
    if (debugger_ != nullptr)
        return executeDebugged(cycles);
    const rv32::Stop why = core_.run(cycles);
    countCycles();
    return why;
}

// Stops and continues within the slice: nothing else happens meanwhile, and the slice ends where it would have ended.
rv32::Stop Rv32CpuModule::executeDebugged(std::int64_t cycles)
{
    for (;;) {
        std::int64_t allowed = cycles;
        if (cycles > 0) { // else only a pending interrupt is left to be entered
            const std::optional<std::int64_t> answer = debugger_->allow(cycles);
            if (!answer) {
                debugger_->stopped(rv32::Stop::Requested);
                continue;
            }
            allowed = *answer;
        }
        keptBack_ = cycles - allowed;
        isExecuting_ = true;
        const rv32::Stop why = core_.run(allowed);
        isExecuting_ = false;
        cycles = core_.left() + std::exchange(keptBack_, 0);
        countCycles();
        const bool isOver = why == rv32::Stop::Waiting || why == rv32::Stop::Later;
        if (isOver || (why == rv32::Stop::Budget && cycles <= 0))
            return why;
        if (why != rv32::Stop::Budget)
            debugger_->stopped(why);
    }
}

// Another CPU that runs between an lr and its sc would break the reservation; with slices of a few instructions this
// would repeat endlessly.
bool Rv32CpuModule::finishAtomic()
{
    if (!core_.hasReservation() || wake_.nextOfOthers() >= wake_.nextOfCoupled())
        return true;
    for (int i = 0; i < atomicInstructions && core_.hasReservation(); ++i) {
        if (execute(1) != rv32::Stop::Budget)
            break;
    }
    return true;
}

// As far as it may run from local time on.
Time Rv32CpuModule::sliceEnd()
{
    const Time alone = std::min(wake_.nextOfOthers(), now() + quantaAlone * quantum_);
    const Time end = std::max(alone, now() + quantum_);
    if (!core_.interruptsEnabled())
        return end;
    return std::min({end, wake_.nextOfCoupled(), interrupts_.nextChange()});
}

// During a run: an event may cause an interrupt earlier.
void Rv32CpuModule::shorten()
{
    if (core_.interruptsEnabled())
        sliceEnd_ = std::min(sliceEnd_, sliceEnd());
    const Time rest = sliceEnd_ - localTime();
    const std::int64_t cycles = rest > Time{} ? static_cast<std::int64_t>(clock_.cyclesFor(rest)) : 1;
    if (keptBack_ > 0)
        keptBack_ = std::clamp<std::int64_t>(cycles - core_.left(), 0, keptBack_);
    core_.limit(cycles);
}

void Rv32CpuModule::suspend()
{
    if (ahead_ > Time{})
        ++counters_.synchronisations;
    else
        yieldedAt_ = now();
    resumeAt_ = localTime();
    ahead_ = {};
    wake_.at(resumeAt_);
}

void Rv32CpuModule::sleep()
{
    const std::uint32_t mie = *core_.csr(rv32::csr::mie);
    WakeOn what;
    what.enabled = (mie & bit(rv32::InterruptLine::External)) != 0;
    what.lines = ((mie & bit(rv32::InterruptLine::Timer)) != 0 ? lineBit(InterruptSource::Timer) : 0) |
                 ((mie & bit(rv32::InterruptLine::Software)) != 0 ? lineBit(InterruptSource::Software) : 0);
    interrupts_.armWake(fellAsleepAt(), what);
}

// --- time -----------------------------------------------------------------------------------------------------------

void Rv32CpuModule::countCycles()
{
    const std::uint64_t executed = core_.executed();
    ahead_ += clock_.advance(executed - counted_);
    counted_ = executed;
}

std::uint64_t Rv32CpuModule::cyclesSince(Time at) const
{
    const Time reached = std::max(localTime(), resumeAt_);
    return isExecuting_ || reached <= at ? 0 : clock_.cyclesFor(reached - at);
}

Time Rv32CpuModule::exactTime(const rv32::Core& core) const
{
    return localTime() + CpuClock(clock_).advance(core.executed() - counted_);
}

std::uint64_t Rv32CpuModule::cycles(const rv32::Core& core) const
{
    return clock_.cyclesAt(exactTime(core));
}

std::uint64_t Rv32CpuModule::time(const rv32::Core& core) const
{
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(exactTime(core)).count());
}

// --- interrupts -----------------------------------------------------------------------------------------------------

// The actions of other modules before local time are known only when they have happened.
bool Rv32CpuModule::senseInterrupts()
{
    countCycles();
    const bool isYielded = ahead_ == Time{} && yieldedAt_ == now();
    if (!isYielded && wake_.nextOfCoupled() <= localTime())
        return false;
    driveLines();
    return true;
}

void Rv32CpuModule::driveLines()
{
    const std::uint32_t active = interrupts_.activeAt(localTime());
    const std::uint32_t pending = interrupts_.controller().pending();
    const std::uint32_t lines =
        (active != 0 ? bit(rv32::InterruptLine::External) : 0) |
        ((pending & lineBit(InterruptSource::Timer)) != 0 ? bit(rv32::InterruptLine::Timer) : 0) |
        ((pending & lineBit(InterruptSource::Software)) != 0 ? bit(rv32::InterruptLine::Software) : 0);
    setLines(lines);
}

void Rv32CpuModule::setLines(std::uint32_t lines)
{
    if (lines == lines_)
        return;
    lines_ = lines;
    for (const auto line : {rv32::InterruptLine::External, rv32::InterruptLine::Timer, rv32::InterruptLine::Software})
        core_.setInterrupt(line, (lines & bit(line)) != 0);
}

// Lines of the interrupt controller that cause these machine interrupts (bits of mie), as far as they are asserted.
std::uint32_t Rv32CpuModule::linesBehind(std::uint32_t interrupts) const
{
    const InterruptController& controller = interrupts_.controller();
    const auto own = [&](rv32::InterruptLine line, InterruptSource source) {
        return (interrupts & bit(line)) != 0 ? controller.pending() & lineBit(source) : 0;
    };
    return ((interrupts & bit(rv32::InterruptLine::External)) != 0 ? controller.active() : 0) |
           own(rv32::InterruptLine::Timer, InterruptSource::Timer) |
           own(rv32::InterruptLine::Software, InterruptSource::Software);
}

void Rv32CpuModule::waitPassed(const rv32::Core& core)
{
    const Time at = exactTime(core);
    interrupts_.taken(linesBehind(core.csr(rv32::csr::mie).value()), at, core.pc());
    passWait(at);
}

void Rv32CpuModule::interruptTaken(const rv32::Core& core)
{
    const std::uint32_t cause = core.csr(rv32::csr::mcause).value() & ~rv32::interruptFlag;
    interrupts_.taken(linesBehind(std::uint32_t{1} << cause), exactTime(core), core.csr(rv32::csr::mepc));
}

void Rv32CpuModule::interruptMaskChanged()
{
    if (!core_.interruptsEnabled())
        return;
    if (!senseInterrupts())
        setLines(0); // until the slice ends, which is now
    shorten();
}

// --- accesses -------------------------------------------------------------------------------------------------------

bool Rv32CpuModule::isDirect(std::uint32_t address, unsigned bytes, std::uint8_t*& memory, bool isStore)
{
    if (isNotDirect_[address >> rv32::pageBits])
        return false;
    requestDirect(address);
    memory = core_.memory().find(address, bytes, isStore);
    return memory != nullptr;
}

void Rv32CpuModule::requestDirect(std::uint32_t address)
{
    if (isNotDirect_[address >> rv32::pageBits])
        return;
    tlm::tlm_dmi dmi;
    if (requestDmi(address, dmi) && dmi.get_end_address() <= 0xFFFFFFFF)
        core_.map({static_cast<std::uint32_t>(dmi.get_start_address()),
                   static_cast<std::uint32_t>(dmi.get_end_address()), dmi.get_dmi_ptr()});
    else
        isNotDirect_[address >> rv32::pageBits] = true;
}

void Rv32CpuModule::invalidate(sc_dt::uint64 start, sc_dt::uint64 end)
{
    core_.unmap(static_cast<std::uint32_t>(start),
                static_cast<std::uint32_t>(std::min<sc_dt::uint64>(end, 0xFFFFFFFF)));
    isNotDirect_.assign(rv32::pageCount, false);
}

rv32::BusResult Rv32CpuModule::load(std::uint32_t address, unsigned bytes, std::uint32_t& value)
{
    if (std::uint8_t* memory = nullptr; isDirect(address, bytes, memory, false)) {
        std::memcpy(&value, memory, bytes);
        return rv32::BusResult::Ok;
    }
    countCycles();
    if (ahead_ > Time{} || lastPosted_ == now())
        return rv32::BusResult::Later;
    value = 0;
    const bool isGood = access(tlm::TLM_READ_COMMAND, address, &value, bytes);
    shorten();
    return isGood ? rv32::BusResult::Ok : rv32::BusResult::Fault;
}

rv32::BusResult Rv32CpuModule::store(std::uint32_t address, unsigned bytes, std::uint32_t value)
{
    if (std::uint8_t* memory = nullptr; isDirect(address, bytes, memory, true)) {
        std::memcpy(memory, &value, bytes);
        return rv32::BusResult::Ok;
    }
    countCycles();
    const bool isGood = access(tlm::TLM_WRITE_COMMAND, address, &value, bytes);
    shorten();
    if (isGood && registerWritten_)
        registerWritten_(core_, address);
    return isGood ? rv32::BusResult::Ok : rv32::BusResult::Fault;
}

bool Rv32CpuModule::breakInstruction(rv32::Core& core)
{
    return serveBreak_ && serveBreak_(core);
}

void Rv32CpuModule::guardHit(const rv32::Core& core, rv32::Guard guard, std::uint32_t address)
{
    if (guardHit_)
        guardHit_(core, guard, address);
}

// --- the way out ----------------------------------------------------------------------------------------------------

// A trap whose handler traps at once repeats endlessly: there is no handler.
void Rv32CpuModule::checkProgress()
{
    if (core_.retired() != retiredAtTrap_) {
        retiredAtTrap_ = core_.retired();
        trapsAtProgress_ = core_.traps();
    } else if (core_.traps() - trapsAtProgress_ > 8) {
        throw lockedUp();
    }
}

FirmwareFault Rv32CpuModule::lockedUp() const
{
    char text[160];
    std::snprintf(text, sizeof text,
                  "traps without end: no trap handler can be executed at mtvec 0x%08x (mcause %u, mepc 0x%08x, mtval "
                  "0x%08x)",
                  core_.csr(rv32::csr::mtvec).value(), core_.csr(rv32::csr::mcause).value(),
                  core_.csr(rv32::csr::mepc).value(), core_.csr(rv32::csr::mtval).value());
    return FirmwareFault("firmware on " + std::string(name()) + " at " + toText(localTime()) + ": " + text);
}

void Rv32CpuModule::resetUsage()
{
    CpuModule::resetUsage();
    retiredBefore_ = core_.retired();
}

} // namespace strobe::cpu
