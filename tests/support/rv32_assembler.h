#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Encodes RV32IMAC instructions for tests, from the formats of the specification and apart from the decoder that they
// test: `lw(x(10), 4, x(2))`. Small programs are lists of words; compressed ones come in pairs (pair()).

#include <cstdint>

namespace strobe::test::rv32asm {

using Word = std::uint32_t;

struct X {
    Word number;
};
constexpr X x(Word number)
{
    return {number};
}
inline constexpr X zero{0}, ra{1}, sp{2}, t0{5}, t1{6}, t2{7}, s0{8}, s1{9}, a0{10}, a1{11}, a2{12}, a3{13}, a4{14},
    a5{15};

constexpr Word bitsOf(std::int32_t value, unsigned high, unsigned low)
{
    return static_cast<Word>(value) >> low & ((2U << (high - low)) - 1);
}

constexpr Word rType(Word funct7, Word rs2, Word rs1, Word funct3, Word rd, Word opcode)
{
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr Word iType(std::int32_t imm, Word rs1, Word funct3, Word rd, Word opcode)
{
    return bitsOf(imm, 11, 0) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr Word sType(std::int32_t imm, Word rs2, Word rs1, Word funct3, Word opcode)
{
    return rType(bitsOf(imm, 11, 5), rs2, rs1, funct3, bitsOf(imm, 4, 0), opcode);
}
constexpr Word bType(std::int32_t imm, Word rs2, Word rs1, Word funct3)
{
    return bitsOf(imm, 12, 12) << 31 | bitsOf(imm, 10, 5) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 |
           bitsOf(imm, 4, 1) << 8 | bitsOf(imm, 11, 11) << 7 | 0x63;
}

constexpr Word lui(X rd, Word upper20)
{
    return upper20 << 12 | rd.number << 7 | 0x37;
}
constexpr Word auipc(X rd, Word upper20)
{
    return upper20 << 12 | rd.number << 7 | 0x17;
}
constexpr Word jal(X rd, std::int32_t to)
{
    return bitsOf(to, 20, 20) << 31 | bitsOf(to, 10, 1) << 21 | bitsOf(to, 11, 11) << 20 | bitsOf(to, 19, 12) << 12 |
           rd.number << 7 | 0x6F;
}
constexpr Word jalr(X rd, std::int32_t imm, X rs1)
{
    return iType(imm, rs1.number, 0, rd.number, 0x67);
}
constexpr Word beq(X a, X b, std::int32_t to)
{
    return bType(to, b.number, a.number, 0);
}
constexpr Word bne(X a, X b, std::int32_t to)
{
    return bType(to, b.number, a.number, 1);
}
constexpr Word blt(X a, X b, std::int32_t to)
{
    return bType(to, b.number, a.number, 4);
}
constexpr Word bgeu(X a, X b, std::int32_t to)
{
    return bType(to, b.number, a.number, 7);
}

constexpr Word lb(X rd, std::int32_t imm, X rs1)
{
    return iType(imm, rs1.number, 0, rd.number, 0x03);
}
constexpr Word lh(X rd, std::int32_t imm, X rs1)
{
    return iType(imm, rs1.number, 1, rd.number, 0x03);
}
constexpr Word lw(X rd, std::int32_t imm, X rs1)
{
    return iType(imm, rs1.number, 2, rd.number, 0x03);
}
constexpr Word lbu(X rd, std::int32_t imm, X rs1)
{
    return iType(imm, rs1.number, 4, rd.number, 0x03);
}
constexpr Word lhu(X rd, std::int32_t imm, X rs1)
{
    return iType(imm, rs1.number, 5, rd.number, 0x03);
}
constexpr Word sb(X rs2, std::int32_t imm, X rs1)
{
    return sType(imm, rs2.number, rs1.number, 0, 0x23);
}
constexpr Word sh(X rs2, std::int32_t imm, X rs1)
{
    return sType(imm, rs2.number, rs1.number, 1, 0x23);
}
constexpr Word sw(X rs2, std::int32_t imm, X rs1)
{
    return sType(imm, rs2.number, rs1.number, 2, 0x23);
}

constexpr Word addi(X rd, X rs1, std::int32_t imm)
{
    return iType(imm, rs1.number, 0, rd.number, 0x13);
}
constexpr Word andi(X rd, X rs1, std::int32_t imm)
{
    return iType(imm, rs1.number, 7, rd.number, 0x13);
}
constexpr Word slli(X rd, X rs1, std::int32_t shift)
{
    return iType(shift, rs1.number, 1, rd.number, 0x13);
}
constexpr Word srai(X rd, X rs1, std::int32_t shift)
{
    return iType(0x400 | shift, rs1.number, 5, rd.number, 0x13);
}
constexpr Word slti(X rd, X rs1, std::int32_t imm)
{
    return iType(imm, rs1.number, 2, rd.number, 0x13);
}
constexpr Word li(X rd, std::int32_t imm)
{
    return addi(rd, zero, imm);
} // small ones
constexpr Word nop()
{
    return addi(zero, zero, 0);
}

constexpr Word op(Word funct7, Word funct3, X rd, X a, X b)
{
    return rType(funct7, b.number, a.number, funct3, rd.number, 0x33);
}
constexpr Word add(X rd, X a, X b)
{
    return op(0, 0, rd, a, b);
}

// The sets are bits: 8 device input, 4 device output, 2 memory reads, 1 memory writes.
constexpr Word fence(Word before, Word after)
{
    return before << 24 | after << 20 | 0x0F;
}
constexpr Word fenceI()
{
    return 0x0000100F;
}
constexpr Word ecall()
{
    return 0x00000073;
}
constexpr Word ebreak()
{
    return 0x00100073;
}
constexpr Word mret()
{
    return 0x30200073;
}
constexpr Word wfi()
{
    return 0x10500073;
}
constexpr Word csrType(Word number, Word source, Word funct3, X rd)
{
    return number << 20 | source << 15 | funct3 << 12 | rd.number << 7 | 0x73;
}
constexpr Word csrrw(X rd, Word number, X rs1)
{
    return csrType(number, rs1.number, 1, rd);
}
constexpr Word csrrs(X rd, Word number, X rs1)
{
    return csrType(number, rs1.number, 2, rd);
}
constexpr Word csrrc(X rd, Word number, X rs1)
{
    return csrType(number, rs1.number, 3, rd);
}
constexpr Word csrrwi(X rd, Word number, Word imm)
{
    return csrType(number, imm, 5, rd);
}
constexpr Word csrrsi(X rd, Word number, Word imm)
{
    return csrType(number, imm, 6, rd);
}
constexpr Word csrrci(X rd, Word number, Word imm)
{
    return csrType(number, imm, 7, rd);
}
constexpr Word csrr(X rd, Word number)
{
    return csrrs(rd, number, zero);
}

constexpr Word atomic(Word funct5, X rd, X rs2, X address)
{
    return rType(funct5 << 2, rs2.number, address.number, 2, rd.number, 0x2F);
}
constexpr Word lrW(X rd, X address)
{
    return atomic(2, rd, zero, address);
}
constexpr Word scW(X rd, X rs2, X address)
{
    return atomic(3, rd, rs2, address);
}
constexpr Word amoswapW(X rd, X rs2, X address)
{
    return atomic(1, rd, rs2, address);
}
constexpr Word amoaddW(X rd, X rs2, X address)
{
    return atomic(0, rd, rs2, address);
}

constexpr Word cNop()
{
    return 0x0001;
}
constexpr Word cEbreak()
{
    return 0x9002;
}
constexpr Word cLi(X rd, std::int32_t imm)
{
    return 0x4001 | bitsOf(imm, 5, 5) << 12 | rd.number << 7 | bitsOf(imm, 4, 0) << 2;
}
constexpr Word pair(Word first, Word second)
{
    return first | second << 16;
}

} // namespace strobe::test::rv32asm
