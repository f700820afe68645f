// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/cpu/rv32/guest.h"
#include "tests/support/catch.h"

#include <set>

using namespace strobe;
using namespace strobe::test::rv32asm;
using test::Guest;
namespace csr = rv32::csr;

namespace {

std::uint32_t writtenAndRead(std::uint32_t number, std::uint32_t value)
{
    Guest guest({csrrw(zero, number, a1), csrr(a0, number)});
    guest.core.setReg(11, value);
    guest.core.run(2);
    CHECK(guest.core.traps() == 0);
    return guest.core.reg(10);
}

} // namespace

TEST_CASE("of the 4,096 registers those exist that machine mode demands, and no other")
{
    std::set<std::uint32_t> expected{0x300, 0x301, 0x304, 0x305, 0x310, 0x320, 0x340, 0x341, 0x342,
                                     0x343, 0x344, 0xB00, 0xB02, 0xB80, 0xB82, 0xC00, 0xC01, 0xC02,
                                     0xC80, 0xC81, 0xC82, 0xF11, 0xF12, 0xF13, 0xF14, 0xF15};
    for (std::uint32_t i = 3; i < 32; ++i)
        expected.insert({0x320 + i, 0xB00 + i, 0xB80 + i});
    Guest guest({});
    for (std::uint32_t number = 0; number < 4096; ++number) {
        guest.put(Guest::memoryBase, {csrr(a0, number)});
        guest.core.invalidateCode(Guest::memoryBase, Guest::memoryBase + 3);
        guest.core.setPc(Guest::memoryBase);
        const std::uint64_t traps = guest.core.traps();
        guest.core.run(1);
        INFO("csr 0x" << std::hex << number);
        CHECK((guest.core.traps() == traps) == (expected.count(number) != 0));
        CHECK(guest.core.csr(number).has_value() == (expected.count(number) != 0));
    }
}

TEST_CASE("writes store the legal part of their value")
{
    CHECK(writtenAndRead(csr::mstatus, 0) == 0x1800);
    CHECK(writtenAndRead(csr::mstatus, 0xFFFFFFFF) == 0x1888);
    CHECK(writtenAndRead(csr::misa, 0) == 0x40001105); // RV32 I M A C
    CHECK(writtenAndRead(csr::mie, 0xFFFFFFFF) == 0x888);
    CHECK(writtenAndRead(csr::mip, 0xFFFFFFFF) == 0);
    CHECK(writtenAndRead(csr::mtvec, 0x80001000) == 0x80001000);
    CHECK(writtenAndRead(csr::mtvec, 0x80001001) == 0x80001001);
    CHECK(writtenAndRead(csr::mtvec, 0x80001002) == 0); // a reserved mode: as before
    CHECK(writtenAndRead(csr::mtvec, 0x80001003) == 0);
    CHECK(writtenAndRead(csr::mepc, 0xFFFFFFFF) == 0xFFFFFFFE);
    CHECK(writtenAndRead(csr::mcause, 0x8000000B) == 0x8000000B);
    CHECK(writtenAndRead(csr::mtval, 0xDEADBEEF) == 0xDEADBEEF);
    CHECK(writtenAndRead(csr::mscratch, 0xDEADBEEF) == 0xDEADBEEF);
    CHECK(writtenAndRead(csr::mcountinhibit, 0xFFFFFFFF) == 5);
    CHECK(writtenAndRead(csr::mhpmcounter3, 0xFFFFFFFF) == 0);
    CHECK(writtenAndRead(csr::mhpmevent3, 0xFFFFFFFF) == 0);
    CHECK(writtenAndRead(csr::mstatush, 0xFFFFFFFF) == 0);
}

TEST_CASE("the six instructions read the old value, and set, clear or swap")
{
    struct Row {
        Word instruction;
        std::uint32_t after;
    };
    const std::uint32_t before = 0xFF00FF05;
    for (const Row& row :
         {Row{csrrw(a0, csr::mscratch, a1), 0x0F0F0F0F}, Row{csrrs(a0, csr::mscratch, a1), 0xFF0FFF0F},
          Row{csrrc(a0, csr::mscratch, a1), 0xF000F000}, Row{csrrwi(a0, csr::mscratch, 3), 3},
          Row{csrrsi(a0, csr::mscratch, 0x1A), 0xFF00FF1F}, Row{csrrci(a0, csr::mscratch, 4), 0xFF00FF01},
          Row{csrrs(a0, csr::mscratch, zero), before}}) {
        Guest guest({row.instruction});
        guest.core.setCsr(csr::mscratch, before);
        guest.core.setReg(11, 0x0F0F0F0F);
        guest.core.run(1);
        CHECK(guest.core.reg(10) == before);
        CHECK(guest.csr(csr::mscratch) == row.after);
    }
}

TEST_CASE("a register swaps with itself")
{
    Guest guest({csrrw(a0, csr::mscratch, a0)});
    guest.core.setCsr(csr::mscratch, 7);
    guest.core.setReg(10, 8);
    guest.core.run(1);
    CHECK(guest.core.reg(10) == 7);
    CHECK(guest.csr(csr::mscratch) == 8);
}

TEST_CASE("mhartid is the number given at construction, and is not changed by a reset")
{
    rv32::CoreConfig config;
    config.hart = 3;
    Guest guest({csrr(a0, csr::mhartid)}, config);
    guest.core.run(1);
    CHECK(guest.core.reg(10) == 3);
    guest.core.setCsr(csr::mscratch, 5);
    guest.core.reset();
    CHECK(guest.core.pc() == Guest::memoryBase);
    CHECK(guest.core.reg(10) == 0);
    CHECK(guest.csr(csr::mscratch) == 0);
    CHECK(guest.csr(csr::mhartid) == 3);
}
