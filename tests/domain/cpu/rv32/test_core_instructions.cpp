// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/cpu/rv32/guest.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::test::rv32asm;
using rv32::Stop;
using test::Guest;

namespace {

// a0 after one instruction that takes a1 and a2.
std::uint32_t result(Word instruction, std::uint32_t a1Value, std::uint32_t a2Value)
{
    Guest guest({instruction});
    guest.core.setReg(11, a1Value);
    guest.core.setReg(12, a2Value);
    CHECK(guest.core.run(1) == Stop::Budget);
    CHECK(guest.core.pc() == Guest::memoryBase + 4);
    CHECK(guest.core.traps() == 0);
    return guest.core.reg(10);
}
std::uint32_t result(Word funct7, Word funct3, std::uint32_t a, std::uint32_t b)
{
    return result(op(funct7, funct3, a0, a1, a2), a, b);
}

} // namespace

TEST_CASE("arithmetic at the limits of 32 bits")
{
    CHECK(result(0, 0, 0xFFFFFFFF, 1) == 0);
    CHECK(result(0x20, 0, 0, 1) == 0xFFFFFFFF);
    CHECK(result(0, 2, 0x80000000, 0x7FFFFFFF) == 1); // slt
    CHECK(result(0, 3, 0x80000000, 0x7FFFFFFF) == 0); // sltu
    CHECK(result(0, 1, 1, 0xFFFFFFFF) == 0x80000000); // sll by 31
    CHECK(result(0, 5, 0x80000000, 63) == 1);         // srl by 31
    CHECK(result(0x20, 5, 0x80000000, 31) == 0xFFFFFFFF);
    CHECK(result(iType(-1, 11, 3, 10, 0x13), 0xFFFFFFFE, 0) == 1); // sltiu extends, then compares unsigned
}

TEST_CASE("multiplication gives the half that it is asked for, with the signs that it is asked for")
{
    CHECK(result(1, 0, 0x80000001, 0x80000001) == 1);
    CHECK(result(1, 1, 0x80000000, 0x80000000) == 0x40000000);
    CHECK(result(1, 2, 0xFFFFFFFF, 0xFFFFFFFF) == 0xFFFFFFFF);
    CHECK(result(1, 3, 0xFFFFFFFF, 0xFFFFFFFF) == 0xFFFFFFFE);
}

TEST_CASE("division by zero and its one overflow have results and do not trap")
{
    CHECK(result(1, 4, 7, 0) == 0xFFFFFFFF);
    CHECK(result(1, 5, 7, 0) == 0xFFFFFFFF);
    CHECK(result(1, 6, 7, 0) == 7);
    CHECK(result(1, 7, 7, 0) == 7);
    CHECK(result(1, 4, 0x80000000, 0xFFFFFFFF) == 0x80000000);
    CHECK(result(1, 6, 0x80000000, 0xFFFFFFFF) == 0);
    CHECK(result(1, 4, static_cast<std::uint32_t>(-7), 2) == static_cast<std::uint32_t>(-3));
    CHECK(result(1, 6, static_cast<std::uint32_t>(-7), 2) == static_cast<std::uint32_t>(-1));
}

TEST_CASE("x0 stays zero whatever is written to it")
{
    Guest guest({li(zero, 5), lui(zero, 1), lw(zero, 0, sp), jal(zero, 4), csrrwi(zero, rv32::csr::mscratch, 3),
                 add(a0, zero, zero)});
    guest.core.setReg(2, Guest::memoryBase);
    guest.core.setReg(10, 99);
    guest.core.run(6);
    CHECK(guest.core.reg(0) == 0);
    CHECK(guest.core.reg(10) == 0);
    CHECK(guest.csr(rv32::csr::mscratch) == 3);
}

