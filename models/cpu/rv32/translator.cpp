// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/translator.h"

#include "models/base/check.h"
#include "models/cpu/rv32/predecode.h"

#include <cstring>

namespace strobe::rv32 {

void Translator::setHandlers(const Handlers& handlers, bool joinsPairs)
{
    handlers_ = handlers;
    joinsPairs_ = joinsPairs;
    memory_.code().setHandlers(handlers_.decode(), handlers_.nextPage());
}

bool Translator::translate(std::uint32_t pc, Step& step)
{
    std::uint32_t bits = 0;
    if (!memory_.fetch(pc, bits))
        return false;
    memory_.reportExecution(pc);
    const Instruction instruction = decode(bits);
    Step fresh{};
    const StepKind kind = predecode(instruction, pc, bits, cycles_, fresh);
    takeOperands(pc, step, fresh);
    step.handler = breakpoints_.count(pc) != 0 ? handlers_.breakpoint() : handlerOf(kind, instruction.bytes, pc, step);
    return true;
}

// Code may have changed without notice. Then no step decoded from the old instruction, alone or as the second of a
// pair, may use the operands of the new one: another kind of step would misinterpret them.
void Translator::takeOperands(std::uint32_t pc, Step& step, const Step& fresh)
{
    const bool isSame = step.imm == fresh.imm && step.rd == fresh.rd && step.rs1 == fresh.rs1 &&
                        step.rs2 == fresh.rs2 && step.cycles == fresh.cycles;
    if (isSame)
        return;
    const bool wasDecoded = step.cycles != 0; // each instruction has one at least
    if (wasDecoded)
        memory_.code().forget(pc, pc);
    const void* const handler = step.handler;
    step = fresh;
    step.handler = handler;
}

// That of a pair, if the next instruction in the same page forms one: then it also uses the operands of the next step,
// whose own handler is chosen when it is reached.
const void* Translator::handlerOf(StepKind kind, unsigned bytes, std::uint32_t pc, Step& step)
{
    const void* const alone = handlers_.of(kind, bytes);
    const std::uint32_t next = pc + bytes;
    if (!joinsPairs_ || breakpoints_.count(next) != 0 || next >> pageBits != pc >> pageBits ||
        (next + 2) >> pageBits != pc >> pageBits)
        return alone;
    const std::uint8_t* const code = memory_.direct().find(next, 4, false);
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

const void* Translator::handlerAt(std::uint32_t pc)
{
    std::uint32_t bits = 0;
    check(memory_.fetch(pc, bits), "an instruction is no longer where it was decoded");
    const Instruction instruction = decode(bits);
    Step step{};
    return handlers_.of(predecode(instruction, pc, bits, cycles_, step), instruction.bytes);
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
