#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Compiles instructions that are executed often to code of this machine (x86-64), a block at a time: the instructions
// from one that a jump reaches to the next jump without a condition, at most maxBlock, in one page. Compiled code ends
// where threaded code must go on, and instruction counts and budgets are exact there:
//   - before a block that the budget does not cover,
//   - before a load or store that the tables of direct memory do not serve, or that is misaligned,
//   - before instructions that are not compiled: system instructions, CSRs, atomics, fence.i, breakpoints, jumps
//     and hints that an observer of calls must see, and those that cross the end of a page or have not been executed
//     yet.
// Blocks call nothing. One reaches another through CodePage::entries, so that forgetting a block is a store.
// On other machines, or where memory cannot be made executable, nothing is compiled.

#include "models/cpu/rv32/environment.h"
#include "models/cpu/rv32/hart.h"
#include "models/cpu/rv32/hart_memory.h"
#include "models/cpu/rv32/translator.h"

#include <cstdint>
#include <memory>

namespace strobe::rv32 {

class BlockEmitter;
struct Instruction;

class BlockCompiler {
public:
    static constexpr unsigned maxBlock = 64; // instructions

    // `after`: a jump must have reached an instruction so often before it is compiled; 0: nothing is compiled.
    BlockCompiler(Hart& hart, HartMemory& memory, const Translator& translator, unsigned after);
    ~BlockCompiler();
    BlockCompiler(const BlockCompiler&) = delete;
    BlockCompiler& operator=(const BlockCompiler&) = delete;

    // The code of the block that begins at this step, compiled now if it is time. Null: its instructions are executed
    // as steps.
    const void* arrive(CodePage& page, const Step& step)
    {
        if (emitter_ == nullptr)
            return nullptr;
        const void* const entry = page.entries[page.indexOf(step)];
        return entry == arrival_ ? count(page, page.indexOf(step)) : entry == asSteps_ ? nullptr : entry;
    }
    // From hart.left on; sets hart.pc and hart.left. True: a jump has reached hart.pc; false: the instruction there
    // must be executed as a step.
    bool run(const void* entry);

    // An observer of Detail::Calls; null: none. REQUIRES: all blocks are forgotten before the next run
    void setObserver(Observer* observer) { observer_ = observer; }
    std::uint64_t blocks() const { return blocks_; } // compiled so far

private:
    const void* count(CodePage& page, std::uint32_t index);
    const void* compile(CodePage& page, std::uint32_t index);
    bool isObserved(const Instruction& instruction, std::uint32_t pc) const;

    Hart& hart_;
    HartMemory& memory_;
    const Translator& translator_;
    unsigned after_;
    Observer* observer_ = nullptr;
    std::unique_ptr<BlockEmitter> emitter_;
    const void* arrival_ = nullptr; // entries of what is not compiled (yet)
    const void* asSteps_ = nullptr; // entries of what is never compiled
    std::uint64_t blocks_ = 0;
};

} // namespace strobe::rv32
