// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/compressed.h"

#include "models/cpu/rv32/fields.h"

namespace strobe::rv32 {

namespace {

// Position of the immediate; several fields each.
enum class Imm : std::uint8_t {
    None,
    Six,
    Shift,
    Word,
    Upper,
    StackWords,
    StackAdjust,
    LoadStack,
    StoreStack,
    Branch,
    Jump
};

std::int32_t immediate(std::uint32_t b, Imm imm)
{
    switch (imm) {
    case Imm::Six: return signExtend(field(b, 12, 12) << 5 | field(b, 6, 2), 6);
    case Imm::Shift: return static_cast<std::int32_t>(field(b, 6, 2)); // bit 12 is zero in every row
    case Imm::Word: return static_cast<std::int32_t>(field(b, 5, 5) << 6 | field(b, 12, 10) << 3 | field(b, 6, 6) << 2);
    case Imm::Upper: return signExtend(field(b, 12, 12) << 17 | field(b, 6, 2) << 12, 18);
    case Imm::StackWords:
        return static_cast<std::int32_t>(field(b, 10, 7) << 6 | field(b, 12, 11) << 4 | field(b, 5, 5) << 3 |
                                         field(b, 6, 6) << 2);
    case Imm::StackAdjust:
        return signExtend(field(b, 12, 12) << 9 | field(b, 4, 3) << 7 | field(b, 5, 5) << 6 | field(b, 2, 2) << 5 |
                              field(b, 6, 6) << 4,
                          10);
    case Imm::LoadStack:
        return static_cast<std::int32_t>(field(b, 3, 2) << 6 | field(b, 12, 12) << 5 | field(b, 6, 4) << 2);
    case Imm::StoreStack: return static_cast<std::int32_t>(field(b, 8, 7) << 6 | field(b, 12, 9) << 2);
    case Imm::Branch:
        return signExtend(field(b, 12, 12) << 8 | field(b, 6, 5) << 6 | field(b, 2, 2) << 5 | field(b, 11, 10) << 3 |
                              field(b, 4, 3) << 1,
                          9);
    case Imm::Jump:
        return signExtend(field(b, 12, 12) << 11 | field(b, 8, 8) << 10 | field(b, 10, 9) << 8 | field(b, 6, 6) << 7 |
                              field(b, 7, 7) << 6 | field(b, 2, 2) << 5 | field(b, 11, 11) << 4 | field(b, 5, 3) << 1,
                          12);
    case Imm::None: return 0;
    }
    return 0;
}

// Where a register's number comes from. Full: five bits; Low: three bits, x8 to x15.
enum class Reg : std::uint8_t { Zero, Ra, Sp, Full11, Full6, Low9, Low4 };

std::uint8_t reg(std::uint32_t b, Reg where)
{
    switch (where) {
    case Reg::Zero: return 0;
    case Reg::Ra: return 1;
    case Reg::Sp: return 2;
    case Reg::Full11: return static_cast<std::uint8_t>(field(b, 11, 7));
    case Reg::Full6: return static_cast<std::uint8_t>(field(b, 6, 2));
    case Reg::Low9: return static_cast<std::uint8_t>(8 + field(b, 9, 7));
    case Reg::Low4: return static_cast<std::uint8_t>(8 + field(b, 4, 2));
    }
    return 0;
}

struct Encoding {
    Operation operation;
    std::uint16_t mask;
    std::uint16_t match;
    std::uint16_t notAllZero; // these bits; 0: no such condition
    Reg rd;
    Reg rs1;
    Reg rs2;
    Imm imm;
};

constexpr std::uint16_t column = 0xE003;  // funct3 and quadrant
constexpr std::uint16_t regBits = 0x0F80; // 11:7
constexpr std::uint16_t immBits = 0x107C; // 12 and 6:2

using O = Operation;
using R = Reg;
// The first matching row is used. c.addi with x0, c.li to x0 and other hints need no rows of their own.
constexpr Encoding encodings[] = {
    {O::Addi, column, 0x0000, 0x1FE0, R::Low4, R::Sp, R::Zero, Imm::StackWords}, // c.addi4spn
    {O::Lw, column, 0x4000, 0, R::Low4, R::Low9, R::Zero, Imm::Word},
    {O::Sw, column, 0xC000, 0, R::Zero, R::Low9, R::Low4, Imm::Word},

    {O::Addi, column, 0x0001, 0, R::Full11, R::Full11, R::Zero, Imm::Six},
    {O::Jal, column, 0x2001, 0, R::Ra, R::Zero, R::Zero, Imm::Jump},
    {O::Addi, column, 0x4001, 0, R::Full11, R::Zero, R::Zero, Imm::Six},             // c.li
    {O::Illegal, column | immBits, 0x6001, 0, R::Zero, R::Zero, R::Zero, Imm::None}, // c.lui and c.addi16sp by 0
    {O::Addi, column | regBits, 0x6101, 0, R::Sp, R::Sp, R::Zero, Imm::StackAdjust}, // c.addi16sp
    {O::Lui, column, 0x6001, 0, R::Full11, R::Zero, R::Zero, Imm::Upper},
    {O::Srli, 0xFC03, 0x8001, 0, R::Low9, R::Low9, R::Zero, Imm::Shift},
    {O::Srai, 0xFC03, 0x8401, 0, R::Low9, R::Low9, R::Zero, Imm::Shift},
    {O::Andi, 0xEC03, 0x8801, 0, R::Low9, R::Low9, R::Zero, Imm::Six},
    {O::Sub, 0xFC63, 0x8C01, 0, R::Low9, R::Low9, R::Low4, Imm::None},
    {O::Xor, 0xFC63, 0x8C21, 0, R::Low9, R::Low9, R::Low4, Imm::None},
    {O::Or, 0xFC63, 0x8C41, 0, R::Low9, R::Low9, R::Low4, Imm::None},
    {O::And, 0xFC63, 0x8C61, 0, R::Low9, R::Low9, R::Low4, Imm::None},
    {O::Jal, column, 0xA001, 0, R::Zero, R::Zero, R::Zero, Imm::Jump},
    {O::Beq, column, 0xC001, 0, R::Zero, R::Low9, R::Zero, Imm::Branch},
    {O::Bne, column, 0xE001, 0, R::Zero, R::Low9, R::Zero, Imm::Branch},

    {O::Slli, 0xF003, 0x0002, 0, R::Full11, R::Full11, R::Zero, Imm::Shift},
    {O::Lw, column, 0x4002, regBits, R::Full11, R::Sp, R::Zero, Imm::LoadStack},
    {O::Jalr, 0xF07F, 0x8002, regBits, R::Zero, R::Full11, R::Zero, Imm::None}, // c.jr
    {O::Illegal, 0xF07F, 0x8002, 0, R::Zero, R::Zero, R::Zero, Imm::None},
    {O::Add, 0xF003, 0x8002, 0, R::Full11, R::Zero, R::Full6, Imm::None}, // c.mv
    {O::Ebreak, 0xFFFF, 0x9002, 0, R::Zero, R::Zero, R::Zero, Imm::None},
    {O::Jalr, 0xF07F, 0x9002, 0, R::Ra, R::Full11, R::Zero, Imm::None},
    {O::Add, 0xF003, 0x9002, 0, R::Full11, R::Full11, R::Full6, Imm::None},
    {O::Sw, column, 0xC002, 0, R::Zero, R::Sp, R::Full6, Imm::StoreStack},
};

} // namespace

Instruction decodeCompressed(std::uint16_t bits)
{
    Instruction instruction;
    instruction.bytes = 2;
    for (const Encoding& row : encodings) {
        if ((bits & row.mask) == row.match && (row.notAllZero == 0 || (bits & row.notAllZero) != 0)) {
            instruction.operation = row.operation;
            instruction.rd = reg(bits, row.rd);
            instruction.rs1 = reg(bits, row.rs1);
            instruction.rs2 = reg(bits, row.rs2);
            instruction.imm = immediate(bits, row.imm);
            break;
        }
    }
    return instruction;
}

} // namespace strobe::rv32
