// SPDX-License-Identifier: Apache-2.0
//
// Compiled blocks (block_compiler.h) against the same instructions one at a time.
#include "tests/domain/cpu/rv32/guest.h"
#include "tests/support/catch.h"
#include "tests/support/rv32_random_blocks.h"

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
                                       op(1, 4, a0, a0, a1) /* div */,
                                       op(1, 4, a0, a1, zero),
                                       op(1, 6, a1, a0, a1) /* rem */,
                                       op(1, 7, a0, a2, a1) /* remu */,
                                       op(1, 7, x(20), a2, zero),
                                       op(1, 1, a0, a0, a1) /* mulh */,
                                       op(1, 2, a1, a0, a2) /* mulhsu */,
                                       op(1, 3, x(20), a0, a1) /* mulhu */,
                                       op(0, 1, a1, a0, a1) /* sll */,
                                       op(0, 5, a0, a0, x(20)) /* srl */,
                                       op(0x20, 5, a0, a1, a0) /* sra */,
                                       op(0, 2, a1, a0, a1) /* slt */,
                                       op(0, 3, a0, zero, a0) /* sltu */,
                                       op(0, 4, x(20), a1, x(20)) /* xor */,
                                       iType(-3, 11, 2, 10, 0x13) /* slti a0, a1, -3 */,
                                       iType(-1, 10, 3, 11, 0x13) /* sltiu a1, a0, -1 */,
                                       iType(-1, 10, 4, 20, 0x13) /* xori x20, a0, -1 */,
                                       iType(0x155, 20, 6, 10, 0x13) /* ori a0, x20, 0x155 */,
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

rv32::CoreConfig compiledAfter(unsigned jumps)
{
    rv32::CoreConfig config;
    config.compileAfter = jumps;
    return config;
}

// A program of two instructions and padding, on one core again and again: code that changes is part of the test.
struct Machine {
    Guest guest;

    explicit Machine(unsigned compileAfter) : guest({}, compiledAfter(compileAfter)) {}

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
        restart();
    }
    void restart()
    {
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

// Random blocks of code. Every other page of data is on the bus, which puts some accesses off.
class RandomMachine : public rv32::Environment {
public:
    explicit RandomMachine(unsigned compileAfter) : core(compiledAfter(compileAfter), *this)
    {
        core.map({test::codeBase, test::codeBase + test::codeBytes - 1, code_.data(), true, false});
        core.map({test::dataBase, test::dataBase + rv32::pageBytes - 1, data_.data()});
    }
    void load(const test::Block& block)
    {
        std::fill(std::copy(block.code.begin(), block.code.end(), code_.begin()), code_.end(), std::uint8_t{0});
        core.invalidateCode(test::codeBase, test::codeBase + test::codeBytes - 1);
        for (unsigned i = 1; i < 32; ++i)
            core.setReg(i, block.x[i]);
        core.setPc(test::codeBase);
        core.setCsr(rv32::csr::mtvec, 0);
        core.setCsr(rv32::csr::mscratch, 0);
    }
    bool isEqual(const RandomMachine& other) const
    {
        return core.pc() == other.core.pc() && core.registers().x == other.core.registers().x &&
               core.executed() == other.core.executed() && core.retired() == other.core.retired() &&
               core.traps() == other.core.traps() && data_ == other.data_ && accesses_ == other.accesses_;
    }
    rv32::BusResult load(std::uint32_t address, unsigned bytes, std::uint32_t& value) override
    {
        value = 0;
        return access(address, bytes, [&](std::uint8_t* at) { std::memcpy(&value, at, bytes); });
    }
    rv32::BusResult store(std::uint32_t address, unsigned bytes, std::uint32_t value) override
    {
        return access(address, bytes, [&](std::uint8_t* at) { std::memcpy(at, &value, bytes); });
    }

    rv32::Core core;

private:
    template <class Copy>
    rv32::BusResult access(std::uint32_t address, unsigned bytes, Copy copy)
    {
        if (address < test::dataBase || address + bytes > test::dataBase + test::dataBytes)
            return rv32::BusResult::Fault;
        if (++accesses_ % 5 == 0)
            return rv32::BusResult::Later;
        copy(&data_[address - test::dataBase]);
        return rv32::BusResult::Ok;
    }

    std::array<std::uint8_t, test::codeBytes> code_{};
    std::array<std::uint8_t, test::dataBytes> data_{};
    std::uint64_t accesses_ = 0;
};

} // namespace

