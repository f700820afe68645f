// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/predecode.h"

namespace strobe::rv32 {

namespace {

StepKind nearKind(StepKind kind)
{
    const auto distance = static_cast<unsigned>(StepKind::BeqNear) - static_cast<unsigned>(StepKind::Beq);
    return static_cast<StepKind>(static_cast<unsigned>(kind) + distance);
}

// Operations that are kinds of their own.
StepKind plainKind(Operation operation)
{
    switch (operation) {
#define STROBE_RV32_SAME(name)                                                                                         \
    case Operation::name: return StepKind::name;
        STROBE_RV32_SAME(Addi)
        STROBE_RV32_SAME(Slti)
        STROBE_RV32_SAME(Sltiu)
        STROBE_RV32_SAME(Xori)
        STROBE_RV32_SAME(Ori)
        STROBE_RV32_SAME(Andi)
        STROBE_RV32_SAME(Slli)
        STROBE_RV32_SAME(Srli)
        STROBE_RV32_SAME(Srai)
        STROBE_RV32_SAME(Add)
        STROBE_RV32_SAME(Sub)
        STROBE_RV32_SAME(Sll)
        STROBE_RV32_SAME(Slt)
        STROBE_RV32_SAME(Sltu)
        STROBE_RV32_SAME(Xor)
        STROBE_RV32_SAME(Srl)
        STROBE_RV32_SAME(Sra)
        STROBE_RV32_SAME(Or)
        STROBE_RV32_SAME(And)
        STROBE_RV32_SAME(Mul)
        STROBE_RV32_SAME(Mulh)
        STROBE_RV32_SAME(Mulhsu)
        STROBE_RV32_SAME(Mulhu)
        STROBE_RV32_SAME(Div)
        STROBE_RV32_SAME(Divu)
        STROBE_RV32_SAME(Rem)
        STROBE_RV32_SAME(Remu)
        STROBE_RV32_SAME(Lb)
        STROBE_RV32_SAME(Lh)
        STROBE_RV32_SAME(Lw)
        STROBE_RV32_SAME(Lbu)
        STROBE_RV32_SAME(Lhu)
        STROBE_RV32_SAME(Sb)
        STROBE_RV32_SAME(Sh)
        STROBE_RV32_SAME(Sw)
        STROBE_RV32_SAME(Beq)
        STROBE_RV32_SAME(Bne)
        STROBE_RV32_SAME(Blt)
        STROBE_RV32_SAME(Bge)
        STROBE_RV32_SAME(Bltu)
        STROBE_RV32_SAME(Bgeu)
        STROBE_RV32_SAME(Jal)
        STROBE_RV32_SAME(Jalr)
        STROBE_RV32_SAME(Fence)
        STROBE_RV32_SAME(FenceI)
        STROBE_RV32_SAME(Ecall)
        STROBE_RV32_SAME(Ebreak)
        STROBE_RV32_SAME(Mret)
        STROBE_RV32_SAME(Wfi)
#undef STROBE_RV32_SAME
    default: return StepKind::Illegal;
    }
}

} // namespace

StepKind predecode(const Instruction& instruction, std::uint32_t pc, std::uint32_t bits, const CycleTable& cycles,
                   Step& step)
{
    step.rd = instruction.rd == 0 ? 32 : instruction.rd;
    step.rs1 = instruction.rs1;
    step.rs2 = instruction.rs2;
    step.imm = instruction.imm;
    const InstructionClass instructionClass = classOf(instruction.operation);
    step.cycles = cycles.of(instructionClass);

    const auto offset = static_cast<std::uint32_t>(instruction.imm);
    const bool isNear = ((pc ^ (pc + offset)) >> pageBits) == 0;
    switch (instruction.operation) {
    case Operation::Illegal: step.imm = static_cast<std::int32_t>(bits); return StepKind::Illegal;
    case Operation::Lui: return StepKind::Li;
    case Operation::Auipc: step.imm = static_cast<std::int32_t>(pc + offset); return StepKind::Li;
    case Operation::Addi: return instruction.rs1 == 0 ? StepKind::Li : StepKind::Addi;
    case Operation::Jal:
        if (!isNear)
            return StepKind::Jal;
        step.imm /= 2;
        return instruction.rd == 0 ? StepKind::JumpNear : StepKind::JalNear;
    default: break;
    }
    switch (instructionClass) {
    case InstructionClass::Branch:
        if (!isNear)
            return plainKind(instruction.operation);
        step.imm /= 2;
        return nearKind(plainKind(instruction.operation));
    case InstructionClass::Atomic: step.imm = static_cast<std::int32_t>(instruction.operation); return StepKind::Atomic;
    default: break;
    }
    if (instruction.operation >= Operation::Csrrw && instruction.operation <= Operation::Csrrci) {
        step.rs2 = static_cast<std::uint8_t>(instruction.operation);
        return StepKind::Csr;
    }
    return plainKind(instruction.operation);
}

} // namespace strobe::rv32
