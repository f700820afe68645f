// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/cpu/rv32/guest.h"
#include "tests/support/catch.h"

#include <stdexcept>

using namespace strobe;
using namespace strobe::test::rv32asm;
using rv32::Stop;
using test::BusAccess;
using test::Guest;

namespace {
constexpr std::uint32_t base = Guest::memoryBase;
constexpr std::uint32_t device = Guest::deviceBase;
} // namespace

TEST_CASE("loads extend as their names imply, from memory and from the bus")
{
    for (const std::uint32_t from : {base + 0x100, device}) {
        Guest guest({lb(a0, 0, sp), lbu(a1, 0, sp), lh(a2, 0, sp), lhu(a3, 0, sp), lw(a4, 0, sp)});
        guest.put(base + 0x100, {0x8081F2F3});
        guest.deviceValue = 0x8081F2F3;
        guest.core.setReg(2, from);
        guest.core.run(5);
        CHECK(guest.core.reg(10) == 0xFFFFFFF3);
        CHECK(guest.core.reg(11) == 0xF3);
        CHECK(guest.core.reg(12) == 0xFFFFF2F3);
        CHECK(guest.core.reg(13) == 0xF2F3);
        CHECK(guest.core.reg(14) == 0x8081F2F3);
    }
}

TEST_CASE("stores change the bytes they name and no others")
{
    Guest guest({sb(a0, 1, sp), sh(a0, 6, sp), sw(a0, 8, sp)});
    guest.core.setReg(2, base + 0x100);
    guest.core.setReg(10, 0x11223344);
    guest.core.run(3);
    CHECK(guest.word(base + 0x100) == 0x00004400);
    CHECK(guest.word(base + 0x104) == 0x33440000);
    CHECK(guest.word(base + 0x108) == 0x11223344);
    CHECK(guest.accesses.empty());
}

TEST_CASE("a bus access reports its instruction and how many preceded it")
{
    Guest guest({nop(), nop(), sw(a0, 4, sp), nop(), lhu(a1, 2, sp), sb(a0, 3, sp)});
    guest.core.setReg(2, device);
    guest.core.setReg(10, 0xAABBCCDD);
    guest.deviceValue = 0x1234;
    guest.core.run(1000);
    const std::vector<BusAccess> expected{{true, device + 4, 4, 0xAABBCCDD, 2, base + 8},
                                          {false, device + 2, 2, 0x1234, 4, base + 16},
                                          {true, device + 3, 1, 0xDD, 5, base + 20}};
    CHECK(guest.accesses == expected);
}

TEST_CASE("a postponed access has not happened; the next run repeats it")
{
    Guest guest({addi(a0, a0, 1), lw(a1, 0, sp), sw(a0, 0, sp), addi(a0, a0, 1)});
    guest.core.setReg(2, device);
    guest.deviceValue = 77;
    guest.putOff = 2;
    CHECK(guest.core.run(10) == Stop::Later);
    CHECK(guest.core.executed() == 1);
    CHECK(guest.core.pc() == base + 4);
    CHECK(guest.core.run(10) == Stop::Later);
    CHECK(guest.core.executed() == 1);
    CHECK(guest.core.run(1) == Stop::Budget);
    CHECK(guest.core.reg(11) == 77);
    guest.putOff = 1;
    CHECK(guest.core.run(1) == Stop::Later);
    CHECK(guest.core.run(2) == Stop::Budget);
    CHECK(guest.accesses.size() == 2);
    CHECK(guest.core.retired() == 4);
    CHECK(guest.core.reg(10) == 2);
}

TEST_CASE("the current run can be shortened and stopped from inside an access")
{
    Guest guest({sw(a0, 0, sp), addi(a0, a0, 1), addi(a0, a0, 1), addi(a0, a0, 1), jal(zero, -16)});
    guest.core.setReg(2, device);
    guest.onAccess = [&] { guest.core.limit(3); };
    CHECK(guest.core.run(1'000'000) == Stop::Budget);
    CHECK(guest.core.executed() == 3);
    CHECK(guest.core.reg(10) == 2);
    guest.onAccess = [&] { guest.core.stop(); };
    CHECK(guest.core.run(1'000'000) == Stop::Requested);
    CHECK(guest.core.executed() == 6);
    CHECK(guest.core.pc() == base + 4);
}