TEST_CASE("two neighbours do the same compiled as one by one, wherever the run ends")
{
    Machine compiled(1);
    Machine apart(0);
    for (const Word first : samples()) {
        for (const Word second : samples()) {
            compiled.load(first, second);
            for (int round = 0; round < 2; ++round) { // translated, then compiled
                compiled.guest.core.run(20);
                compiled.restart();
            }
            apart.load(first, second);
            for (int steps = 1; steps <= 20; ++steps) {
                apart.guest.core.run(1);
                if (steps > 3 && steps % 8 != 4)
                    continue;
                compiled.restart();
                compiled.guest.core.run(steps);
                if (compiled.state() != apart.state())
                    FAIL_CHECK("0x" << std::hex << first << ", 0x" << second << ", " << std::dec << steps << " steps");
            }
        }
    }
}

TEST_CASE("random programs do the same compiled as one by one at the end of each run, whatever its budget")
{
    test::Generator generator(7);
    RandomMachine compiled(2);
    RandomMachine apart(0);
    for (int block = 0; block < 4000; ++block) {
        const test::Block program = generator.block(8 + generator.below(100));
        compiled.load(program);
        apart.load(program);
        for (int run = 0; run < 40; ++run) {
            const std::int64_t budget = 1 + generator.below(run % 4 == 0 ? 400 : 90);
            REQUIRE(compiled.core.run(budget) == apart.core.run(budget));
            if (!compiled.isEqual(apart))
                FAIL("block " << block << ", run " << run << ", pc " << std::hex << compiled.core.pc() << " and "
                              << apart.core.pc());
        }
    }
}

TEST_CASE("stores to the rest of a page whose beginning is guarded are made by compiled code")
{
    Guest guest({sw(a0, 0, a1), addi(a0, a0, 1), jal(zero, -8)}, compiledAfter(2));
    guest.core.guard(rv32::Guard::Null, data, data + 3);
    guest.core.setReg(11, data + 8);
    guest.core.run(300);
    CHECK(guest.word(data + 8) == 99);
    CHECK(guest.guardHits.empty());
    guest.core.setReg(11, data);
    guest.core.run(3);
    CHECK(guest.guardHits.size() == 1);
    CHECK(guest.word(data) == 100);
    CHECK(guest.core.reg(10) == 101);
}

// Ten rounds of a loop, a store into it, and ten rounds again.
TEST_CASE("compiled code that is stored to is executed as it is then")
{
    struct Change {
        Word store;
        Word value;
        std::uint32_t before; // what a round adds
        std::uint32_t after;
    };
    for (const Change& change :
         {Change{sw(a2, 0, a3), addi(a0, a0, 100), 5, 104}, Change{sw(a2, 4, a3), addi(a0, a0, 100), 5, 101},
          Change{sh(a2, 6, a3), addi(a0, a0, 100) >> 16, 5, 101}}) { // its upper half alone
        const std::vector<Word> program{addi(a0, a0, 1), addi(a0, a0, 4), addi(a1, a1, -1), bne(a1, zero, -12),
                                        change.store,    li(a1, 10),      jal(zero, -24)};
        Guest guest(program, compiledAfter(2));
        guest.core.setReg(10, 0);
        guest.core.setReg(11, 10);
        guest.core.setReg(12, change.value);
        guest.core.setReg(13, base);
        guest.core.run(40 + 3 + 40);
        CHECK(guest.core.reg(10) == 10 * change.before + 10 * change.after);
    }
}

