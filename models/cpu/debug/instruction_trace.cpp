// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/instruction_trace.h"

#include "models/cpu/rv32/instruction.h"

#include <fmt/format.h>

namespace strobe::cpu {

InstructionTrace::InstructionTrace(const CodePlaces* places, std::uint64_t limit, Sink sink)
    : places_(places), left_(limit), sink_(std::move(sink))
{
}

void InstructionTrace::accessed(const rv32::Core& /*core*/, std::uint32_t address, unsigned bytes, bool isStore)
{
    if (left_ > 0) // an atomic reports both
        access_ += fmt::format(" {} {:08x}+{}", isStore ? "store" : "load", address, bytes);
}

void InstructionTrace::retired(const rv32::Core& core, std::uint32_t pc, std::uint32_t bits, unsigned /*cycles*/)
{
    if (left_ == 0)
        return;
    --left_;
    if (places_ != nullptr) {
        const ElfImage::Symbol* function = places_->image().functionAt(pc);
        if (function != function_ && function != nullptr)
            sink_(fmt::format("{}:\n", places_->at(pc)));
        function_ = function;
    }
    const rv32::Instruction i = rv32::decode(bits);
    const std::string word = i.bytes == 2 ? fmt::format("    {:04x}", bits & 0xFFFFU) : fmt::format("{:08x}", bits);
    const std::string written = i.rd == 0 ? "" : fmt::format(" x{}={:08x}", i.rd, core.reg(i.rd));
    sink_(fmt::format("{:>10} {:08x} {} {:<9}{}{}\n", core.retired(), pc, word, rv32::mnemonicOf(i.operation), written,
                      access_));
    access_.clear();
}

void InstructionTrace::trapped(const rv32::Core& core)
{
    if (left_ == 0)
        return;
    const std::uint32_t cause = core.csr(rv32::csr::mcause).value_or(0);
    sink_(fmt::format("{:>10} {} {} at {:08x}, mtval {:08x}, goes on at {:08x}\n", core.retired(),
                      (cause & rv32::interruptFlag) != 0 ? "interrupt" : "exception", cause & ~rv32::interruptFlag,
                      core.csr(rv32::csr::mepc).value_or(0), core.csr(rv32::csr::mtval).value_or(0), core.pc()));
    access_.clear();
}

} // namespace strobe::cpu
