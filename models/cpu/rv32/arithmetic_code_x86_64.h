#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Machine code (x86-64) of instructions that only work on registers of the hart. Some of these are kept in registers of
// the machine, as 64 bits with zeros above; the others are in Hart::x, whose address is in rbx. rax, rcx and rdx are
// free in each instruction.

#include "models/cpu/rv32/hart.h"
#include "models/cpu/rv32/instruction.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <xbyak/xbyak.h>

namespace strobe::rv32 {

class ArithmeticCode : protected Xbyak::CodeGenerator {
protected:
    ArithmeticCode(std::size_t capacity, void* bytes) : CodeGenerator(capacity, bytes) {}

    // sp, s0 and a0 to a5: most of all operands in compiled C.
    static constexpr std::array<unsigned, 8> kept = {2, 8, 10, 11, 12, 13, 14, 15};
    const Xbyak::Reg32* keptIn(unsigned reg) const; // null: it is not kept
    Xbyak::Address in(unsigned reg) { return dword[rbx + offsetof(Hart, x) + std::size_t{4} * reg]; }

    void load(const Xbyak::Reg32& to, unsigned reg);
    void store(unsigned reg, const Xbyak::Reg32& from);  // REQUIRES: not x0
    void setConstant(unsigned reg, std::uint32_t value); // REQUIRES: not x0
    // Calls apply with the operand: a register, memory, or ecx with 0.
    template <class Apply>
    void withOperand(unsigned reg, Apply apply)
    {
        if (reg == 0) {
            xor_(ecx, ecx);
            apply(ecx);
        } else if (const Xbyak::Reg32* const from = keptIn(reg); from != nullptr) {
            apply(*from);
        } else {
            apply(in(reg));
        }
    }

    // REQUIRES: rd is not x0
    void emitImmediate(const Instruction& instruction); // addi to srai
    void emitRegister(const Instruction& instruction);  // add to and, mul
    void emitMultiplyHigh(const Instruction& instruction);
    void emitDivide(const Instruction& instruction);

private:
    // Where the result is computed: the register itself, unless it is not kept or is the second operand as well.
    Xbyak::Reg32 resultOf(const Instruction& instruction, bool secondIsRegister);
};

} // namespace strobe::rv32