TEST_CASE("code changed from outside executes as the old until the core is notified, before and after it is compiled")
{
    const bool isCompiledFirst = GENERATE(false, true);
    Guest guest({addi(a0, a0, 1), addi(a1, a1, 1), jal(zero, -8)}, compiledAfter(1));
    guest.core.run(isCompiledFirst ? 30 : 3);
    const Word other = addi(a2, a2, 1);
    std::memcpy(guest.memory.data() + 4, &other, sizeof other); // as another core would
    guest.core.run(isCompiledFirst ? 30 : 57);
    CHECK(guest.core.reg(11) == 20);
    CHECK(guest.core.reg(12) == 0);
    guest.core.invalidateCode(base + 4, base + 7);
    guest.core.run(30);
    CHECK(guest.core.reg(11) == 20);
    CHECK(guest.core.reg(12) == 10);
    CHECK(guest.core.reg(10) == 30);
}

#ifdef __x86_64__
TEST_CASE("code is compiled when a jump has reached it so often, and again when it was stored to")
{
    Guest guest({addi(a0, a0, 1), jal(zero, -4)}, compiledAfter(5));
    guest.core.run(2 * 3); // the beginning of the run and three jumps
    CHECK(guest.core.compiledBlocks() == 0);
    guest.core.run(2);
    CHECK(guest.core.compiledBlocks() == 1);
    guest.core.run(100);
    CHECK(guest.core.compiledBlocks() == 1);
    guest.core.invalidateCode(base, base + 3);
    guest.core.run(100);
    CHECK(guest.core.compiledBlocks() == 2);
    Guest never({addi(a0, a0, 1), jal(zero, -4)}, compiledAfter(0));
    never.core.run(1000);
    CHECK(never.core.compiledBlocks() == 0);
}
#endif

TEST_CASE("a breakpoint set inside a compiled loop stops there")
{
    Guest guest({addi(a0, a0, 1), addi(a1, a1, 1), jal(zero, -8)}, compiledAfter(1));
    guest.core.run(60);
    guest.core.addBreakpoint(base + 4);
    CHECK(guest.core.run(100) == Stop::Breakpoint);
    CHECK(guest.core.pc() == base + 4);
    CHECK(guest.core.reg(10) == 21);
    CHECK(guest.core.reg(11) == 20);
    guest.core.removeBreakpoint(base + 4);
    CHECK(guest.core.run(50) == Stop::Budget);
    CHECK(guest.core.reg(11) == 37);
}

TEST_CASE("a watchpoint on what a compiled load reads stops after it")
{
    Guest guest({lw(a0, 0, s0), lw(a1, 0, s1), jal(zero, -8)}, compiledAfter(1));
    guest.core.setReg(8, data);
    guest.core.setReg(9, data + 0x1000);
    guest.core.run(60);
    guest.core.addWatchpoint({data + 0x1000, 4, true, false});
    CHECK(guest.core.run(100) == Stop::Watchpoint);
    CHECK(guest.core.pc() == base + 8);
    CHECK(guest.core.retired() == 62);
}

TEST_CASE("the place for compiled code is used again when it is full")
{
    // A block of 41 bytes each, in 8 MiB.
    constexpr std::uint32_t jumps = Guest::memoryBytes / 4 - 2;
    std::vector<Word> program(jumps, jal(zero, 4));
    program.push_back(addi(a0, a0, 1));
    program.push_back(jalr(zero, 0, a1));
    Guest guest(program, compiledAfter(1));
    guest.core.setReg(11, base);
    guest.core.setReg(10, 0);
    for (int round = 0; round < 15; ++round) {
        guest.core.invalidateCode(base, base + Guest::memoryBytes - 1);
        guest.core.run(3 * (jumps + 2));
    }
    CHECK(guest.core.reg(10) == 45);
    CHECK(guest.core.pc() == base);
}
