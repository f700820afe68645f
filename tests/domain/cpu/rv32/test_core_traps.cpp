// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/cpu/rv32/guest.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::test::rv32asm;
using rv32::Cause;
using rv32::Stop;
using test::Guest;
namespace csr = rv32::csr;

namespace {

// Runs the second instruction, which traps, and checks how.
void checkTrap(Guest& guest, Cause cause, std::uint32_t value)
{
    guest.put(Guest::handler, {nop()});
    guest.core.setCsr(csr::mtvec, Guest::handler | 1); // vectored: exceptions go to the base nevertheless
    guest.core.setCsr(csr::mstatus, 8);
    guest.core.run(2);
    CHECK(guest.core.pc() == Guest::handler);
    CHECK(guest.csr(csr::mepc) == Guest::memoryBase + 4);
    CHECK(guest.csr(csr::mcause) == static_cast<std::uint32_t>(cause));
    CHECK(guest.csr(csr::mtval) == value);
    CHECK(guest.csr(csr::mstatus) == 0x1880); // MPP machine, MPIE was MIE, MIE off
    CHECK(guest.core.traps() == 1);
    CHECK(guest.core.retired() == 1);
    CHECK(guest.core.executed() == 2);
    guest.core.run(1);
    CHECK(guest.core.pc() == Guest::handler + 4);
}

void checkTrap(Word instruction, Cause cause, std::uint32_t value, std::uint32_t a1Value = 0)
{
    Guest guest({nop(), instruction});
    guest.core.setReg(10, 0x1234);
    guest.core.setReg(11, a1Value);
    checkTrap(guest, cause, value);
    CHECK(guest.core.reg(10) == 0x1234); // a trapping instruction does not change its destination
}

constexpr std::uint32_t unmapped = 0x20000000;

} // namespace

TEST_CASE("an illegal instruction traps with its bits")
{
    checkTrap(0xFFFFFFFF, Cause::IllegalInstruction, 0xFFFFFFFF);
    checkTrap(0x00000000, Cause::IllegalInstruction, 0x00000000);
    checkTrap(pair(0x8002, 0x1234), Cause::IllegalInstruction, 0x8002);
    checkTrap(pair(0x0000, 0xFFFF), Cause::IllegalInstruction, 0x0000);
    checkTrap(0x10200073 /* sret */, Cause::IllegalInstruction, 0x10200073);
}

TEST_CASE("an instruction that names no register of control and status, or writes one that is read-only, is illegal")
{
    for (const Word instruction :
         {csrr(a0, 0x180) /* satp */, csrr(a0, 0x3A0) /* pmpcfg0 */, csrr(a0, 0x306), csrrw(a0, csr::mhartid, a0),
          csrrs(a0, csr::mhartid, a1), csrrsi(a0, csr::cycle, 1), csrrwi(zero, csr::time, 0), csrr(a0, 0x7A0)})
        checkTrap(instruction, Cause::IllegalInstruction, instruction);
}

TEST_CASE("ecall and ebreak trap; ebreak with its own address")
{
    checkTrap(ecall(), Cause::EnvironmentCall, 0);
    checkTrap(ebreak(), Cause::Breakpoint, Guest::memoryBase + 4);
    checkTrap(pair(cEbreak(), cNop()), Cause::Breakpoint, Guest::memoryBase + 4);
}

TEST_CASE("an ebreak that the environment takes does not trap")
{
    Guest guest({ebreak(), pair(cEbreak(), cNop())});
    guest.takesBreaks = true;
    guest.core.run(3);
    CHECK(guest.core.traps() == 0);
    CHECK(guest.core.retired() == 3);
    CHECK(guest.core.pc() == Guest::memoryBase + 8);
}

TEST_CASE("misaligned loads, stores and atomics trap with their address, in memory and outside")
{
    for (const std::uint32_t base : {Guest::memoryBase + 0x100, Guest::deviceBase, unmapped}) {
        checkTrap(lh(a0, 1, a1), Cause::LoadMisaligned, base + 1, base);
        checkTrap(lhu(a0, 3, a1), Cause::LoadMisaligned, base + 3, base);
        checkTrap(lw(a0, 2, a1), Cause::LoadMisaligned, base + 2, base);
        checkTrap(sh(a0, 1, a1), Cause::StoreMisaligned, base + 1, base);
        checkTrap(sw(a0, -2, a1), Cause::StoreMisaligned, base - 2, base);
        checkTrap(lrW(a0, a1), Cause::LoadMisaligned, base + 2, base + 2);
        checkTrap(scW(a0, a0, a1), Cause::StoreMisaligned, base + 2, base + 2);
        checkTrap(amoaddW(a0, a0, a1), Cause::StoreMisaligned, base + 1, base + 1);
    }
}

