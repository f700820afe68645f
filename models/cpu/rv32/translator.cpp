// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/translator.h"

#include "models/base/check.h"
#include "models/cpu/rv32/instruction.h"
#include "models/cpu/rv32/predecode.h"

namespace strobe::rv32 {

void Translator::setHandlers(const Handlers& handlers)
{
    handlers_ = handlers;
    memory_.code().setHandlers(handlers_.decode(), handlers_.nextPage());
}

bool Translator::translate(std::uint32_t pc, Step& step)
{
    std::uint32_t bits = 0;
    if (!memory_.fetch(pc, bits))
        return false;
    memory_.reportExecution(pc);
    const Instruction instruction = decode(bits);
    const StepKind kind = predecode(instruction, pc, bits, cycles_, step);
    step.handler = breakpoints_.count(pc) != 0 ? handlers_.breakpoint() : handlers_.of(kind, instruction.bytes);
    return true;
}

const void* Translator::handlerAt(std::uint32_t pc)
{
    std::uint32_t bits = 0;
    check(memory_.fetch(pc, bits), "an instruction is no longer where it was decoded");
    const Instruction instruction = decode(bits);
    Step step{};
    return handlers_.of(predecode(instruction, pc, bits, cycles_, step), instruction.bytes);
}

bool Translator::isTranslationOf(const Step& step, std::uint32_t pc, std::uint32_t bits) const
{
    const Instruction instruction = decode(bits);
    Step now{};
    const StepKind kind = predecode(instruction, pc, bits, cycles_, now);
    return step.handler == handlers_.of(kind, instruction.bytes) && step.imm == now.imm && step.rd == now.rd &&
           step.rs1 == now.rs1 && step.rs2 == now.rs2;
}

void Translator::addBreakpoint(std::uint32_t address)
{
    breakpoints_.insert(address);
    memory_.code().forget(address, address);
}

void Translator::removeBreakpoint(std::uint32_t address)
{
    breakpoints_.erase(address);
    memory_.code().forget(address, address);
}

} // namespace strobe::rv32
