// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/code_coverage.h"
#include "tests/domain/cpu/rv32/guest.h"
#include "tests/support/catch.h"
#include "tests/support/elf_builder.h"
#include "tests/support/rv32_random_blocks.h"

#include <map>

using namespace strobe;
using namespace strobe::cpu;
using namespace strobe::test::rv32asm;
using test::Guest;

namespace {

constexpr std::uint32_t base = Guest::memoryBase;

ElfImage imageAt(std::uint32_t address, std::uint32_t bytes)
{
    test::ElfBuilder elf;
    elf.segments.clear();
    elf.contents.clear();
    elf.add(address, bytes, PF_R | PF_X, {});
    elf.header.e_entry = address;
    elf.symbols = {{"vector_table", address, 0, STT_OBJECT}};
    return ElfImage::parse(elf.file(), "covered.elf");
}

// Passed so often, by address of each half of an instruction; jumps include branches that are taken.
class EveryInstruction final : public rv32::Observer {
public:
    void retired(const rv32::Core& /*core*/, std::uint32_t pc, std::uint32_t bits, unsigned /*cycles*/) override
    {
        ++passed[pc];
        isLong_ = !rv32::isCompressed(bits);
        if (isLong_)
            ++passed[pc + 2];
    }
    void jumped(const rv32::Core& /*core*/, std::uint32_t from, std::uint32_t /*to*/) override
    {
        ++taken[from];
        if (isLong_) // execution leaves it after the first half, as coverage counts
            --passed[from + 2];
    }

    std::map<std::uint32_t, std::uint64_t> passed;
    std::map<std::uint32_t, std::uint64_t> taken;

private:
    bool isLong_ = false;
};

// Code of test::Generator; some accesses are put off, others fault.
class Machine final : public rv32::Environment {
public:
    explicit Machine(rv32::Observer& observer) : core({}, *this)
    {
        core.map({test::codeBase, test::codeBase + test::codeBytes - 1, code_.data(), true, false});
        core.observe(&observer);
    }
    void load(const test::Block& block)
    {
        std::fill(std::copy(block.code.begin(), block.code.end(), code_.begin()), code_.end(), std::uint8_t{0});
        core.invalidateCode(test::codeBase, test::codeBase + test::codeBytes - 1);
        for (unsigned i = 1; i < 32; ++i)
            core.setReg(i, block.x[i]);
        core.setPc(test::codeBase);
        core.setCsr(rv32::csr::mtvec, test::codeBase + test::codeBytes / 2);
    }
    rv32::BusResult load(std::uint32_t address, unsigned /*bytes*/, std::uint32_t& value) override
    {
        value = address;
        return store(address, 0, 0);
    }
    rv32::BusResult store(std::uint32_t address, unsigned /*bytes*/, std::uint32_t /*value*/) override
    {
        if (address < test::dataBase || address >= test::dataBase + test::dataBytes)
            return rv32::BusResult::Fault;
        return ++accesses_ % 5 == 0 ? rv32::BusResult::Later : rv32::BusResult::Ok;
    }

    rv32::Core core;

private:
    std::array<std::uint8_t, test::codeBytes> code_{};
    std::uint64_t accesses_ = 0;
};

} // namespace

TEST_CASE("an instruction counts as often as it is executed, a branch as often as it is taken")
{
    // Three rounds: the first branch is never taken, the second twice.
    Guest guest({li(a0, 3), beq(a0, zero, 12), addi(a0, a0, -1), bne(a0, zero, -8), ecall(), nop()});
    guest.core.setCsr(rv32::csr::mtvec, base + 0x100);
    guest.put(base + 0x100, {nop(), nop()});
    CodeCoverage coverage(imageAt(base, 0x200));
    guest.core.observe(&coverage);
    coverage.begin(guest.core);
    guest.core.run(1 + 9 + 1 + 1);
    coverage.end(guest.core);
    const CodeCoverage::Counts counts = coverage.counts();
    const auto executed = [&](std::uint32_t at) { return counts.executedAt(base + at); };
    CHECK(executed(0) == 1);
    CHECK(executed(4) == 3);
    CHECK(executed(8) == 3);
    CHECK(executed(12) == 3);
    CHECK(executed(16) == 0); // it traps
    CHECK(executed(20) == 0);
    CHECK(executed(0x100) == 1);
    CHECK(executed(0x104) == 0);
    CHECK(counts.jumpedFrom(base + 4) == 0);
    CHECK(counts.jumpedFrom(base + 12) == 2);
    CHECK(counts.executedAt(base - 4) == 0);
    CHECK(counts.executedAt(base + 0x200) == 0);
}

TEST_CASE("counts add up over harts, and a debugger's change of the pc is no execution of what it skips")
{
    CodeCoverage coverage(imageAt(base, 0x200));
    for (int hart = 0; hart < 2; ++hart) {
        Guest guest({nop(), nop(), nop(), nop(), nop()});
        guest.core.observe(&coverage);
        coverage.begin(guest.core);
        guest.core.run(2);
        guest.core.setPc(base + 12);
        guest.core.run(1);
        coverage.end(guest.core);
    }
    const CodeCoverage::Counts counts = coverage.counts();
    const std::vector<std::uint64_t> expected{2, 2, 0, 2, 0};
    for (std::uint32_t i = 0; i < expected.size(); ++i)
        CHECK(counts.executedAt(base + 4 * i) == expected[i]);
}

TEST_CASE("random programs have the counts that an observer of every instruction finds")
{
    test::Generator generator(11);
    CodeCoverage coverage(imageAt(test::codeBase, test::codeBytes));
    EveryInstruction every;
    Machine jumps(coverage);
    Machine steps(every);
    coverage.begin(jumps.core);
    for (int block = 0; block < 100; ++block) {
        const test::Block program = generator.block(8 + generator.below(100));
        jumps.load(program);
        steps.load(program);
        for (int run = 0; run < 20; ++run) {
            const std::int64_t budget = 1 + generator.below(90);
            REQUIRE(jumps.core.run(budget) == steps.core.run(budget));
            REQUIRE(jumps.core.retired() == steps.core.retired());
        }
    }
    coverage.end(jumps.core);
    const CodeCoverage::Counts counts = coverage.counts();
    for (std::uint32_t pc = test::codeBase; pc < test::codeBase + test::codeBytes; pc += 2) {
        if (counts.jumpedFrom(pc) != every.taken[pc])
            FAIL_CHECK("jumps at 0x" << std::hex << pc);
        if (counts.executedAt(pc) != every.passed[pc])
            FAIL_CHECK("executed at 0x" << std::hex << pc);
    }
}
