// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/arithmetic_code_x86_64.h"

namespace strobe::rv32 {

const Xbyak::Reg32* ArithmeticCode::keptIn(unsigned reg) const
{
    switch (reg) {
    case 2: return &r12d;
    case 8: return &r13d;
    case 10: return &esi;
    case 11: return &edi;
    case 12: return &r8d;
    case 13: return &r9d;
    case 14: return &r10d;
    case 15: return &r11d;
    default: return nullptr;
    }
}

void ArithmeticCode::load(const Xbyak::Reg32& to, unsigned reg)
{
    const Xbyak::Reg32* const from = keptIn(reg);
    if (reg == 0)
        xor_(to, to);
    else if (from == nullptr)
        mov(to, in(reg));
    else if (*from != to)
        mov(to, *from);
}

void ArithmeticCode::store(unsigned reg, const Xbyak::Reg32& from)
{
    const Xbyak::Reg32* const to = keptIn(reg);
    if (to == nullptr)
        mov(in(reg), from);
    else if (*to != from)
        mov(*to, from);
}

Xbyak::Reg32 ArithmeticCode::resultOf(const Instruction& instruction, bool secondIsRegister)
{
    const Xbyak::Reg32* const result = keptIn(instruction.rd);
    const bool isSecond = secondIsRegister && instruction.rd == instruction.rs2;
    return result == nullptr || isSecond ? eax : *result;
}

void ArithmeticCode::setConstant(unsigned reg, std::uint32_t value)
{
    if (const Xbyak::Reg32* const to = keptIn(reg); to == nullptr)
        mov(in(reg), value);
    else if (value == 0)
        xor_(*to, *to);
    else
        mov(*to, value);
}

// --- arithmetic -----------------------------------------------------------------------------------------------------

void ArithmeticCode::emitImmediate(const Instruction& instruction)
{
    const auto imm = static_cast<std::uint32_t>(instruction.imm);
    if (instruction.operation == Operation::Addi && instruction.rs1 == 0) {
        setConstant(instruction.rd, imm);
        return;
    }
    if (instruction.operation == Operation::Slti || instruction.operation == Operation::Sltiu) {
        xor_(ecx, ecx);
        load(eax, instruction.rs1);
        cmp(eax, imm);
        if (instruction.operation == Operation::Slti)
            setl(cl);
        else
            setb(cl);
        store(instruction.rd, ecx);
        return;
    }
    const Xbyak::Reg32 result = resultOf(instruction, false);
    load(result, instruction.rs1);
    switch (instruction.operation) {
    case Operation::Addi:
        if (imm != 0)
            add(result, imm);
        break;
    case Operation::Xori: xor_(result, imm); break;
    case Operation::Ori: or_(result, imm); break;
    case Operation::Andi: and_(result, imm); break;
    case Operation::Slli: shl(result, static_cast<int>(imm & 31)); break;
    case Operation::Srli: shr(result, static_cast<int>(imm & 31)); break;
    default: sar(result, static_cast<int>(imm & 31)); break;
    }
    store(instruction.rd, result);
}

void ArithmeticCode::emitRegister(const Instruction& instruction)
{
    const bool isSet = instruction.operation == Operation::Slt || instruction.operation == Operation::Sltu;
    const bool isShift = instruction.operation == Operation::Sll || instruction.operation == Operation::Srl ||
                         instruction.operation == Operation::Sra;
    if (isSet) {
        load(eax, instruction.rs1);
        withOperand(instruction.rs2, [&](const auto& operand) { cmp(eax, operand); });
        mov(ecx, 0); // keeps the flags
        if (instruction.operation == Operation::Slt)
            setl(cl);
        else
            setb(cl);
        store(instruction.rd, ecx);
        return;
    }
    const Xbyak::Reg32 result = resultOf(instruction, true);
    if (isShift) {
        load(ecx, instruction.rs2);
        load(result, instruction.rs1);
        if (instruction.operation == Operation::Sll)
            shl(result, cl);
        else if (instruction.operation == Operation::Srl)
            shr(result, cl);
        else
            sar(result, cl);
        store(instruction.rd, result);
        return;
    }
    load(result, instruction.rs1);
    withOperand(instruction.rs2, [&](const auto& operand) {
        switch (instruction.operation) {
        case Operation::Add: add(result, operand); break;
        case Operation::Sub: sub(result, operand); break;
        case Operation::Xor: xor_(result, operand); break;
        case Operation::Or: or_(result, operand); break;
        case Operation::And: and_(result, operand); break;
        default: imul(result, operand); break;
        }
    });
    store(instruction.rd, result);
}

void ArithmeticCode::emitMultiplyHigh(const Instruction& instruction)
{
    load(eax, instruction.rs1);
    load(ecx, instruction.rs2);
    if (instruction.operation != Operation::Mulhu)
        movsxd(rax, eax);
    if (instruction.operation == Operation::Mulh)
        movsxd(rcx, ecx);
    imul(rax, rcx);
    shr(rax, 32);
    store(instruction.rd, eax);
}

// Division by zero and the overflow of the most negative number have results, not traps (Unprivileged ISA, 7.2).
void ArithmeticCode::emitDivide(const Instruction& instruction)
{
    const bool isSigned = instruction.operation == Operation::Div || instruction.operation == Operation::Rem;
    const bool isQuotient = instruction.operation == Operation::Div || instruction.operation == Operation::Divu;
    Xbyak::Label byZero;
    Xbyak::Label byMinusOne;
    Xbyak::Label end;
    load(ecx, instruction.rs2);
    load(eax, instruction.rs1);
    test(ecx, ecx);
    jz(byZero);
    if (isSigned) {
        cmp(ecx, ~0U);
        jz(byMinusOne);
        cdq();
        idiv(ecx);
    } else {
        xor_(edx, edx);
        div(ecx);
    }
    jmp(end);
    L(byZero);
    mov(edx, eax);
    mov(eax, ~0U);
    jmp(end);
    L(byMinusOne);
    neg(eax);
    xor_(edx, edx);
    L(end);
    store(instruction.rd, isQuotient ? eax : edx);
}

} // namespace strobe::rv32