TEST_CASE("an exception from the bus leaves the core before the instruction")
{
    Guest guest({nop(), sw(a0, 0, sp), nop()});
    guest.core.setReg(2, device);
    guest.onAccess = [] { throw std::runtime_error("no"); };
    CHECK_THROWS_AS(guest.core.run(10), std::runtime_error);
    CHECK(guest.core.pc() == base + 4);
    CHECK(guest.core.executed() == 1);
    guest.onAccess = nullptr;
    guest.core.run(2);
    CHECK(guest.core.pc() == base + 12);
    CHECK(guest.core.executed() == 3);
}

TEST_CASE("memory that does not fill a page is also direct, byte by byte")
{
    Guest guest({lw(a0, 0, sp), sw(a0, 4, sp), lw(a1, 8, sp)});
    std::vector<std::uint8_t> small(8, 0x11);
    guest.core.map({device + 0x104, device + 0x10B, small.data()});
    guest.core.setReg(2, device + 0x104);
    guest.core.run(2);
    CHECK(guest.accesses.empty());
    CHECK(guest.core.reg(10) == 0x11111111);
    guest.core.run(1);
    CHECK(guest.accesses.size() == 1);
}

TEST_CASE("accesses to unmapped regions go to the bus again, code included")
{
    Guest guest({nop()});
    std::vector<std::uint8_t> other(4096);
    const Word loop = jal(zero, 0);
    std::memcpy(other.data(), &loop, 4);
    guest.core.map({0x10000000, 0x10000FFF, other.data()});
    guest.core.setPc(0x10000000);
    guest.core.run(10);
    CHECK(guest.core.traps() == 0);
    guest.core.unmap(0x10000800, 0x10000800);
    guest.core.setCsr(rv32::csr::mtvec, base);
    guest.core.run(1);
    CHECK(guest.core.traps() == 1);
    CHECK(guest.csr(rv32::csr::mcause) == 1);
}

TEST_CASE("code that stores into its own stream runs what it has stored, in the very next instruction")
{
    Guest guest({sw(a1, 4, sp), addi(a0, a0, 1), addi(a0, a0, 1)});
    guest.core.setReg(2, base);
    guest.core.setReg(11, addi(a0, a0, 100));
    guest.core.run(3);
    CHECK(guest.core.reg(10) == 101);
    guest.core.setReg(11, addi(a0, a0, 200)); // once more, with everything decoded
    guest.core.setPc(base);
    guest.core.run(3);
    CHECK(guest.core.reg(10) == 302);
}

TEST_CASE("a store into the second half of an instruction is noticed, also over a page border")
{
    for (const std::uint32_t at : {base + 0x100, base + 0xFFE}) {
        Guest guest({nop()});
        const Word before = addi(a0, zero, 1);
        std::memcpy(&guest.memory[at - base], &before, 4);
        guest.put(base, {sh(a1, 2, sp), jalr(zero, 0, sp)});
        guest.core.setReg(2, at);
        guest.core.setPc(at);
        guest.core.run(1);
        CHECK(guest.core.reg(10) == 1);
        guest.core.setReg(11, addi(a0, zero, 2) >> 16);
        guest.core.setPc(base);
        guest.core.run(3);
        CHECK(guest.core.reg(10) == 2);
    }
}

TEST_CASE("stores of others into code take effect after fence.i, or when the core is notified")
{
    Guest guest({addi(a0, a0, 1), fenceI(), jal(zero, -8)});
    guest.core.run(4);
    guest.put(base, {addi(a0, a0, 10)});
    guest.core.setPc(base);
    guest.core.run(1);
    CHECK(guest.core.reg(10) == 3); // still the old one
    guest.core.run(3);
    CHECK(guest.core.reg(10) == 13);
    guest.put(base, {addi(a0, a0, 100)});
    guest.core.invalidateCode(base, base + 3);
    guest.core.setPc(base);
    guest.core.run(1);
    CHECK(guest.core.reg(10) == 113);
}

TEST_CASE("memory may be mapped when the first instruction is fetched from it")
{
    struct Late : Guest {
        using Guest::Guest;
        void requestDirect(std::uint32_t address) override
        {
            asked.push_back(address);
            if (address >> 12 == 0x10000)
                core.map({0x10000000, 0x10000FFF, extra.data()});
        }
        std::vector<std::uint32_t> asked;
        std::vector<std::uint8_t> extra = std::vector<std::uint8_t>(4096);
    };
    Late guest({jalr(zero, 0, sp)});
    const Word word = addi(a0, a0, 5);
    std::memcpy(&guest.extra[8], &word, 4);
    guest.core.setReg(2, 0x10000008);
    guest.core.run(2);
    CHECK(guest.core.reg(10) == 5);
    CHECK(guest.asked == std::vector<std::uint32_t>{0x10000008});
}
