// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/cpu/rv32/guest.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::test::rv32asm;
using test::Guest;

namespace {
constexpr std::uint32_t variable = Guest::memoryBase + 0x100;
}

TEST_CASE("each atomic returns the old word and leaves the new one")
{
    struct Row {
        Word funct5;
        std::uint32_t result;
    };
    const std::uint32_t old = 0x80000005;
    const std::uint32_t operand = 0x00000003;
    for (const Row& row :
         {Row{0x01, operand}, Row{0x00, 0x80000008}, Row{0x04, 0x80000006}, Row{0x0C, 1}, Row{0x08, 0x80000007},
          Row{0x10, old}, Row{0x14, operand}, Row{0x18, operand}, Row{0x1C, old}}) {
        Guest guest({atomic(row.funct5, a0, a1, sp)});
        guest.put(variable, {old});
        guest.core.setReg(2, variable);
        guest.core.setReg(11, operand);
        guest.core.run(1);
        CHECK(guest.core.reg(10) == old);
        CHECK(guest.word(variable) == row.result);
    }
}

TEST_CASE("an atomic whose destination is its operand or its address still works on the old values")
{
    Guest guest({amoaddW(a0, a0, sp), amoaddW(sp, a0, sp)});
    guest.put(variable, {10});
    guest.core.setReg(2, variable);
    guest.core.setReg(10, 3);
    guest.core.run(1);
    CHECK(guest.core.reg(10) == 10);
    CHECK(guest.word(variable) == 13);
    guest.core.run(1);
    CHECK(guest.core.reg(2) == 13);
    CHECK(guest.word(variable) == 23);
}

TEST_CASE("sc stores after an lr of the same word, once")
{
    Guest guest({lrW(a0, sp), scW(a1, a2, sp), scW(a3, a2, sp)});
    guest.put(variable, {5});
    guest.core.setReg(2, variable);
    guest.core.setReg(12, 6);
    guest.core.run(3);
    CHECK(guest.core.reg(10) == 5);
    CHECK(guest.core.reg(11) == 0);
    CHECK(guest.core.reg(13) == 1);
    CHECK(guest.word(variable) == 6);
}

TEST_CASE("sc fails without an lr, for another word, and when the reservation was broken")
{
    Guest guest({scW(a1, a2, sp), lrW(a0, sp), addi(sp, sp, 4), scW(a3, a2, sp), addi(sp, sp, -4), lrW(a0, sp),
                 scW(a4, a2, sp)});
    guest.put(variable, {5, 5});
    guest.core.setReg(2, variable);
    guest.core.setReg(12, 6);
    guest.core.run(6);
    guest.core.breakReservation();
    guest.core.run(1);
    CHECK(guest.core.reg(11) == 1);
    CHECK(guest.core.reg(13) == 1);
    CHECK(guest.core.reg(14) == 1);
    CHECK(guest.word(variable) == 5);
    CHECK(guest.word(variable + 4) == 5);
}

TEST_CASE("lr and sc work over runs of one instruction as long as the reservation is not broken")
{
    Guest guest({lrW(a0, sp), scW(a1, a2, sp)});
    guest.core.setReg(2, variable);
    guest.core.setReg(12, 6);
    guest.core.run(1);
    guest.core.run(1);
    CHECK(guest.core.reg(11) == 0);
    CHECK(guest.word(variable) == 6);
}

TEST_CASE("an atomic into code is noticed")
{
    Guest guest({amoswapW(zero, a1, sp), addi(a0, a0, 1)});
    guest.core.setReg(2, Guest::memoryBase + 4);
    guest.core.setReg(11, addi(a0, a0, 100));
    for (int i = 0; i < 2; ++i) {
        guest.core.setPc(Guest::memoryBase);
        guest.core.run(2);
        guest.core.setReg(11, addi(a0, a0, 1000));
    }
    CHECK(guest.core.reg(10) == 1100);
}
