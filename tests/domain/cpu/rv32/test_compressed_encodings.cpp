// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/instruction.h"
#include "tests/support/catch.h"

#include <string>

using namespace strobe::rv32;

namespace {

// What the specification's listing of RVC says for RV32 without floating point (Unprivileged ISA, tables 16.5 to 16.7),
// written down a second time, in another way: quadrant, funct3, and the conditions in the margin.
std::string expected(unsigned bits)
{
    const unsigned quadrant = bits & 3;
    const unsigned funct3 = bits >> 13;
    const unsigned rd = bits >> 7 & 31;
    const unsigned rs2 = bits >> 2 & 31;
    const bool bit12 = (bits & 0x1000) != 0;
    if (quadrant == 0) {
        switch (funct3) {
        case 0: return (bits >> 5 & 0xFF) != 0 ? "addi" : "illegal";
        case 2: return "lw";
        case 6: return "sw";
        default: return "illegal";
        }
    }
    if (quadrant == 1) {
        switch (funct3) {
        case 0:
        case 2: return "addi";
        case 1:
        case 5: return "jal";
        case 3: return !bit12 && rs2 == 0 ? "illegal" : rd == 2 ? "addi" : "lui";
        case 6: return "beq";
        case 7: return "bne";
        default: break;
        }
        switch (bits >> 10 & 3) {
        case 0: return bit12 ? "illegal" : "srli";
        case 1: return bit12 ? "illegal" : "srai";
        case 2: return "andi";
        default: break;
        }
        static const char* const arithmetic[] = {"sub", "xor", "or", "and"};
        return bit12 ? "illegal" : arithmetic[bits >> 5 & 3];
    }
    switch (funct3) {
    case 0: return bit12 ? "illegal" : "slli";
    case 2: return rd == 0 ? "illegal" : "lw";
    case 6: return "sw";
    case 4:
        if (rs2 != 0)
            return "add";
        return rd != 0 ? "jalr" : bit12 ? "ebreak" : "illegal";
    default: return "illegal";
    }
}

} // namespace

TEST_CASE("each of the 49,152 compressed encodings decodes as specified, and the reserved ones are illegal")
{
    unsigned legal = 0;
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        if (!isCompressed(bits))
            continue;
        const Instruction instruction = decode(bits);
        INFO("0x" << std::hex << bits);
        REQUIRE(instruction.bytes == 2);
        REQUIRE(mnemonicOf(instruction.operation) == expected(bits));
        legal += instruction.operation != Operation::Illegal ? 1 : 0;
    }
    CHECK(legal == 6'136 + 15'584 + 7'103); // by quadrant, counted by hand
}

TEST_CASE("the bytes after a compressed instruction do not affect it")
{
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        if (!isCompressed(bits))
            continue;
        const Instruction alone = decode(bits);
        const Instruction followed = decode(bits | 0xFFFF0000);
        REQUIRE(alone.operation == followed.operation);
        REQUIRE(alone.imm == followed.imm);
    }
}

TEST_CASE("operands of compressed instructions are where the specification puts them")
{
    struct Row {
        std::uint16_t bits;
        Operation operation;
        unsigned rd, rs1, rs2;
        std::int32_t imm;
    };
    // What binutils makes of the text.
    const Row rows[] = {
        {0x0808, Operation::Addi, 10, 2, 0, 16},     // c.addi4spn a0,sp,16
        {0x1FFC, Operation::Addi, 15, 2, 0, 1020},   // c.addi4spn a5,sp,1020
        {0x4140, Operation::Lw, 8, 10, 0, 4},        // c.lw s0,4(a0)
        {0x5EFC, Operation::Lw, 15, 13, 0, 124},     // c.lw a5,124(a3)
        {0xC140, Operation::Sw, 0, 10, 8, 4},        // c.sw s0,4(a0)
        {0x157D, Operation::Addi, 10, 10, 0, -1},    // c.addi a0,-1
        {0x557D, Operation::Addi, 10, 0, 0, -1},     // c.li a0,-1
        {0x7101, Operation::Addi, 2, 2, 0, -512},    // c.addi16sp sp,-512
        {0x617D, Operation::Addi, 2, 2, 0, 496},     // c.addi16sp sp,496
        {0x75FD, Operation::Lui, 11, 0, 0, -4096},   // c.lui a1,0xfffff
        {0x65FD, Operation::Lui, 11, 0, 0, 0x1F000}, // c.lui a1,0x1f
        {0x817D, Operation::Srli, 10, 10, 0, 31},    // c.srli a0,31
        {0x857D, Operation::Srai, 10, 10, 0, 31},    // c.srai a0,31
        {0x9901, Operation::Andi, 10, 10, 0, -32},   // c.andi a0,-32
        {0x8D0D, Operation::Sub, 10, 10, 11, 0},     // c.sub a0,a1
        {0x057E, Operation::Slli, 10, 10, 0, 31},    // c.slli a0,31
        {0x50FE, Operation::Lw, 1, 2, 0, 252},       // c.lwsp ra,252(sp)
        {0xDF86, Operation::Sw, 0, 2, 1, 252},       // c.swsp ra,252(sp)
        {0x8082, Operation::Jalr, 0, 1, 0, 0},       // c.jr ra
        {0x9502, Operation::Jalr, 1, 10, 0, 0},      // c.jalr a0
        {0x852E, Operation::Add, 10, 0, 11, 0},      // c.mv a0,a1
        {0x952E, Operation::Add, 10, 10, 11, 0},     // c.add a0,a1
        {0xB001, Operation::Jal, 0, 0, 0, -2048},    // c.j .-2048
        {0xAFFD, Operation::Jal, 0, 0, 0, 2046},     // c.j .+2046
        {0x3FF5, Operation::Jal, 1, 0, 0, -4},       // c.jal .-4
        {0xD101, Operation::Beq, 0, 10, 0, -256},    // c.beqz a0,.-256
        {0xED7D, Operation::Bne, 0, 10, 0, 254},     // c.bnez a0,.+254
    };
    for (const Row& row : rows) {
        const Instruction instruction = decode(row.bits);
        INFO("0x" << std::hex << row.bits);
        CHECK(instruction.operation == row.operation);
        CHECK(instruction.rd == row.rd);
        CHECK(instruction.rs1 == row.rs1);
        CHECK(instruction.rs2 == row.rs2);
        CHECK(instruction.imm == row.imm);
    }
}
