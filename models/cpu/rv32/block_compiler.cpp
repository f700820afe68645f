// SPDX-License-Identifier: Apache-2.0
//
// When what is compiled; block_emitter.h says how.
#include "models/cpu/rv32/block_compiler.h"

#include "models/cpu/rv32/block_emitter.h"

#include <algorithm>
#include <vector>

namespace strobe::rv32 {

BlockCompiler::BlockCompiler(Hart& hart, HartMemory& memory, const Translator& translator, unsigned after)
    : hart_(hart), memory_(memory), translator_(translator), after_(std::min(after, 255U))
{
    if (after != 0)
        emitter_ = BlockEmitter::make(memory);
    if (emitter_ == nullptr)
        return;
    arrival_ = emitter_->arrival();
    asSteps_ = emitter_->asSteps();
    memory_.code().setEntry(arrival_);
}

BlockCompiler::~BlockCompiler() = default;

bool BlockCompiler::run(const void* entry)
{
    return emitter_->run(hart_, entry);
}

const void* BlockCompiler::count(CodePage& page, std::uint32_t index)
{
    if (page.arrivals[index] < after_ && ++page.arrivals[index] < after_)
        return nullptr;
    return compile(page, index);
}

bool BlockCompiler::isObserved(const Instruction& instruction, std::uint32_t pc) const
{
    if (observer_ == nullptr)
        return false;
    if (instruction.operation == Operation::Slti && instruction.rd == 0)
        return observer_->seesHints();
    if (isCall(instruction) || instruction.operation == Operation::Jalr)
        return true;
    return (instruction.operation == Operation::Jal || classOf(instruction.operation) == InstructionClass::Branch) &&
           observer_->sees(pc, pc + static_cast<std::uint32_t>(instruction.imm));
}

const void* BlockCompiler::compile(CodePage& page, std::uint32_t index)
{
    if (!translator_.isTranslated(page.steps[index]))
        return nullptr;
    std::vector<BlockInstruction> block;
    std::uint32_t at = index;
    while (at < stepsPerPage && block.size() < maxBlock && translator_.isTranslated(page.steps[at])) {
        const std::uint32_t pc = page.base + 2 * at;
        const std::optional<std::uint32_t> bits = memory_.peek(pc);
        if (!bits || !translator_.isTranslationOf(page.steps[at], pc, *bits))
            break;
        const Instruction instruction = decode(*bits);
        if (at + instruction.bytes / 2 > stepsPerPage || !BlockEmitter::canEmit(instruction) ||
            isObserved(instruction, pc))
            break;
        block.push_back({instruction, pc});
        at += instruction.bytes / 2;
        if (instruction.operation == Operation::Jal || instruction.operation == Operation::Jalr)
            break;
    }
    if (block.empty()) {
        page.entries[index] = asSteps_;
        page.hasBlocks = true;
        return nullptr;
    }
    if (!emitter_->hasSpace()) {
        memory_.code().forgetBlocks();
        emitter_->clear();
    }
    const void* const entry = emitter_->emit(page, block);
    page.entries[index] = entry;
    page.hasBlocks = true;
    for (std::uint32_t covered = index; covered < at; ++covered)
        page.covered.set(covered);
    ++blocks_;
    return entry;
}

} // namespace strobe::rv32
