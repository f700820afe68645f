// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/memory_check.h"
#include "tests/domain/cpu/rv32/guest.h"
#include "tests/support/catch.h"
#include "tests/support/elf_builder.h"

using namespace strobe;
using namespace strobe::cpu;
using namespace strobe::test::rv32asm;
using test::Guest;

namespace {

constexpr std::uint32_t base = Guest::memoryBase;
constexpr std::uint32_t stackLimit = base + 0x4000;
constexpr std::uint32_t stackTop = base + 0x5000;
constexpr std::uint32_t pattern = 0x57AC57AC;

// The first 0x100 bytes are what the image brings.
struct Checked {
    Guest guest;
    ElfImage image;
    MemoryCheck check;

    explicit Checked(const std::vector<Word>& program)
        : guest(program), image(imageFile()), check(image, base, 0x10000, pattern)
    {
        guest.core.setReg(2, stackTop);
        guest.core.setReg(11, base);
        guest.core.observe(&check);
    }
    static ElfImage imageFile()
    {
        test::ElfBuilder elf;
        elf.segments.clear();
        elf.contents.clear();
        elf.add(base, 0x100, PF_R | PF_X, std::vector<unsigned char>(0x100));
        elf.header.e_entry = base;
        elf.symbols = {{"vector_table", base, 0, STT_OBJECT},
                       {"__stack_limit", stackLimit, 0, STT_NOTYPE},
                       {"__stack_top", stackTop, 0, STT_NOTYPE}};
        return ElfImage::parse(elf.file(), "checked.elf");
    }
    std::vector<std::uint32_t> places(int instructions)
    {
        guest.core.run(instructions);
        std::vector<std::uint32_t> pcs;
        for (const MemoryCheck::Finding& finding : check.findings())
            pcs.push_back(finding.pc - base);
        return pcs;
    }
};

} // namespace

TEST_CASE("a load of unwritten memory is reported once per place; the image and stores count as written")
{
    Checked c(
        {lw(a0, 0, a1), lw(a0, 0x200, a1), sw(a0, 0x200, a1), lw(a0, 0x200, a1), lw(a0, 0x204, a1), jal(zero, -4)});
    CHECK(c.places(20) == std::vector<std::uint32_t>{4, 16});
    CHECK(c.check.findings()[0].address == base + 0x200);
    CHECK(c.check.findings()[0].bytes == 4);
}

TEST_CASE("a partly written word may be copied")
{
    Checked c({sb(a0, 0x202, a1), lw(a0, 0x200, a1), lbu(a0, 0x203, a1)});
    CHECK(c.places(3) == std::vector<std::uint32_t>{8});
}

TEST_CASE("memory that a function left below the stack pointer is unwritten again")
{
    Checked c({addi(sp, sp, -16), sw(a0, 4, sp), lw(a0, 4, sp), addi(sp, sp, 16), addi(sp, sp, -32), lw(a0, 20, sp)});
    CHECK(c.places(6) == std::vector<std::uint32_t>{20});
    CHECK(c.check.stacks().used().at(0).deepest == 32);
}

TEST_CASE("a painted stack counts as unwritten, a pattern elsewhere as written")
{
    Checked c({lui(a0, 0x57AC5), addi(a0, a0, 0x7AC), addi(sp, sp, -16), sw(a0, 0, sp), lw(a2, 0, sp),
               sw(a0, 0x200, a1), lw(a2, 0x200, a1)});
    CHECK(c.places(7) == std::vector<std::uint32_t>{16});
}

TEST_CASE("the lowest word of a painted stack may be read: firmware checks that it is intact")
{
    Checked c({lui(a0, 0x57AC5), addi(a0, a0, 0x7AC), lui(a2, 0x80004), sw(a0, 0, a2), lw(a0, 0, a2), lw(a0, 4, a2)});
    CHECK(c.places(6) == std::vector<std::uint32_t>{20});
}

TEST_CASE("memory that one hart has written is written for the other")
{
    Checked c({sw(a0, 0x200, a1)});
    c.guest.core.run(1);
    Guest other({lw(a0, 0x200, a1), lw(a0, 0x204, a1)}, {1, 0, {}});
    other.core.setReg(11, base);
    other.core.observe(&c.check);
    other.core.run(2);
    REQUIRE(c.check.findings().size() == 1);
    CHECK(c.check.findings()[0].address == base + 0x204);
}

TEST_CASE("where a task left its stack is unwritten, where another waits is not")
{
    // sp: a task at base + 0x2000, another at base + 0x3000
    Checked c({lui(a2, 0x80002), lui(a3, 0x80003), addi(sp, a2, 0), addi(sp, sp, -16), sw(a0, 4, sp), addi(s0, sp, 0),
               addi(sp, a3, 0), addi(sp, sp, -16), addi(sp, sp, 16), addi(sp, s0, 0), lw(a0, 4, sp), addi(sp, sp, 16),
               lw(a0, -12, sp)});
    CHECK(c.places(13) == std::vector<std::uint32_t>{48});
}