TEST_CASE("accesses that nothing answers, and atomics outside direct memory, are access faults")
{
    checkTrap(lb(a0, 1, a1), Cause::LoadAccess, unmapped + 1, unmapped);
    checkTrap(lw(a0, 0, a1), Cause::LoadAccess, unmapped, unmapped);
    checkTrap(sb(a0, 3, a1), Cause::StoreAccess, unmapped + 3, unmapped);
    checkTrap(sw(a0, 0, a1), Cause::StoreAccess, unmapped, unmapped);
    for (const std::uint32_t base : {unmapped, Guest::deviceBase}) {
        checkTrap(lrW(a0, a1), Cause::LoadAccess, base, base);
        checkTrap(scW(a0, a0, a1), Cause::StoreAccess, base, base);
        checkTrap(amoswapW(a0, a0, a1), Cause::StoreAccess, base, base);
    }
}

TEST_CASE("a store to memory that is read-only is an access fault, a load from it is not")
{
    Guest guest({lw(a0, 0, a1), sw(a0, 0, a1)});
    std::vector<std::uint8_t> rom(4096, 0x5A);
    guest.core.map({0x10000000, 0x10000FFF, rom.data(), true, false});
    guest.core.setReg(11, 0x10000000);
    checkTrap(guest, Cause::StoreAccess, 0x10000000);
    CHECK(guest.core.reg(10) == 0x5A5A5A5A);
}

TEST_CASE("a jump to an address without memory is completed, and the fetch there is the access fault")
{
    Guest guest({jalr(ra, 0, a1)});
    guest.core.setReg(11, unmapped);
    guest.core.setCsr(csr::mtvec, Guest::handler);
    guest.core.run(2);
    CHECK(guest.core.reg(1) == Guest::memoryBase + 4);
    CHECK(guest.csr(csr::mepc) == unmapped);
    CHECK(guest.csr(csr::mtval) == unmapped);
    CHECK(guest.csr(csr::mcause) == 1);
    CHECK(guest.core.pc() == Guest::handler);
    CHECK(guest.core.retired() == 1);
    CHECK(guest.core.executed() == 2);
}

TEST_CASE("an instruction whose second half is not there faults with the address of that half")
{
    Guest guest({nop()});
    const std::uint32_t last = Guest::memoryBase + Guest::memoryBytes - 4;
    guest.put(last, {pair(cNop(), 0x0013)});
    guest.core.setCsr(csr::mtvec, Guest::handler);
    guest.core.setPc(last);
    guest.core.run(2);
    CHECK(guest.csr(csr::mepc) == last + 2);
    CHECK(guest.csr(csr::mtval) == last + 4);
    CHECK(guest.csr(csr::mcause) == 1);
    CHECK(guest.core.retired() == 1);
}

TEST_CASE("code that runs off the end of memory faults there")
{
    Guest guest({nop()});
    const std::uint32_t last = Guest::memoryBase + Guest::memoryBytes - 4;
    guest.put(last, {nop()});
    guest.core.setCsr(csr::mtvec, Guest::handler);
    guest.core.setPc(last);
    guest.core.run(2);
    CHECK(guest.csr(csr::mepc) == last + 4);
    CHECK(guest.core.retired() == 1);
}

TEST_CASE("a trap handler that cannot be fetched, or traps itself, uses the budget up like anything else")
{
    for (const std::uint32_t vector : {unmapped, Guest::handler}) {
        Guest guest({ecall()});
        guest.core.setCsr(csr::mtvec, vector); // memory is zero: illegal
        CHECK(guest.core.run(1000) == Stop::Budget);
        CHECK(guest.core.executed() == 1000);
        CHECK(guest.core.retired() == 0);
        CHECK(guest.core.traps() == 1000);
    }
}

TEST_CASE("mret goes back to mepc with the interrupt enable as before the trap")
{
    Guest guest({ecall(), nop()});
    guest.put(Guest::handler, {csrr(t0, csr::mepc), addi(t0, t0, 4), csrrw(zero, csr::mepc, t0), mret()});
    guest.core.setCsr(csr::mtvec, Guest::handler);
    for (const std::uint32_t before : {0x8U, 0x0U}) {
        guest.core.setPc(Guest::memoryBase);
        guest.core.setCsr(csr::mstatus, before);
        guest.core.run(5);
        CHECK(guest.core.pc() == Guest::memoryBase + 4);
        CHECK(guest.csr(csr::mstatus) == (0x1880 | before));
    }
}
