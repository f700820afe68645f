// SPDX-License-Identifier: Apache-2.0
//
// Neighbours that threaded code does in one go (step_kinds.h) against the same instructions one at a time, which never
// are: with a budget of one there is no neighbour.
#include "tests/domain/cpu/rv32/guest.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::test::rv32asm;
using rv32::Stop;
using test::Guest;

namespace {

constexpr std::uint32_t base = Guest::memoryBase;
constexpr std::uint32_t data = base + 0x2000;

// Both lengths of what compilers make, registers of both roles, x0 included; half of the jumps and branches are taken.
// Targets: two bytes after the end of a pair of four-byte instructions, so in the padding.
const std::vector<Word>& samples()
{
    static const std::vector<Word> all{li(a0, -7),
                                       lui(a1, 0x12345),
                                       li(zero, 3),
                                       addi(a0, a1, 12),
                                       addi(a1, a1, -1),
                                       slli(a0, a1, 3),
                                       slli(a1, a0, 31),
                                       srai(a1, a0, 2),
                                       iType(5, 10, 5, 11, 0x13) /* srli a1, a0, 5 */,
                                       andi(a0, a0, 0x55),
                                       add(a0, a0, a1),
                                       add(a1, a0, a2),
                                       op(0x20, 0, a0, a1, a2) /* sub */,
                                       op(0, 7, a1, a0, a2) /* and */,
                                       op(0, 6, a0, a1, a2) /* or */,
                                       op(1, 0, a0, a0, a1) /* mul */,
                                       op(1, 5, a1, a0, a2) /* divu */,
                                       lw(a0, 0, s0),
                                       lw(a1, 8, s0),
                                       lw(s0, 4, s0),
                                       lw(a0, 2, s0) /* misaligned */,
                                       lbu(a0, 3, s0),
                                       lhu(a1, 6, s0),
                                       lb(a0, 3, s0),
                                       sw(a0, 0, s0),
                                       sw(a1, 8, s0),
                                       sw(a2, 1, s0) /* misaligned */,
                                       sb(a1, 5, s0),
                                       sh(a0, 6, s0),
                                       lw(a0, 0, s1),
                                       sw(a1, 4, s1) /* the device */,
                                       lw(a0, 0, zero),
                                       sw(a0, 0, zero) /* nothing there */,
                                       beq(a0, a0, 8),
                                       beq(a0, a1, 8),
                                       bne(a0, a1, 8),
                                       bne(a1, a1, 8),
                                       blt(a0, a1, 8),
                                       bgeu(a0, a1, 8),
                                       bType(8, 11, 10, 6) /* bltu */,
                                       jal(zero, 8),
                                       jal(ra, 8),
                                       jalr(ra, 0, a3),
                                       csrr(a0, 0xB02),
                                       csrrw(a0, 0x340, a1),
                                       ecall(),
                                       0x4515 /* c.li a0, 5 */,
                                       0x052D /* c.addi a0, 11 */,
                                       0x058A /* c.slli a1, 2 */,
                                       0x852E /* c.mv a0, a1 */,
                                       0x95AA /* c.add a1, a0 */,
                                       0x8D0D /* c.sub a0, a1 */,
                                       0x4008 /* c.lw a0, 0(s0) */,
                                       0x404C /* c.lw a1, 4(s0) */,
                                       0xC04C /* c.sw a1, 4(s0) */,
                                       0x4522 /* c.lwsp a0, 8(sp) */,
                                       0xC42E /* c.swsp a1, 8(sp) */,
                                       0xC111 /* c.beqz a0, 4 */,
                                       0xE191 /* c.bnez a1, 4 */,
                                       0xA011 /* c.j 4 */,
                                       0x8682 /* c.jr a3 */};
    return all;
}

// A program of two instructions and padding, on one core again and again: code that changes is part of the test.
struct Machine {
    Guest guest{{}};

    void load(Word first, Word second)
    {
        std::vector<std::uint16_t> halves;
        for (const Word word : {first, second}) {
            halves.push_back(static_cast<std::uint16_t>(word));
            if ((word & 3) == 3)
                halves.push_back(static_cast<std::uint16_t>(word >> 16));
        }
        halves.resize(16, 0x0001); // c.nop
        std::memcpy(guest.memory.data(), halves.data(), halves.size() * 2);
        guest.core.invalidateCode(base, base + 31);
        guest.put(data, {0x80002004, 0x80002008, 0x89ABCDEF, 0xFEDCBA98});
        guest.core.setCsr(rv32::csr::mtvec, base + 24);
        for (const std::uint32_t number : {0x340U, 0x341U, 0x342U, 0x343U}) // mscratch, mepc, mcause, mtval
            guest.core.setCsr(number, 0);
        guest.core.setCsr(0xB02, 0); // minstret
        for (unsigned reg = 1; reg < 32; ++reg)
            guest.core.setReg(reg, 0x01010101 * reg);
        guest.core.setReg(2, data);              // sp
        guest.core.setReg(8, data);              // s0
        guest.core.setReg(9, Guest::deviceBase); // s1
        guest.core.setReg(13, base + 16);        // a3
        guest.core.setPc(base);
        guest.accesses.clear();
        retiredBefore = guest.core.retired();
    }
    std::vector<std::uint32_t> state() const
    {
        std::vector<std::uint32_t> all{
            guest.core.pc(), static_cast<std::uint32_t>(guest.core.retired() - retiredBefore),
            guest.csr(rv32::csr::mepc), guest.csr(rv32::csr::mcause), guest.csr(rv32::csr::mtval)};
        for (unsigned reg = 0; reg < 32; ++reg)
            all.push_back(guest.core.reg(reg));
        for (std::uint32_t at = 0; at < 16; at += 4)
            all.push_back(guest.word(data + at));
        for (const test::BusAccess& access : guest.accesses)
            all.insert(all.end(), {access.address, access.value, access.pc,
                                   static_cast<std::uint32_t>(access.retired - retiredBefore)});
        return all;
    }

