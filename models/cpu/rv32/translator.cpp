// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/translator.h"

#include "models/base/check.h"
#include "models/cpu/rv32/predecode.h"

#include <cstring>

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

std::optional<Instruction> Translator::instructionAt(std::uint32_t pc) const
{
    const std::uint8_t* const first = memory_.direct().find(pc, 2, false);
    if (first == nullptr)
        return std::nullopt;
    std::uint16_t low = 0;
    std::memcpy(&low, first, sizeof low);
    if (isCompressed(low))
        return decode(low);
    const std::uint8_t* const second = memory_.direct().find(pc + 2, 2, false);
    if (second == nullptr)
        return std::nullopt;
    std::uint16_t high = 0;
    std::memcpy(&high, second, sizeof high);
    return decode(std::uint32_t{high} << 16 | low);
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
