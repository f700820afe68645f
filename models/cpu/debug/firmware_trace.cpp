// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/firmware_trace.h"

#include "models/cpu/rv32/instruction.h"

#include <utility>

namespace strobe::cpu {

namespace {

TraceEntry startOf(const TraceEntry& instruction, TraceEntry::What what)
{
    TraceEntry entry;
    entry.what = what;
    entry.at = instruction.at;
    entry.number = instruction.number;
    entry.pc = instruction.pc;
    return entry;
}

} // namespace

FirmwareTrace::FirmwareTrace(std::uint8_t core, const TraceFilter& filter, NameOf nameOf, Sink sink)
    : core_(core), filter_(filter), nameOf_(std::move(nameOf)), sink_(std::move(sink))
{
}

void FirmwareTrace::begin(Clock clock)
{
    clock_ = std::move(clock);
    present_ = {};
}

void FirmwareTrace::pass(TraceEntry& entry)
{
    entry.core = core_;
    if (filter_.takes(entry))
        sink_(entry);
}

// An access that the bus postpones is reported again: its time is that of the last report.
void FirmwareTrace::accessed(const rv32::Core& core, std::uint32_t address, unsigned bytes, bool isStore)
{
    const bool isSame = present_.accessCount > 0 && present_.pc == core.pc();
    const bool isAtomic = isSame && isStore && !present_.accesses[0].isStore;
    present_.at = clock_();
    present_.pc = core.pc();
    present_.accessCount = isAtomic ? 2 : 1;
    present_.accesses[present_.accessCount - 1] = {address, static_cast<std::uint8_t>(bytes), isStore};
}

void FirmwareTrace::retired(const rv32::Core& core, std::uint32_t pc, std::uint32_t bits, unsigned /*cycles*/)
{
    TraceEntry entry = std::exchange(present_, {});
    if (entry.accessCount == 0)
        entry.at = clock_();
    if (!filter_.takes(entry.at))
        return;
    const rv32::Instruction i = rv32::decode(bits);
    entry.number = core.retired();
    entry.pc = pc;
    entry.bits = i.bytes == 2 ? bits & 0xFFFFU : bits;
    entry.hasValue = i.rd != 0;
    entry.value = core.reg(i.rd);
    pass(entry);
    if (filter_.takes(TraceKind::Registers) && entry.accessCount == 1)
        passRegister(core, entry, i.rd, i.rs2);
    if (i.operation == rv32::Operation::Mret) {
        TraceEntry left = startOf(entry, TraceEntry::What::Return);
        left.target = core.csr(rv32::csr::mepc).value_or(0);
        pass(left);
    }
}

// Atomics reach memory alone.
void FirmwareTrace::passRegister(const rv32::Core& core, const TraceEntry& instruction, unsigned rd, unsigned rs2)
{
    const TraceAccess& access = instruction.accesses[0];
    if (core.memory().find(access.address, access.bytes, access.isStore) != nullptr)
        return;
    TraceEntry entry = startOf(instruction, TraceEntry::What::Register);
    entry.accessCount = 1;
    entry.accesses[0] = access;
    entry.hasValue = access.isStore || rd != 0;
    const std::uint32_t mask = access.bytes == 4 ? ~std::uint32_t{0} : (std::uint32_t{1} << 8U * access.bytes) - 1;
    entry.value = core.reg(access.isStore ? rs2 : rd) & mask; // of x0: 0
    entry.name = nameOf_(access.address);
    pass(entry);
}

void FirmwareTrace::trapped(const rv32::Core& core)
{
    present_ = {};
    TraceEntry entry;
    entry.what = TraceEntry::What::Trap;
    entry.at = clock_();
    entry.number = core.retired();
    entry.pc = core.csr(rv32::csr::mepc).value_or(0);
    entry.value = core.csr(rv32::csr::mtval).value_or(0);
    entry.hasValue = true;
    entry.cause = core.csr(rv32::csr::mcause).value_or(0);
    entry.target = core.pc();
    pass(entry);
}

} // namespace strobe::cpu