    std::uint64_t retiredBefore = 0;
};

} // namespace

TEST_CASE("two neighbours do the same in one run as one by one, wherever the run ends")
{
    Machine together;
    Machine apart;
    for (const Word first : samples()) {
        for (const Word second : samples()) {
            apart.load(first, second);
            for (int steps = 1; steps <= 4; ++steps) {
                together.load(first, second);
                together.guest.core.run(steps);
                apart.guest.core.run(1);
                if (together.state() != apart.state())
                    FAIL_CHECK("0x" << std::hex << first << ", 0x" << second << ", " << steps << " steps");
            }
        }
    }
}

TEST_CASE("a second instruction that is stored to between two rounds is executed as it is then")
{
    for (const std::int32_t changed : {0, 4}) { // of the pair
        Guest guest({addi(a0, a0, 1), addi(a0, a0, 4), sw(a2, changed, a3), jal(zero, -12)});
        guest.core.setReg(12, addi(a0, a0, 100));
        guest.core.setReg(13, base);
        guest.core.run(6);
        CHECK(guest.core.reg(10) == (changed == 0 ? 5 + 100 + 4 : 5 + 1 + 100));
    }
    Guest guest({addi(a0, a0, 1), addi(a0, a0, 4), sh(a2, 6, a3), jal(zero, -12)}); // its upper half alone
    guest.core.setReg(12, addi(a0, a0, 100) >> 16);
    guest.core.setReg(13, base);
    guest.core.run(6);
    CHECK(guest.core.reg(10) == 5 + 1 + 100);
}

TEST_CASE(
    "code changed from outside executes as the old or the new until the core is notified, and as nothing in between")
{
    SECTION("the second was known from the pair, and is decoded by itself")
    {
        Guest guest({addi(a0, a0, 1), jal(zero, 8), addi(a0, a0, 2), addi(a0, a0, 4)});
        guest.core.run(2);
        CHECK(guest.core.pc() == base + 12);
        const Word other = lui(a1, 0x12345);
        std::memcpy(guest.memory.data() + 4, &other, sizeof other); // as another core would
        guest.core.setPc(base + 4);
        guest.core.run(1);
        guest.core.setPc(base);
        guest.core.run(2);
        const bool isOld = guest.core.pc() == base + 12;
        const bool isNew = guest.core.pc() == base + 8 && guest.core.reg(11) == 0x12345000;
        CHECK((isOld || isNew));
    }
    SECTION("the second was known by itself, and is decoded as that of a pair")
    {
        Guest guest({addi(a0, a0, 1), jal(zero, 8), addi(a0, a0, 2), addi(a0, a0, 4)});
        guest.core.setPc(base + 4);
        guest.core.run(1);
        const Word other = addi(a1, zero, 0x7F0);
        std::memcpy(guest.memory.data() + 4, &other, sizeof other);
        guest.core.setPc(base);
        guest.core.run(2);
        guest.core.setPc(base + 4);
        guest.core.run(1);
        const bool isOld = guest.core.pc() == base + 12;
        const bool isNew = guest.core.pc() == base + 8 && guest.core.reg(11) == 0x7F0;
        CHECK((isOld || isNew));
    }
}

TEST_CASE("a breakpoint set on the second of two instructions that have run stops between them")
{
    Guest guest({addi(a0, a0, 1), addi(a1, a1, 1), jal(zero, -8)});
    guest.core.run(6);
    guest.core.addBreakpoint(base + 4);
    CHECK(guest.core.run(100) == Stop::Breakpoint);
    CHECK(guest.core.pc() == base + 4);
    CHECK(guest.core.reg(10) == 3);
    CHECK(guest.core.reg(11) == 2);
    guest.core.removeBreakpoint(base + 4);
    CHECK(guest.core.run(5) == Stop::Budget);
    CHECK(guest.core.reg(11) == 4);
}

TEST_CASE("a watchpoint on what the second of two loads reads stops after it")
{
    Guest guest({lw(a0, 0, s0), lw(a1, 0, s1), jal(zero, -8)});
    guest.core.setReg(8, data);
    guest.core.setReg(9, data + 0x1000);
    guest.core.run(6);
    guest.core.addWatchpoint({data + 0x1000, 4, true, false});
    CHECK(guest.core.run(100) == Stop::Watchpoint);
    CHECK(guest.core.pc() == base + 8);
    CHECK(guest.core.retired() == 8);
}
