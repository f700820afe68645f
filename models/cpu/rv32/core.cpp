// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/core.h"

#include "models/base/check.h"
#include "models/cpu/rv32/predecode.h"

#include <algorithm>
#include <cstring>

namespace strobe::rv32 {

std::uint64_t Environment::cycles(const Core& core) const
{
    return core.executed();
}

Core::Core(const CoreConfig& config, Environment& environment)
    : config_(config), environment_(environment), csrs_(config.hart), cycles_(config.cycles.value_or(CycleTable{}))
{
    chooseInstance();
    reset();
}

void Core::reset()
{
    x_ = {};
    csrs_ = CsrFile(config_.hart);
    pc_ = config_.resetPc & ~1U;
    isWaiting_ = false;
    hasReservation_ = false;
}

// --- running
// ----------------------------------------------------------------------------------------------------------

// The handlers of one instance are addresses in its own code, so all steps are decoded anew for another.
void Core::chooseInstance()
{
    instance_ = observer_ != nullptr         ? &Core::execute<true, true>
                : config_.cycles.has_value() ? &Core::execute<true, false>
                                             : &Core::execute<false, false>;
    (this->*instance_)(&handlers_);
    code_.setHandlers(handlers_.decode(), handlers_.nextPage());
    isInstanceStale_ = false;
}

Stop Core::run(std::int64_t budget)
{
    executed_ = executed();
    budget_ = left_ = budget;
    stopRequested_ = false;
    if (isWaiting_) {
        if (!csrs_.isPending())
            return Stop::Waiting;
        isWaiting_ = false;
    }
    if (csrs_.mustInterrupt())
        takeInterrupt();
    if (passBreakpoint_ != pc_)
        passBreakpoint_.reset();
    Stop why{};
    do {
        if (isInstanceStale_)
            chooseInstance();
        why = (this->*instance_)(nullptr);
    } while (isInstanceStale_ && why == Stop::Requested && !stopRequested_);
    return why;
}

// After an instruction during which something outside was called. True: stop.
bool Core::serveAttention(Stop& why)
{
    attention_ = false;
    if (isWatchHit_) {
        isWatchHit_ = false;
        why = Stop::Watchpoint;
        return true;
    }
    if (stopRequested_ || isInstanceStale_) {
        why = Stop::Requested;
        return true;
    }
    if (csrs_.mustInterrupt())
        takeInterrupt();
    return false;
}

void Core::enterTrap()
{
    ++traps_;
    enterHandler(static_cast<std::uint32_t>(trap_.cause), trap_.value);
}

void Core::takeInterrupt()
{
    ++interrupts_;
    enterHandler(interruptFlag | static_cast<std::uint32_t>(csrs_.nextInterrupt()), 0);
}

void Core::enterHandler(std::uint32_t cause, std::uint32_t value)
{
    pc_ = csrs_.enterTrap(cause, value, pc_);
    left_ -= cycles_.trap;
    overhead_ += cycles_.trap;
    environment_.interruptMaskChanged();
    if (observer_ != nullptr)
        observer_->trapped(*this);
}

std::uint32_t Core::returnFromTrap()
{
    const std::uint32_t to = csrs_.leaveTrap();
    interruptsMayHaveChanged();
    return to;
}

void Core::interruptsMayHaveChanged()
{
    environment_.interruptMaskChanged();
    if (csrs_.mustInterrupt())
        attention_ = true;
}

Core::Done Core::breakInstruction()
{
    if (environment_.breakInstruction(*this))
        return Done::Ok;
    raise(Cause::Breakpoint, pc_);
    return Done::Trap;
}

void Core::setInterrupt(InterruptLine line, bool level)
{
    csrs_.setLine(line, level);
    if (csrs_.mustInterrupt())
        attention_ = true;
}

void Core::limit(std::int64_t cycles)
{
    if (cycles >= left_)
        return;
    budget_ -= left_ - cycles;
    left_ = cycles;
}

void Core::stop()
{
    stopRequested_ = true;
    attention_ = true;
}

// --- state
// ------------------------------------------------------------------------------------------------------------

void Core::setPc(std::uint32_t pc)
{
    pc_ = pc & ~1U;
    isWaiting_ = false;
}

void Core::setReg(unsigned number, std::uint32_t value)
{
    if (number != 0)
        x_[number] = value;
}

std::optional<std::uint32_t> Core::csr(std::uint32_t number) const
{
    return CsrFile::isCounter(number) ? readCounter(number) : csrs_.read(number);
}

bool Core::setCsr(std::uint32_t number, std::uint32_t value)
{
    if (CsrFile::isReadOnly(number))
        return false;
    if (CsrFile::isCounter(number)) {
        writeCounter(number, value, 0);
        return true;
    }
    const bool exists = csrs_.write(number, value);
    if (number == csr::mcountinhibit)
        inhibitCounters();
    return exists;
}

// --- code
// -------------------------------------------------------------------------------------------------------------

CodePage* Core::enterCode(std::uint32_t pc)
{
    if (CodePage* const page = code_.page(pc); page != nullptr)
        return page;
    std::uint32_t half = 0;
    if (!fetchHalf(pc, half))
        return nullptr;
    CodePage& page = code_.make(pc);
    refreshPages(pc, pc);
    return &page;
}

bool Core::fetchHalf(std::uint32_t address, std::uint32_t& half)
{
    const std::uint8_t* bytes = memory_.find(address, 2, false);
    if (bytes == nullptr) {
        environment_.wantDirect(address);
        bytes = memory_.find(address, 2, false);
    }
    if (bytes == nullptr) {
        raise(Cause::FetchAccess, address);
        return false;
    }
    std::uint16_t value = 0;
    std::memcpy(&value, bytes, sizeof value);
    half = value;
    return true;
}

bool Core::fetch(std::uint32_t pc, std::uint32_t& bits)
{
    if (!fetchHalf(pc, bits))
        return false;
    if (isCompressed(bits))
        return true;
    std::uint32_t high = 0;
    if (!fetchHalf(pc + 2, high))
        return false;
    if ((pc + 2) >> pageBits != pc >> pageBits)
        enterCode(pc + 2); // stores there must be noticed too
    bits |= high << 16;
    return true;
}

bool Core::decodeAt(std::uint32_t pc, Step& step)
{
    std::uint32_t bits = 0;
    if (!fetch(pc, bits))
        return false;
    const Instruction instruction = decode(bits);
    Step fresh{};
    const StepKind kind = predecode(instruction, pc, bits, cycles_, fresh);
    takeOperands(pc, step, fresh);
    step.handler = breakpoints_.count(pc) != 0 ? handlers_.breakpoint() : handlerOf(kind, instruction.bytes, pc, step);
    return true;
}

// Code may have changed without notice. Then no step decoded from the old instruction, alone or as the second of a
// pair, may use the operands of the new one: another kind of step would misinterpret them.
void Core::takeOperands(std::uint32_t pc, Step& step, const Step& fresh)
{
    const bool isSame = step.imm == fresh.imm && step.rd == fresh.rd && step.rs1 == fresh.rs1 &&
                        step.rs2 == fresh.rs2 && step.cycles == fresh.cycles;
    if (isSame)
        return;
    const bool wasDecoded = step.cycles != 0; // each instruction has one at least
    if (wasDecoded)
        code_.forget(pc, pc);
    const void* const handler = step.handler;
    step = fresh;
    step.handler = handler;
}

// That of a pair, if the next instruction in the same page forms one: then it also uses the operands of the next step,
// whose own handler is chosen when it is reached.
const void* Core::handlerOf(StepKind kind, unsigned bytes, std::uint32_t pc, Step& step)
{
    const void* const alone = handlers_.of(kind, bytes);
    const std::uint32_t next = pc + bytes;
    if (config_.cycles.has_value() || observer_ != nullptr || breakpoints_.count(next) != 0 ||
        next >> pageBits != pc >> pageBits || (next + 2) >> pageBits != pc >> pageBits)
        return alone;
    const std::uint8_t* const code = memory_.find(next, 4, false);
    if (code == nullptr)
        return alone;
    std::uint32_t bits = 0;
    std::memcpy(&bits, code, sizeof bits);
    const Instruction instruction = decode(isCompressed(bits) ? bits & 0xFFFF : bits);
    Step other{};
    const void* const pair =
        handlers_.of(kind, bytes, predecode(instruction, next, bits, cycles_, other), instruction.bytes);
    if (pair == nullptr)
        return alone;
    takeOperands(next, *(&step + bytes / 2), other);
    return pair;
}

const void* Core::handlerAt(std::uint32_t pc)
{
    std::uint32_t bits = 0;
    check(fetch(pc, bits), "an instruction is no longer where it was decoded");
    const Instruction instruction = decode(bits);
    Step step{};
    return handlers_.of(predecode(instruction, pc, bits, cycles_, step), instruction.bytes);
}

void Core::invalidateCode(std::uint32_t first, std::uint32_t last)
{
    code_.forget(first, last);
}

// --- debugger
// ---------------------------------------------------------------------------------------------------------

void Core::addBreakpoint(std::uint32_t address)
{
    breakpoints_.insert(address);
    code_.forget(address, address);
}

void Core::removeBreakpoint(std::uint32_t address)
{
    breakpoints_.erase(address);
    code_.forget(address, address);
}

void Core::addWatchpoint(const Watchpoint& watchpoint)
{
    check(watchpoint.bytes > 0, "a watchpoint watches at least one byte");
    watchpoints_.push_back(watchpoint);
    refreshPages(watchpoint.address, watchpoint.address + watchpoint.bytes - 1);
}

bool Core::removeWatchpoint(const Watchpoint& watchpoint)
{
    const auto found = std::find(watchpoints_.begin(), watchpoints_.end(), watchpoint);
    if (found == watchpoints_.end())
        return false;
    watchpoints_.erase(found);
    refreshPages(watchpoint.address, watchpoint.address + watchpoint.bytes - 1);
    return true;
}

void Core::observe(Observer* observer)
{
    observer_ = observer;
    isInstanceStale_ = true;
    attention_ = true;
}

void Core::tellRetired(unsigned cycles)
{
    if (observer_ == nullptr) // removed during this instruction
        return;
    std::uint32_t bits = 0;
    if (fetch(pc_, bits))
        observer_->retired(*this, pc_, bits, cycles);
}

} // namespace strobe::rv32
