// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/cpu/rv32/guest.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::test::rv32asm;
using test::Guest;
namespace csr = rv32::csr;

TEST_CASE("mcycle and minstret count exactly, and their shadows show the same")
{
    Guest guest({nop(), nop(), csrr(a0, csr::minstret), csrr(a1, csr::mcycle), csrr(a2, csr::instret),
                 csrr(a3, csr::cycle), csrr(a4, csr::time), csrr(a5, csr::minstreth)});
    guest.core.run(8);
    CHECK(guest.core.reg(10) == 2);
    CHECK(guest.core.reg(11) == 3);
    CHECK(guest.core.reg(12) == 4);
    CHECK(guest.core.reg(13) == 5);
    CHECK(guest.core.reg(14) == 6);
    CHECK(guest.core.reg(15) == 0);
}

TEST_CASE("the instruction after a write of a counter reads what was written")
{
    Guest guest({li(t0, 100), csrrw(zero, csr::minstret, t0), csrr(a0, csr::minstret), csrrw(zero, csr::mcycle, t0),
                 csrr(a1, csr::mcycle)});
    guest.core.run(5);
    CHECK(guest.core.reg(10) == 100);
    CHECK(guest.core.reg(11) == 100);
}

TEST_CASE("a counter carries into its high half, and writing one half leaves the other alone")
{
    Guest guest({csrrw(zero, csr::minstreth, t1), csrrw(zero, csr::minstret, t0), nop(), csrr(a0, csr::minstreth),
                 csrr(a1, csr::minstret), csrrw(zero, csr::mcycleh, t1), csrr(a2, csr::mcycleh),
                 csrr(a3, csr::mcycle)});
    guest.core.setReg(5, 0xFFFFFFFF);
    guest.core.setReg(6, 7);
    guest.core.run(8);
    CHECK(guest.core.reg(10) == 8);
    CHECK(guest.core.reg(11) == 1);
    CHECK(guest.core.reg(12) == 7);
    CHECK(guest.core.reg(13) == 6); // the write of the high half was not counted
}

TEST_CASE("an inhibited counter stops and resumes from its value")
{
    Guest guest({nop(), csrrwi(zero, csr::mcountinhibit, 4), nop(), nop(), csrr(a0, csr::minstret),
                 csrr(a1, csr::mcycle), csrrwi(zero, csr::mcountinhibit, 1), nop(), csrr(a2, csr::minstret),
                 csrr(a3, csr::mcycle), csrr(a4, csr::mcycle)});
    guest.core.run(11);
    const std::uint32_t held = guest.core.reg(10);
    CHECK(held == 1);
    CHECK(guest.core.reg(11) == 5);
    CHECK(guest.core.reg(12) == held + 2); // csrrwi that ends it, nop
    CHECK(guest.core.reg(13) == 6);
    CHECK(guest.core.reg(14) == 6);
}

TEST_CASE("a trapping instruction takes a cycle but does not retire")
{
    Guest guest({ecall()});
    guest.put(Guest::handler, {csrr(a0, csr::minstret), csrr(a1, csr::mcycle)});
    guest.core.setCsr(csr::mtvec, Guest::handler);
    guest.core.run(3);
    CHECK(guest.core.reg(10) == 0);
    CHECK(guest.core.reg(11) == 2);
}

TEST_CASE("a debugger writes counters directly")
{
    Guest guest({csrr(a0, csr::minstret)});
    CHECK(guest.core.setCsr(csr::minstret, 1000));
    CHECK(guest.csr(csr::minstret) == 1000);
    guest.core.run(1);
    CHECK(guest.core.reg(10) == 1000);
    CHECK_FALSE(guest.core.setCsr(csr::cycle, 1));
}
