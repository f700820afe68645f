// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/instruction.h"

#include "models/cpu/rv32/compressed.h"
#include "models/cpu/rv32/fields.h"

#include <array>

namespace strobe::rv32 {

namespace {

struct OperationRow {
    std::string_view mnemonic;
    InstructionClass instructionClass;
};
constexpr OperationRow operationRows[] = {
#define STROBE_RV32_ROW(name, mnemonic, instructionClass) {mnemonic, InstructionClass::instructionClass},
    STROBE_RV32_OPERATIONS(STROBE_RV32_ROW)
#undef STROBE_RV32_ROW
};

// Positions of the operands (Unprivileged ISA, chapters 2.2, 2.3). None: the row fixes every bit, or they do not
// matter.
enum class Format : std::uint8_t { None, R, I, Shift, S, B, U, J, Csr };

struct Encoding {
    Operation operation;
    std::uint32_t mask;
    std::uint32_t match;
    Format format;
};

constexpr std::uint32_t opcodeMask = 0x0000007F;
constexpr std::uint32_t funct3Mask = 0x0000707F;
constexpr std::uint32_t funct7Mask = 0xFE00707F;               // with funct3
constexpr std::uint32_t atomicMask = 0xF800707F;               // funct5 and funct3: aq and rl may be anything
constexpr std::uint32_t reserveMask = atomicMask | 0x01F00000; // lr.w: rs2 is 0

using O = Operation;
constexpr Encoding encodings[] = {
    {O::Lw, funct3Mask, 0x00002003, Format::I},
    {O::Sw, funct3Mask, 0x00002023, Format::S},
    {O::Addi, funct3Mask, 0x00000013, Format::I},
    {O::Lui, opcodeMask, 0x00000037, Format::U},
    {O::Auipc, opcodeMask, 0x00000017, Format::U},
    {O::Jal, opcodeMask, 0x0000006F, Format::J},
    {O::Jalr, funct3Mask, 0x00000067, Format::I},
    {O::Beq, funct3Mask, 0x00000063, Format::B},
    {O::Bne, funct3Mask, 0x00001063, Format::B},
    {O::Blt, funct3Mask, 0x00004063, Format::B},
    {O::Bge, funct3Mask, 0x00005063, Format::B},
    {O::Bltu, funct3Mask, 0x00006063, Format::B},
    {O::Bgeu, funct3Mask, 0x00007063, Format::B},
    {O::Lb, funct3Mask, 0x00000003, Format::I},
    {O::Lh, funct3Mask, 0x00001003, Format::I},
    {O::Lbu, funct3Mask, 0x00004003, Format::I},
    {O::Lhu, funct3Mask, 0x00005003, Format::I},
    {O::Sb, funct3Mask, 0x00000023, Format::S},
    {O::Sh, funct3Mask, 0x00001023, Format::S},
    {O::Slti, funct3Mask, 0x00002013, Format::I},
    {O::Sltiu, funct3Mask, 0x00003013, Format::I},
    {O::Xori, funct3Mask, 0x00004013, Format::I},
    {O::Ori, funct3Mask, 0x00006013, Format::I},
    {O::Andi, funct3Mask, 0x00007013, Format::I},
    {O::Slli, funct7Mask, 0x00001013, Format::Shift},
    {O::Srli, funct7Mask, 0x00005013, Format::Shift},
    {O::Srai, funct7Mask, 0x40005013, Format::Shift},
    {O::Add, funct7Mask, 0x00000033, Format::R},
    {O::Sub, funct7Mask, 0x40000033, Format::R},
    {O::Sll, funct7Mask, 0x00001033, Format::R},
    {O::Slt, funct7Mask, 0x00002033, Format::R},
    {O::Sltu, funct7Mask, 0x00003033, Format::R},
    {O::Xor, funct7Mask, 0x00004033, Format::R},
    {O::Srl, funct7Mask, 0x00005033, Format::R},
    {O::Sra, funct7Mask, 0x40005033, Format::R},
    {O::Or, funct7Mask, 0x00006033, Format::R},
    {O::And, funct7Mask, 0x00007033, Format::R},
    {O::Mul, funct7Mask, 0x02000033, Format::R},
    {O::Mulh, funct7Mask, 0x02001033, Format::R},
    {O::Mulhsu, funct7Mask, 0x02002033, Format::R},
    {O::Mulhu, funct7Mask, 0x02003033, Format::R},
    {O::Div, funct7Mask, 0x02004033, Format::R},
    {O::Divu, funct7Mask, 0x02005033, Format::R},
    {O::Rem, funct7Mask, 0x02006033, Format::R},
    {O::Remu, funct7Mask, 0x02007033, Format::R},
    {O::Fence, funct3Mask, 0x0000000F, Format::None}, // all its other fields are for finer fences, and ignored
    {O::FenceI, funct3Mask, 0x0000100F, Format::None},
    {O::Ecall, 0xFFFFFFFF, 0x00000073, Format::None},
    {O::Ebreak, 0xFFFFFFFF, 0x00100073, Format::None},
    {O::Mret, 0xFFFFFFFF, 0x30200073, Format::None},
    {O::Wfi, 0xFFFFFFFF, 0x10500073, Format::None},
    {O::Csrrw, funct3Mask, 0x00001073, Format::Csr},
    {O::Csrrs, funct3Mask, 0x00002073, Format::Csr},
    {O::Csrrc, funct3Mask, 0x00003073, Format::Csr},
    {O::Csrrwi, funct3Mask, 0x00005073, Format::Csr},
    {O::Csrrsi, funct3Mask, 0x00006073, Format::Csr},
    {O::Csrrci, funct3Mask, 0x00007073, Format::Csr},
    {O::LrW, reserveMask, 0x1000202F, Format::R},
    {O::ScW, atomicMask, 0x1800202F, Format::R},
    {O::AmoswapW, atomicMask, 0x0800202F, Format::R},
    {O::AmoaddW, atomicMask, 0x0000202F, Format::R},
    {O::AmoxorW, atomicMask, 0x2000202F, Format::R},
    {O::AmoandW, atomicMask, 0x6000202F, Format::R},
    {O::AmoorW, atomicMask, 0x4000202F, Format::R},
    {O::AmominW, atomicMask, 0x8000202F, Format::R},
    {O::AmomaxW, atomicMask, 0xA000202F, Format::R},
    {O::AmominuW, atomicMask, 0xC000202F, Format::R},
    {O::AmomaxuW, atomicMask, 0xE000202F, Format::R},
};

std::int32_t immediate(std::uint32_t bits, Format format)
{
    switch (format) {
    case Format::I: return signExtend(field(bits, 31, 20), 12);
    case Format::Shift: return static_cast<std::int32_t>(field(bits, 24, 20));
    case Format::S: return signExtend(field(bits, 31, 25) << 5 | field(bits, 11, 7), 12);
    case Format::B:
        return signExtend(field(bits, 31, 31) << 12 | field(bits, 7, 7) << 11 | field(bits, 30, 25) << 5 |
                              field(bits, 11, 8) << 1,
                          13);
    case Format::U: return static_cast<std::int32_t>(bits & 0xFFFFF000);
    case Format::J:
        return signExtend(field(bits, 31, 31) << 20 | field(bits, 19, 12) << 12 | field(bits, 20, 20) << 11 |
                              field(bits, 30, 21) << 1,
                          21);
    case Format::Csr: return static_cast<std::int32_t>(field(bits, 31, 20));
    case Format::None:
    case Format::R: return 0;
    }
    return 0;
}

Instruction expand(std::uint32_t bits, const Encoding& row)
{
    Instruction instruction;
    instruction.operation = row.operation;
    if (row.format == Format::None)
        return instruction;
    const bool hasRd = row.format != Format::S && row.format != Format::B;
    const bool hasRs1 = row.format != Format::U && row.format != Format::J;
    const bool hasRs2 = row.format == Format::R || row.format == Format::S || row.format == Format::B;
    instruction.rd = static_cast<std::uint8_t>(hasRd ? field(bits, 11, 7) : 0);
    instruction.rs1 = static_cast<std::uint8_t>(hasRs1 ? field(bits, 19, 15) : 0);
    instruction.rs2 = static_cast<std::uint8_t>(hasRs2 ? field(bits, 24, 20) : 0);
    instruction.imm = immediate(bits, row.format);
    return instruction;
}

} // namespace

std::string_view mnemonicOf(Operation operation)
{
    return operationRows[static_cast<std::size_t>(operation)].mnemonic;
}

InstructionClass classOf(Operation operation)
{
    return operationRows[static_cast<std::size_t>(operation)].instructionClass;
}

Instruction decode(std::uint32_t bits)
{
    if (isCompressed(bits))
        return decodeCompressed(static_cast<std::uint16_t>(bits));
    for (const Encoding& row : encodings) {
        if ((bits & row.mask) == row.match)
            return expand(bits, row);
    }
    return {};
}

} // namespace strobe::rv32
