// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/trace_text.h"

#include "models/cpu/rv32/core.h"
#include "models/cpu/rv32/instruction.h"

#include <fmt/format.h>

namespace strobe::cpu {

namespace {

std::string instructionText(const TraceEntry& entry)
{
    const rv32::Instruction i = rv32::decode(entry.bits);
    const std::string word = i.bytes == 2 ? fmt::format("    {:04x}", entry.bits) : fmt::format("{:08x}", entry.bits);
    std::string text = fmt::format("{} {:<9}", word, rv32::mnemonicOf(i.operation));
    if (entry.hasValue)
        text += fmt::format(" x{}={:08x}", i.rd, entry.value);
    for (unsigned a = 0; a < entry.accessCount; ++a) {
        const TraceAccess& access = entry.accesses[a];
        text += fmt::format(" {} {:08x}+{}", access.isStore ? "store" : "load", access.address, access.bytes);
    }
    return text;
}

std::string registerText(const TraceEntry& entry)
{
    const TraceAccess& access = entry.accesses[0];
    std::string text = fmt::format("{} {}", access.isStore ? "write" : "read ", entry.name);
    if (access.bytes != 4)
        text += fmt::format("+{}", access.bytes);
    return entry.hasValue ? text + fmt::format(" = {:0{}x}", entry.value, 2 * access.bytes) : text;
}

std::string trapText(const TraceEntry& entry)
{
    const std::uint32_t cause = entry.cause & ~rv32::interruptFlag;
    if ((entry.cause & rv32::interruptFlag) == 0)
        return fmt::format("exception {}, mtval {:08x}, goes on at {:08x}", cause, entry.value, entry.target);
    const char* line = cause == static_cast<unsigned>(rv32::InterruptLine::External)   ? " (external)"
                       : cause == static_cast<unsigned>(rv32::InterruptLine::Timer)    ? " (timer)"
                       : cause == static_cast<unsigned>(rv32::InterruptLine::Software) ? " (software)"
                                                                                       : "";
    return fmt::format("interrupt {}{}, goes on at {:08x}", cause, line, entry.target);
}

std::string eventText(const TraceEntry& entry)
{
    switch (entry.what) {
    case TraceEntry::What::Instruction: return instructionText(entry);
    case TraceEntry::What::Register: return registerText(entry);
    case TraceEntry::What::Trap: return trapText(entry);
    case TraceEntry::What::Return: break;
    }
    return fmt::format("returns to {:08x}", entry.target);
}

} // namespace

std::string TraceText::heading(const TraceEntry& entry)
{
    if (places_ == nullptr)
        return "";
    const ElfImage::Symbol* function = places_->image().functionAt(entry.pc);
    const bool isOther = function != functions_[entry.core] || entry.core != lastCore_;
    functions_[entry.core] = function;
    lastCore_ = entry.core;
    if (!isOther || function == nullptr)
        return "";
    return (cores_ > 1 ? fmt::format("core {}, ", entry.core) : "") + places_->at(entry.pc) + ":\n";
}

std::string TraceText::of(const TraceEntry& entry)
{
    constexpr std::int64_t perNanosecond = 1000;
    const std::string core = cores_ > 1 ? fmt::format("{} ", entry.core) : "";
    return heading(entry) + fmt::format("{}{:>12}.{:03} {:>10} {:08x} {}\n", core, entry.at.count() / perNanosecond,
                                        entry.at.count() % perNanosecond, entry.number, entry.pc, eventText(entry));
}

} // namespace strobe::cpu
