// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/system_unit.h"

#include "models/cpu/rv32/instruction.h"

#include <algorithm>

namespace strobe::rv32 {

SystemUnit::SystemUnit(Core& core, Hart& hart, HartMemory& memory, Environment& environment, std::uint32_t number,
                       unsigned trapCycles)
    : core_(core), hart_(hart), memory_(memory), environment_(environment), number_(number), trapCycles_(trapCycles),
      csrs_(number)
{
}

void SystemUnit::reset()
{
    csrs_ = CsrFile(number_);
}

void SystemUnit::setInterrupt(InterruptLine line, bool level)
{
    csrs_.setLine(line, level);
    if (csrs_.mustInterrupt())
        hart_.attention = true;
}

// --- traps -----------------------------------------------------------------------------------------------------------

void SystemUnit::enterTrap()
{
    ++traps_;
    if (hart_.trap.cause != Cause::EnvironmentCall)
        keepException();
    enterHandler(static_cast<std::uint32_t>(hart_.trap.cause), hart_.trap.value);
}

void SystemUnit::keepException()
{
    if (lastException_ && retiredAtException_ == hart_.retired())
        return;
    Exception& kept = lastException_.emplace();
    kept.trap = hart_.trap;
    std::copy_n(hart_.x.begin(), kept.registers.x.size(), kept.registers.x.begin());
    kept.registers.pc = hart_.pc;
    retiredAtException_ = hart_.retired();
}

void SystemUnit::takeInterrupt()
{
    ++interrupts_;
    enterHandler(interruptFlag | static_cast<std::uint32_t>(csrs_.nextInterrupt()), 0);
    environment_.interruptTaken(core_);
}

void SystemUnit::enterHandler(std::uint32_t cause, std::uint32_t value)
{
    hart_.pc = csrs_.enterTrap(cause, value, hart_.pc);
    hart_.left -= trapCycles_;
    hart_.trapCycles += trapCycles_;
    environment_.interruptMaskChanged();
    if (observer_ != nullptr)
        observer_->trapped(core_);
}

std::uint32_t SystemUnit::returnFromTrap()
{
    const std::uint32_t to = csrs_.leaveTrap();
    interruptsMayHaveChanged();
    return to;
}

void SystemUnit::interruptsMayHaveChanged()
{
    environment_.interruptMaskChanged();
    if (csrs_.mustInterrupt())
        hart_.attention = true;
}

Done SystemUnit::breakInstruction()
{
    if (environment_.breakInstruction(core_))
        return Done::Ok;
    return hart_.raise(Cause::Breakpoint, hart_.pc);
}

// --- control and status registers ------------------------------------------------------------------------------------

std::optional<std::uint32_t> SystemUnit::read(std::uint32_t number) const
{
    return CsrFile::isCounter(number) ? readCounter(number) : csrs_.read(number);
}

bool SystemUnit::write(std::uint32_t number, std::uint32_t value)
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

Done SystemUnit::accessCsr(const Step& step)
{
    const auto operation = static_cast<Operation>(step.rs2);
    const auto number = static_cast<std::uint32_t>(step.imm);
    const bool isImmediate = operation >= Operation::Csrrwi;
    const bool isSwap = operation == Operation::Csrrw || operation == Operation::Csrrwi;
    const bool isClear = operation == Operation::Csrrc || operation == Operation::Csrrci;
    const bool writes = isSwap || step.rs1 != 0;
    const std::uint32_t operand = isImmediate ? step.rs1 : hart_.x[step.rs1];

    if (number == csr::mip && !environment_.senseInterrupts())
        return Done::Later;
    const std::optional<std::uint32_t> old = read(number);
    if (!old.has_value() || (writes && CsrFile::isReadOnly(number))) {
        std::uint32_t bits = 0;
        if (memory_.fetch(hart_.pc, bits))
            hart_.raise(Cause::IllegalInstruction, bits);
        return Done::Trap;
    }
    hart_.x[step.rd] = *old;
    if (!writes)
        return Done::Ok;
    const std::uint32_t value = isSwap ? operand : isClear ? *old & ~operand : *old | operand;
    if (CsrFile::isCounter(number)) {
        writeCounter(number, value, 1);
        return Done::Ok;
    }
    csrs_.write(number, value);
    if (number == csr::mstatus || number == csr::mie)
        interruptsMayHaveChanged();
    else if (number == csr::mcountinhibit)
        inhibitCounters();
    return Done::Ok;
}

std::uint32_t SystemUnit::readCounter(std::uint32_t number) const
{
    std::uint64_t value = 0;
    switch (number) {
    case csr::time:
    case csr::timeh: value = environment_.time(core_); break;
    case csr::mcycle:
    case csr::mcycleh:
    case csr::cycle:
    case csr::cycleh: value = cycleCounter_.value(environment_.cycles(core_)); break;
    default: value = instretCounter_.value(hart_.retired()); break;
    }
    constexpr std::uint32_t highHalf = 0x80; // of the number
    return static_cast<std::uint32_t>((number & highHalf) != 0 ? value >> 32 : value);
}

// The new value is visible to the instruction after the write: a write of either half suppresses the count of the
// present instruction, which is `own`.
void SystemUnit::writeCounter(std::uint32_t number, std::uint32_t half, std::uint64_t own)
{
    const bool isCycle = number == csr::mcycle || number == csr::mcycleh;
    Counter& counter = isCycle ? cycleCounter_ : instretCounter_;
    const std::uint64_t source = isCycle ? environment_.cycles(core_) : hart_.retired();
    const bool isHigh = number == csr::mcycleh || number == csr::minstreth;
    const std::uint64_t old = counter.value(source);
    const std::uint64_t value = isHigh ? std::uint64_t{half} << 32 | (old & 0xFFFFFFFF) : (old >> 32 << 32) | half;
    counter.set(value, source + own);
}

void SystemUnit::inhibitCounters()
{
    cycleCounter_.inhibit((csrs_.inhibited() & 1) != 0, environment_.cycles(core_));
    instretCounter_.inhibit((csrs_.inhibited() & 4) != 0, hart_.retired());
}

// --- observer --------------------------------------------------------------------------------------------------------

void SystemUnit::reportRetired(unsigned cycles)
{
    if (observer_ == nullptr) // removed during this instruction
        return;
    std::uint32_t bits = 0;
    if (memory_.fetch(hart_.pc, bits))
        observer_->retired(core_, hart_.pc, bits, cycles);
}

void SystemUnit::reportJump(std::uint32_t from, std::uint32_t to)
{
    if (observer_ != nullptr)
        observer_->jumped(core_, from, to);
}

void SystemUnit::reportAccess(std::uint32_t address, unsigned bytes, bool isStore)
{
    if (observer_ != nullptr)
        observer_->accessed(core_, address, bytes, isStore);
}

} // namespace strobe::rv32