TEST_CASE("jumps link to the next instruction, four bytes or two on, and jalr reads its register before it links")
{
    Guest guest({jal(ra, 8), nop(), jalr(ra, 7, ra)});
    guest.core.run(1);
    CHECK(guest.core.reg(1) == Guest::memoryBase + 4);
    CHECK(guest.core.pc() == Guest::memoryBase + 8);
    guest.core.run(1);
    CHECK(guest.core.pc() == Guest::memoryBase + 4 + 6); // bit 0 is cleared
    CHECK(guest.core.reg(1) == Guest::memoryBase + 12);

    Guest compressed({pair(0x2011 /* c.jal .+4 */, cNop())});
    compressed.core.run(1);
    CHECK(compressed.core.pc() == Guest::memoryBase + 4);
    CHECK(compressed.core.reg(1) == Guest::memoryBase + 2);
}

TEST_CASE("branches reach over page borders, both ways")
{
    Guest guest({nop()});
    guest.put(Guest::memoryBase + 0xFF8, {beq(zero, zero, 0x20)});
    guest.put(Guest::memoryBase + 0x1018, {bne(sp, zero, -0xFFE)});
    guest.core.setReg(2, 1);
    guest.core.setPc(Guest::memoryBase + 0xFF8);
    guest.core.run(1);
    CHECK(guest.core.pc() == Guest::memoryBase + 0x1018);
    guest.core.run(1);
    CHECK(guest.core.pc() == Guest::memoryBase + 0x1A);
    guest.core.setReg(2, 0);
    guest.core.setPc(Guest::memoryBase + 0x1018);
    guest.core.run(1);
    CHECK(guest.core.pc() == Guest::memoryBase + 0x101C);
}

TEST_CASE("code runs across a page boundary, also with an instruction that crosses it")
{
    Guest guest({nop()});
    guest.put(Guest::memoryBase + 0xFFC, {pair(cLi(a0, 1), addi(a0, a0, 4) & 0xFFFF), addi(a0, a0, 4) >> 16});
    guest.core.setPc(Guest::memoryBase + 0xFFC);
    guest.core.run(2);
    CHECK(guest.core.reg(10) == 5);
    CHECK(guest.core.pc() == Guest::memoryBase + 0x1002);
    CHECK(guest.core.retired() == 2);
}

TEST_CASE("a run takes exactly its budget, and the counts go on over runs")
{
    Guest guest({addi(a0, a0, 1), jal(zero, -4)});
    CHECK(guest.core.run(0) == Stop::Budget);
    CHECK(guest.core.retired() == 0);
    for (int i = 0; i < 7; ++i)
        CHECK(guest.core.run(3) == Stop::Budget);
    CHECK(guest.core.retired() == 21);
    CHECK(guest.core.executed() == 21);
    CHECK(guest.core.reg(10) == 11);
    CHECK(guest.core.pc() == Guest::memoryBase + 4);
}

TEST_CASE("a cycle table gives each class its cycles, and taken branches and traps more; instructions stay counted")
{
    rv32::CoreConfig config;
    config.cycles = rv32::CycleTable{{1, 3, 30, 2, 4, 5, 6, 7, 8}, 10, 20};
    Guest guest({add(a0, a0, a0), op(1, 0, a0, a0, a0), op(1, 4, a0, a0, a0), lw(a1, 0, sp), sw(a1, 0, sp),
                 beq(zero, sp, 8), beq(zero, zero, 4), jal(zero, 4), amoswapW(a1, a1, sp), fenceI(), ecall()},
                config);
    guest.core.setReg(2, Guest::memoryBase + 0x100);
    const std::uint64_t expected[] = {1, 3, 30, 2, 4, 5, 15, 6, 7, 8};
    std::uint64_t before = 0;
    for (const std::uint64_t cycles : expected) {
        guest.core.run(1);
        CHECK(guest.core.executed() - before == cycles);
        before = guest.core.executed();
    }
    CHECK(guest.core.retired() == 10);
    guest.core.run(1); // ecall, which does not retire
    CHECK(guest.core.executed() - before == 28);
    CHECK(guest.core.retired() == 10);
}
