#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// RV32IMAC + Zicsr + Zifencei and the machine-mode instructions, as data: what the bits of an instruction mean. Every
// encoding that the specification reserves, and every encoding of an absent extension, is Operation::Illegal; hints are
// decoded as the instructions that encode them. Compressed instructions become their expansions.

#include "models/cpu/rv32/cycle_table.h"

#include <cstdint>
#include <string_view>

namespace strobe::rv32 {

// name, mnemonic, class
#define STROBE_RV32_OPERATIONS(X)                                                                                      \
    X(Illegal, "illegal", System)                                                                                      \
    X(Lui, "lui", Simple)                                                                                              \
    X(Auipc, "auipc", Simple)                                                                                          \
    X(Jal, "jal", Jump)                                                                                                \
    X(Jalr, "jalr", Jump)                                                                                              \
    X(Beq, "beq", Branch)                                                                                              \
    X(Bne, "bne", Branch)                                                                                              \
    X(Blt, "blt", Branch)                                                                                              \
    X(Bge, "bge", Branch)                                                                                              \
    X(Bltu, "bltu", Branch)                                                                                            \
    X(Bgeu, "bgeu", Branch)                                                                                            \
    X(Lb, "lb", Load)                                                                                                  \
    X(Lh, "lh", Load)                                                                                                  \
    X(Lw, "lw", Load)                                                                                                  \
    X(Lbu, "lbu", Load)                                                                                                \
    X(Lhu, "lhu", Load)                                                                                                \
    X(Sb, "sb", Store)                                                                                                 \
    X(Sh, "sh", Store)                                                                                                 \
    X(Sw, "sw", Store)                                                                                                 \
    X(Addi, "addi", Simple)                                                                                            \
    X(Slti, "slti", Simple)                                                                                            \
    X(Sltiu, "sltiu", Simple)                                                                                          \
    X(Xori, "xori", Simple)                                                                                            \
    X(Ori, "ori", Simple)                                                                                              \
    X(Andi, "andi", Simple)                                                                                            \
    X(Slli, "slli", Simple)                                                                                            \
    X(Srli, "srli", Simple)                                                                                            \
    X(Srai, "srai", Simple)                                                                                            \
    X(Add, "add", Simple)                                                                                              \
    X(Sub, "sub", Simple)                                                                                              \
    X(Sll, "sll", Simple)                                                                                              \
    X(Slt, "slt", Simple)                                                                                              \
    X(Sltu, "sltu", Simple)                                                                                            \
    X(Xor, "xor", Simple)                                                                                              \
    X(Srl, "srl", Simple)                                                                                              \
    X(Sra, "sra", Simple)                                                                                              \
    X(Or, "or", Simple)                                                                                                \
    X(And, "and", Simple)                                                                                              \
    X(Mul, "mul", Multiply)                                                                                            \
    X(Mulh, "mulh", Multiply)                                                                                          \
    X(Mulhsu, "mulhsu", Multiply)                                                                                      \
    X(Mulhu, "mulhu", Multiply)                                                                                        \
    X(Div, "div", Divide)                                                                                              \
    X(Divu, "divu", Divide)                                                                                            \
    X(Rem, "rem", Divide)                                                                                              \
    X(Remu, "remu", Divide)                                                                                            \
    X(Fence, "fence", System)                                                                                          \
    X(FenceI, "fence.i", System)                                                                                       \
    X(Ecall, "ecall", System)                                                                                          \
    X(Ebreak, "ebreak", System)                                                                                        \
    X(Mret, "mret", System)                                                                                            \
    X(Wfi, "wfi", System)                                                                                              \
    X(Csrrw, "csrrw", System)                                                                                          \
    X(Csrrs, "csrrs", System)                                                                                          \
    X(Csrrc, "csrrc", System)                                                                                          \
    X(Csrrwi, "csrrwi", System)                                                                                        \
    X(Csrrsi, "csrrsi", System)                                                                                        \
    X(Csrrci, "csrrci", System)                                                                                        \
    X(LrW, "lr.w", Atomic)                                                                                             \
    X(ScW, "sc.w", Atomic)                                                                                             \
    X(AmoswapW, "amoswap.w", Atomic)                                                                                   \
    X(AmoaddW, "amoadd.w", Atomic)                                                                                     \
    X(AmoxorW, "amoxor.w", Atomic)                                                                                     \
    X(AmoandW, "amoand.w", Atomic)                                                                                     \
    X(AmoorW, "amoor.w", Atomic)                                                                                       \
    X(AmominW, "amomin.w", Atomic)                                                                                     \
    X(AmomaxW, "amomax.w", Atomic)                                                                                     \
    X(AmominuW, "amominu.w", Atomic)                                                                                   \
    X(AmomaxuW, "amomaxu.w", Atomic)

enum class Operation : std::uint8_t {
#define STROBE_RV32_NAME(name, mnemonic, instructionClass) name,
    STROBE_RV32_OPERATIONS(STROBE_RV32_NAME)
#undef STROBE_RV32_NAME
};

std::string_view mnemonicOf(Operation operation);
InstructionClass classOf(Operation operation);

struct Instruction {
    Operation operation = Operation::Illegal;
    unsigned bytes = 4; // 2 or 4
    std::uint8_t rd = 0;
    std::uint8_t rs1 = 0; // of csr..i: the immediate
    std::uint8_t rs2 = 0;
    std::int32_t imm = 0; // of csr..: the register's number; of a lui or auipc: already shifted
};

// Registers that calls return through, by the calling convention.
constexpr bool isLink(unsigned reg)
{
    return reg == 1 || reg == 5;
}
constexpr bool isCall(const Instruction& instruction)
{
    return (instruction.operation == Operation::Jal || instruction.operation == Operation::Jalr) &&
           isLink(instruction.rd);
}

// The bits of a compressed instruction do not end in 11; bits above its 16 are ignored.
constexpr bool isCompressed(std::uint32_t bits)
{
    return (bits & 3) != 3;
}
Instruction decode(std::uint32_t bits);

} // namespace strobe::rv32
