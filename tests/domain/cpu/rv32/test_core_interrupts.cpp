// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/cpu/rv32/guest.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::test::rv32asm;
using rv32::InterruptLine;
using rv32::Stop;
using test::Guest;
namespace csr = rv32::csr;

namespace {

constexpr std::uint32_t allLines = 0x888;
constexpr std::uint32_t interrupt = 0x80000000;

std::vector<Word> increments(unsigned count)
{
    return std::vector<Word>(count, addi(a0, a0, 1));
}

void prepare(Guest& guest, std::uint32_t mie = allLines, std::uint32_t mstatus = 8)
{
    guest.core.setCsr(csr::mtvec, Guest::handler);
    guest.core.setCsr(csr::mie, mie);
    guest.core.setCsr(csr::mstatus, mstatus);
}

} // namespace

TEST_CASE("an interrupt between runs is taken before the next instruction")
{
    Guest guest(increments(8));
    prepare(guest);
    guest.core.run(3);
    guest.core.setInterrupt(InterruptLine::Timer, true);
    guest.put(Guest::handler, increments(1));
    guest.core.run(1);
    CHECK(guest.csr(csr::mepc) == Guest::memoryBase + 12);
    CHECK(guest.csr(csr::mcause) == (interrupt | 7));
    CHECK(guest.csr(csr::mtval) == 0);
    CHECK(guest.csr(csr::mstatus) == 0x1880);
    CHECK(guest.csr(csr::mip) == 0x80);
    CHECK(guest.core.pc() == Guest::handler + 4);
    CHECK(guest.core.interrupts() == 1);
    CHECK(guest.core.traps() == 0);
    CHECK(guest.core.retired() == 4); // entering takes nothing
}

TEST_CASE("an interrupt that an access raises is taken after that instruction")
{
    Guest guest({addi(a0, a0, 1), sw(a0, 0, a1), addi(a0, a0, 1)});
    guest.put(Guest::handler, {nop()});
    prepare(guest);
    guest.core.setReg(11, Guest::deviceBase);
    guest.onAccess = [&] { guest.core.setInterrupt(InterruptLine::External, true); };
    guest.core.run(3);
    CHECK(guest.csr(csr::mepc) == Guest::memoryBase + 8);
    CHECK(guest.csr(csr::mcause) == (interrupt | 11));
    CHECK(guest.core.reg(10) == 1);
    CHECK(guest.core.pc() == Guest::handler + 4);
}

TEST_CASE("a load that raises an interrupt is completed first")
{
    Guest guest({lw(a0, 0, a1), nop()});
    prepare(guest);
    guest.core.setReg(11, Guest::deviceBase);
    guest.deviceValue = 0x12345678;
    guest.onAccess = [&] { guest.core.setInterrupt(InterruptLine::Software, true); };
    guest.core.run(1);
    CHECK(guest.core.reg(10) == 0x12345678);
    CHECK(guest.core.pc() == Guest::handler);
    CHECK(guest.csr(csr::mepc) == Guest::memoryBase + 4);
}

TEST_CASE("external goes before software, software before timer")
{
    struct Row {
        std::uint32_t mie;
        std::uint32_t code;
    };
    for (const Row& row : {Row{0x888, 11}, Row{0x088, 3}, Row{0x080, 7}, Row{0x880, 11}}) {
        Guest guest(increments(1));
        prepare(guest, row.mie);
        for (const InterruptLine line : {InterruptLine::Software, InterruptLine::Timer, InterruptLine::External})
            guest.core.setInterrupt(line, true);
        guest.core.run(0);
        CHECK(guest.csr(csr::mcause) == (interrupt | row.code));
    }
}

TEST_CASE("with a vectored mtvec each interrupt goes to its own entry")
{
    struct Row {
        InterruptLine line;
        std::uint32_t entry;
    };
    for (const Row& row :
         {Row{InterruptLine::Software, 12}, Row{InterruptLine::Timer, 28}, Row{InterruptLine::External, 44}}) {
        Guest guest(increments(1));
        prepare(guest);
        guest.core.setCsr(csr::mtvec, Guest::handler | 1);
        guest.core.setInterrupt(row.line, true);
        guest.core.run(0);
        CHECK(guest.core.pc() == Guest::handler + row.entry);
    }
}

