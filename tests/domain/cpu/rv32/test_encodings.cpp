// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/instruction.h"
#include "tests/support/catch.h"
#include "tests/support/rv32_assembler.h"

#include <string>

using namespace strobe::rv32;
namespace as = strobe::test::rv32asm;

namespace {

// The opcode map and the instruction listings of the specification (Unprivileged ISA, chapter 24), a second time: which
// fields of an instruction decide. "" means illegal.
std::string expectedIntegerOp(unsigned funct7, unsigned funct3)
{
    static const char* const base[] = {"add", "sll", "slt", "sltu", "xor", "srl", "or", "and"};
    static const char* const multiply[] = {"mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu"};
    if (funct7 == 0)
        return base[funct3];
    if (funct7 == 1)
        return multiply[funct3];
    if (funct7 == 0x20)
        return funct3 == 0 ? "sub" : funct3 == 5 ? "sra" : "";
    return "";
}

std::string expectedAtomic(unsigned funct5, unsigned funct3, unsigned rs2)
{
    if (funct3 != 2)
        return "";
    switch (funct5) {
    case 0x00: return "amoadd.w";
    case 0x01: return "amoswap.w";
    case 0x02: return rs2 == 0 ? "lr.w" : "";
    case 0x03: return "sc.w";
    case 0x04: return "amoxor.w";
    case 0x08: return "amoor.w";
    case 0x0C: return "amoand.w";
    case 0x10: return "amomin.w";
    case 0x14: return "amomax.w";
    case 0x18: return "amominu.w";
    case 0x1C: return "amomaxu.w";
    default: return "";
    }
}

std::string expectedSystem(unsigned bits, unsigned funct3)
{
    static const char* const csr[] = {"", "csrrw", "csrrs", "csrrc", "", "csrrwi", "csrrsi", "csrrci"};
    if (funct3 != 0)
        return csr[funct3];
    switch (bits >> 7) {
    case 0x0000000: return "ecall";
    case 0x0002000: return "ebreak";
    case 0x0604000: return "mret";
    case 0x020A000: return "wfi";
    default: return "";
    }
}

std::string expected(unsigned bits)
{
    const unsigned opcode = bits >> 2 & 31;
    const unsigned funct3 = bits >> 12 & 7;
    const unsigned funct7 = bits >> 25;
    static const char* const loads[] = {"lb", "lh", "lw", "", "lbu", "lhu", "", ""};
    static const char* const stores[] = {"sb", "sh", "sw", "", "", "", "", ""};
    static const char* const branches[] = {"beq", "bne", "", "", "blt", "bge", "bltu", "bgeu"};
    static const char* const immediates[] = {"addi", "", "slti", "sltiu", "xori", "", "ori", "andi"};
    switch (opcode) {
    case 0x00: return loads[funct3];
    case 0x03: return funct3 == 0 ? "fence" : funct3 == 1 ? "fence.i" : "";
    case 0x04:
        if (funct3 == 1)
            return funct7 == 0 ? "slli" : "";
        if (funct3 == 5)
            return funct7 == 0 ? "srli" : funct7 == 0x20 ? "srai" : "";
        return immediates[funct3];
    case 0x05: return "auipc";
    case 0x08: return stores[funct3];
    case 0x0B: return expectedAtomic(funct7 >> 2, funct3, bits >> 20 & 31);
    case 0x0C: return expectedIntegerOp(funct7, funct3);
    case 0x0D: return "lui";
    case 0x18: return branches[funct3];
    case 0x19: return funct3 == 0 ? "jalr" : "";
    case 0x1B: return "jal";
    case 0x1C: return expectedSystem(bits, funct3);
    default: return "";
    }
}

void compare(unsigned bits)
{
    const Instruction instruction = decode(bits);
    const std::string want = expected(bits);
    if (instruction.bytes != 4 || mnemonicOf(instruction.operation) != (want.empty() ? "illegal" : want)) {
        INFO("0x" << std::hex << bits << " should be " << want);
        CHECK(mnemonicOf(instruction.operation) == want);
    }
}

} // namespace

TEST_CASE("each combination of opcode, funct3, funct7 and rs2 decodes as specified, with any other bits")
{
    for (unsigned opcode = 3; opcode < 128; opcode += 4) {
        for (unsigned high = 0; high < 1U << 12; ++high) { // funct7, rs2
            for (unsigned funct3 = 0; funct3 < 8; ++funct3) {
                const unsigned bits = high << 20 | funct3 << 12 | opcode;
                for (const unsigned others : {0x00000000U, 0x000F8F80U, 0x00050500U, 0x00008000U, 0x00000080U})
                    compare(bits | others);
            }
        }
    }
}

TEST_CASE("instructions longer than 32 bits are illegal")
{
    for (unsigned bits = 0x1F; bits < 0x10000; bits += 0x20)
        REQUIRE(decode(bits).operation == Operation::Illegal);
}

TEST_CASE("immediates of all formats are assembled and extended as specified")
{
    using namespace as;
    for (const std::int32_t imm : {0, 1, -1, 2047, -2048, 0x555, -0x556}) {
        CHECK(decode(addi(a0, a1, imm)).imm == imm);
        CHECK(decode(lw(a0, imm, a1)).imm == imm);
        CHECK(decode(sw(a0, imm, a1)).imm == imm);
        CHECK(decode(jalr(a0, imm, a1)).imm == imm);
    }
    for (const std::int32_t imm : {0, 2, -2, 4094, -4096, 0xAAA, -0xAAC})
        CHECK(decode(beq(a0, a1, imm)).imm == imm);
    for (const std::int32_t imm : {0, 2, -2, 0xFFFFE, -0x100000, 0x5A5A4, -0xA5A5C})
        CHECK(decode(jal(a0, imm)).imm == imm);
    CHECK(decode(lui(a0, 0xFFFFF)).imm == -4096);
    CHECK(decode(auipc(a0, 1)).imm == 4096);
    CHECK(decode(slli(a0, a1, 31)).imm == 31);
    CHECK(decode(csrrwi(a0, 0xFFF, 31)).imm == 0xFFF);
    CHECK(decode(csrrwi(a0, 0xFFF, 31)).rs1 == 31);
}

TEST_CASE("registers are taken from the fields that the format has, and are zero otherwise")
{
    using namespace as;
    const Instruction store = decode(sw(x(31), -1, x(30)));
    CHECK(store.rs2 == 31);
    CHECK(store.rs1 == 30);
    CHECK(store.rd == 0);
    const Instruction sum = decode(add(x(1), x(2), x(3)));
    CHECK(sum.rd == 1);
    CHECK(sum.rs1 == 2);
    CHECK(sum.rs2 == 3);
    const Instruction jump = decode(jal(x(7), -2));
    CHECK(jump.rd == 7);
    CHECK(jump.rs1 == 0);
    CHECK(jump.rs2 == 0);
    const Instruction fence = decode(0x0FF5050F); // with fields that are reserved for finer fences
    CHECK(fence.operation == Operation::Fence);
    CHECK(fence.rd == 0);
}
