#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Machine code of blocks (x86-64, with Xbyak). Eight registers of the hart, those that compilers use most, are kept in
// registers of the machine as long as compiled code runs; the others are in Hart::x.
//
// A block subtracts its instructions from the budget when it begins and adds those that it has not executed when it is
// left early. A block that ends goes on with the entry of what follows (CodePage::entries): another block, or one of
// two ways out.

#include "models/cpu/rv32/hart.h"
#include "models/cpu/rv32/hart_memory.h"
#include "models/cpu/rv32/instruction.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace strobe::rv32 {

struct BlockInstruction {
    Instruction instruction;
    std::uint32_t pc = 0;
};

class BlockEmitter {
public:
    // Null: this machine is not x86-64, or gives no memory for code.
    static std::unique_ptr<BlockEmitter> make(HartMemory& memory);
    static bool canEmit(const Instruction& instruction);

    ~BlockEmitter();
    BlockEmitter(const BlockEmitter&) = delete;
    BlockEmitter& operator=(const BlockEmitter&) = delete;

    bool hasSpace() const; // for one more block
    void clear();          // REQUIRES: no entry of a block is used any more
    // REQUIRES: hasSpace(), not empty, all in the page, each follows the one before, canEmit() each, no jal or jalr but
    // the last
    const void* emit(const CodePage& page, const std::vector<BlockInstruction>& block);

    // Entries that are ways out: run() returns true and false.
    const void* arrival() const;
    const void* asSteps() const;
    bool run(Hart& hart, const void* entry) const;

private:
    class Code;
    explicit BlockEmitter(std::unique_ptr<Code> code);

    std::unique_ptr<Code> code_;
};

} // namespace strobe::rv32