TEST_CASE("a masked interrupt waits for the instruction that unmasks it")
{
    const Word unmasking[] = {csrrsi(zero, csr::mstatus, 8), csrrs(zero, csr::mie, a5), csrrw(zero, csr::mie, a5)};
    for (const Word instruction : unmasking) {
        const bool isByMie = instruction != unmasking[0];
        Guest guest({nop(), nop(), instruction, addi(a0, a0, 1)});
        prepare(guest, isByMie ? 0 : allLines, isByMie ? 8 : 0);
        guest.core.setReg(15, allLines);
        guest.core.setInterrupt(InterruptLine::External, true);
        guest.core.run(2);
        CHECK(guest.core.interrupts() == 0);
        guest.core.run(1);
        CHECK(guest.core.pc() == Guest::handler);
        CHECK(guest.csr(csr::mepc) == Guest::memoryBase + 12);
        CHECK(guest.core.reg(10) == 0);
    }
}

TEST_CASE("mret takes an interrupt that is still pending before the instruction it returns to")
{
    Guest guest(increments(4));
    guest.put(Guest::handler, {addi(a1, a1, 1), mret()});
    prepare(guest);
    guest.core.setInterrupt(InterruptLine::External, true);
    guest.core.run(4);
    CHECK(guest.core.interrupts() == 3);
    CHECK(guest.core.reg(11) == 2);
    CHECK(guest.core.reg(10) == 0);
    CHECK(guest.csr(csr::mepc) == Guest::memoryBase);
    guest.core.setInterrupt(InterruptLine::External, false);
    guest.core.run(3);
    CHECK(guest.core.reg(10) == 1);
}

TEST_CASE("the environment is notified of every change of the enabled interrupts, and only of those")
{
    Guest guest({csrrsi(zero, csr::mstatus, 8), csrrs(zero, csr::mie, a5), csrr(a0, csr::mstatus), ecall()});
    guest.core.setReg(15, allLines);
    guest.core.setCsr(csr::mtvec, Guest::handler);
    guest.put(Guest::handler, {csrrw(zero, csr::mscratch, a5), mret()});
    CHECK_FALSE(guest.core.interruptsEnabled());
    guest.core.run(1);
    CHECK(guest.maskChanges == 1);
    CHECK_FALSE(guest.core.interruptsEnabled());
    guest.core.run(2);
    CHECK(guest.maskChanges == 2);
    CHECK(guest.core.interruptsEnabled());
    guest.core.run(1); // ecall
    CHECK(guest.maskChanges == 3);
    CHECK_FALSE(guest.core.interruptsEnabled());
    guest.core.run(2);
    CHECK(guest.maskChanges == 4);
    CHECK(guest.core.interruptsEnabled());
}

TEST_CASE("wfi stops until an interrupt is pending that mie names, whatever mstatus says, and takes no cycles asleep")
{
    for (const std::uint32_t mstatus : {0U, 8U}) {
        Guest guest({wfi(), addi(a0, a0, 1)});
        guest.put(Guest::handler, {nop()});
        prepare(guest, 0x800, mstatus);
        CHECK(guest.core.run(100) == Stop::Waiting);
        CHECK(guest.core.isWaiting());
        CHECK(guest.core.pc() == Guest::memoryBase + 4);
        CHECK(guest.core.retired() == 1);
        CHECK(guest.core.run(100) == Stop::Waiting);
        guest.core.setInterrupt(InterruptLine::Timer, true); // not enabled
        CHECK(guest.core.run(100) == Stop::Waiting);
        CHECK(guest.core.executed() == 1);
        guest.core.setInterrupt(InterruptLine::External, true);
        CHECK(guest.core.run(1) == Stop::Budget);
        CHECK_FALSE(guest.core.isWaiting());
        CHECK(guest.core.interrupts() == (mstatus != 0 ? 1 : 0));
        if (mstatus == 0)
            CHECK(guest.core.reg(10) == 1);
        else
            CHECK(guest.csr(csr::mepc) == Guest::memoryBase + 4);
    }
}

TEST_CASE("wfi with something pending is a nop")
{
    Guest guest({wfi(), addi(a0, a0, 1)});
    prepare(guest, 0x80, 0);
    guest.core.setInterrupt(InterruptLine::Timer, true);
    CHECK(guest.core.run(2) == Stop::Budget);
    CHECK(guest.core.reg(10) == 1);
}
