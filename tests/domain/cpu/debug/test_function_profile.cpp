// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/function_profile.h"
#include "models/cpu/debug/observers.h"
#include "tests/domain/cpu/rv32/guest.h"
#include "tests/support/catch.h"
#include "tests/support/elf_builder.h"

#include <algorithm>

using namespace strobe;
using namespace strobe::cpu;
using namespace strobe::test::rv32asm;
using test::Guest;

namespace {

constexpr std::uint32_t base = Guest::memoryBase;
constexpr X s2{18}, s3{19}, s4{20};

// Functions at multiples of 0x100: a program is the code of each.
struct Profiled {
    Guest guest;
    CodePlaces places;
    FunctionProfile profile;

    explicit Profiled(const std::vector<std::pair<const char*, std::vector<Word>>>& functions)
        : guest({}), places(image(functions)), profile(places)
    {
        for (std::size_t i = 0; i < functions.size(); ++i)
            guest.put(base + static_cast<std::uint32_t>(i) * 0x100, functions[i].second);
        guest.core.observe(&profile);
        profile.begin(guest.core);
        profile.count(guest.core, true);
    }
    // So many cycles; they are in the profile afterwards.
    void run(std::int64_t cycles, bool goesOnCounting = true)
    {
        guest.core.run(cycles);
        profile.count(guest.core, goesOnCounting);
    }
    static ElfImage image(const std::vector<std::pair<const char*, std::vector<Word>>>& functions)
    {
        test::ElfBuilder elf;
        elf.segments.clear();
        elf.contents.clear();
        elf.add(base, 0x1000, PF_R | PF_X, {});
        elf.header.e_entry = base;
        elf.symbols = {{"vector_table", base, 0, STT_OBJECT}};
        for (std::size_t i = 0; i < functions.size(); ++i)
            elf.symbols.push_back({functions[i].first, base + static_cast<std::uint32_t>(i) * 0x100, 0x100, STT_FUNC});
        return ElfImage::parse(elf.file(), "profiled.elf");
    }
    FunctionProfile::Row row(const std::string& name) const
    {
        for (const FunctionProfile::Row& row : profile.rows()) {
            if (row.function == name)
                return row;
        }
        return {};
    }
};

// "switch" exchanges stack pointer and return address with those in s0 and s1: of "job" at first, on another stack.
const std::vector<std::pair<const char*, std::vector<Word>>> twoTasks{
    {"main", {jal(ra, 0x100), nop(), jal(zero, -8)}},
    {"switch",
     {addi(t1, sp, 0), addi(sp, s0, 0), addi(s0, t1, 0), addi(t1, ra, 0), addi(ra, s1, 0), addi(s1, t1, 0),
      jalr(zero, 0, ra)}},
    {"job", {nop(), jal(ra, -0x104), jal(zero, -8)}}};

void prepareTasks(rv32::Core& core)
{
    core.setReg(2, base + 0x9000);
    core.setReg(8, base + 0xA000);
    core.setReg(9, base + 0x200);
}

// Makes the core interpret instructions.
struct EveryJump : rv32::Observer {
    rv32::Detail detail() const override { return rv32::Detail::Jumps; }
};

} // namespace

TEST_CASE("cycles belong to the function that spends them and to the chain of its callers")
{
    Profiled p({{"outer", {jal(ra, 0x100), jal(ra, 0xFC), jal(zero, -8)}}, // calls inner twice
                {"inner", {nop(), nop(), jalr(zero, 0, ra)}}});
    p.run(9 * 10);
    CHECK(p.profile.cycles() == 90);
    CHECK(p.row("outer").own == 30);
    CHECK(p.row("outer").total == 90);
    CHECK(p.row("outer").calls == 1);
    CHECK(p.row("inner").own == 60);
    CHECK(p.row("inner").total == 60);
    CHECK(p.row("inner").calls == 20);
    CHECK(p.profile.folded() == "outer 30\nouter;inner 60\n");
    CHECK(p.profile.rows().front().function == "inner");
    p.run(9, false);
    p.run(9); // not counted
    CHECK(p.profile.cycles() == 99);
    p.run(9);
    CHECK(p.profile.folded() == "outer 36\nouter;inner 72\n");
    CHECK(p.row("inner").calls == 24);
}

TEST_CASE("a jump in the place of a call counts for where it leads, under the same caller")
{
    Profiled p({{"main", {jal(ra, 0x100), jal(zero, -4)}},
                {"wrapper", {nop(), jal(zero, 0x100 - 4)}}, // tail call
                {"worker", {nop(), jalr(zero, 0, ra)}}});
    p.run(6 * 5);
    CHECK(p.profile.folded() == "main 10\nmain;worker 10\nmain;wrapper 10\n");
    CHECK(p.row("worker").calls == 5);
}

TEST_CASE("a recursive function's time counts once in its total")
{
    // count(a0): if a0 == 0 return; count(a0 - 1)
    Profiled p({{"main", {li(a0, 3), jal(ra, 0xFC), jal(zero, -8)}},
                {"count",
                 {addi(sp, sp, -4), sw(ra, 0, sp), beq(a0, zero, 12), addi(a0, a0, -1), jal(ra, -16), lw(ra, 0, sp),
                  addi(sp, sp, 4), jalr(zero, 0, ra)}}});
    p.guest.core.setReg(2, base + 0x9000);
    p.run(3 + 4 * 6 + 3 * 2);
    CHECK(p.row("count").calls == 4);
    CHECK(p.row("count").own == 30);
    CHECK(p.row("count").total == 30);
    CHECK(p.row("main").total == 33);
    CHECK(p.profile.folded().find("main;count;count;count;count 6\n") != std::string::npos);
}

TEST_CASE("a trap handler is shown as called by what it interrupted, which continues afterwards")
{
    Profiled p(
        {{"main", {nop(), ecall(), nop(), jal(zero, 0)}},
         {"handler", {csrrs(t0, rv32::csr::mepc, zero), addi(t0, t0, 4), csrrw(zero, rv32::csr::mepc, t0), mret()}}});
    p.guest.core.setCsr(rv32::csr::mtvec, base + 0x100);
    p.run(1 + 1 + 4 + 2); // the ecall takes its turn but does not complete
    CHECK(p.row("handler").calls == 1);
    CHECK(p.row("handler").own == 4);
    CHECK(p.row("main").calls == 1);
    CHECK(p.profile.folded().find("main;handler 4\n") != std::string::npos);
}

TEST_CASE("calls without end make chains of 512 functions at most")
{
    Profiled p({{"endless", {jal(ra, 0)}}});
    p.run(20'000);
    CHECK(p.profile.cycles() == 20'000);
    CHECK(p.row("endless").own == 20'000);
    CHECK(p.row("endless").total == 20'000);
    const std::string folded = p.profile.folded();
    CHECK(std::count(folded.begin(), folded.end(), '\n') == 512);
}

TEST_CASE("compiled code gives the same profile as interpreted code, and code is compiled")
{
    // Calls of a function with a loop, which ends with a branch or a jump to another one, in turns; and a jump to an
    // address in a register.
    const std::vector<std::pair<const char*, std::vector<Word>>> program{
        {"main", {li(s0, 100), jal(ra, 0x100 - 4), addi(s0, s0, -1), bne(s0, zero, -8), jal(zero, 0)}},
        {"loop",
         {li(a0, 50), addi(a0, a0, -1), bne(a0, zero, -4), andi(a1, s0, 1), beq(a1, zero, 0x100 - 16),
          jal(zero, 0x200 - 20)}},
        {"even", {nop(), jalr(zero, 0, ra)}},
        {"odd", {lui(t2, (base + 0x400) >> 12), addi(t2, t2, 0x400), jalr(zero, 0, t2)}},
        {"last", {nop(), jalr(zero, 0, ra)}}};
    Profiled compiled(program);
    Profiled interpreted(program);
    EveryJump jumps;
    Observers both;
    both.add(interpreted.profile);
    both.add(jumps);
    interpreted.guest.core.observe(both.all());
    for (const std::int64_t cycles : {100, 5'000, 7'001}) {
        compiled.run(cycles);
        interpreted.run(cycles);
    }
    CHECK(compiled.guest.core.compiledBlocks() > 0);
    CHECK(interpreted.guest.core.compiledBlocks() == 0);
    CHECK(compiled.row("last").calls == 50);
    CHECK(compiled.row("even").calls == 50);
    CHECK(compiled.profile.cycles() == 12'101);
    CHECK(compiled.profile.folded() == interpreted.profile.folded());
}

TEST_CASE("each task has its own chain of callers, which goes on where the task was left")
{
    Profiled p(twoTasks);
    prepareTasks(p.guest.core);
    p.run(17 + 10 * 20);
    CHECK(p.profile.folded() == "main 31\nmain;switch 77\ntask job;job 32\ntask job;job;switch 77\n");
    CHECK(p.row("switch").calls == 22); // the end of a turn is no call
    CHECK(p.row("job").calls == 1);
    CHECK(p.row("task job").total == 0);
    REQUIRE(p.profile.tasks().size() == 1);
    const FunctionProfile::Row task = p.profile.tasks().front();
    CHECK(task.function == "task job");
    CHECK(task.total == 109);
    CHECK(task.calls == 11);
}

TEST_CASE("a trap handler that returns to another task switches, and each task goes on below its own trap")
{
    Profiled p({{"main", {ecall(), jal(zero, -4)}},
                {"handler",
                 {csrrs(t0, rv32::csr::mepc, zero), addi(t0, t0, 4), csrrw(zero, rv32::csr::mepc, s1), addi(s1, t0, 0),
                  addi(t1, sp, 0), addi(sp, s0, 0), addi(s0, t1, 0), mret()}},
                {"job", {ecall(), jal(zero, -4)}}});
    prepareTasks(p.guest.core);
    p.guest.core.setCsr(rv32::csr::mtvec, base + 0x100);
    p.run(18 + 5 * 20);
    CHECK(p.profile.folded() == "main 11\nmain;handler 48\ntask job;job 11\ntask job;job;handler 48\n");
}

TEST_CASE("tasks that begin in one function are told apart by their stacks, and a stack that is used again is one task")
{
    // "main" begins "job" on the stacks s0, s1, s0 ...; a job ends by going back to "main".
    Profiled p({{"main", {jal(ra, 0x100), jal(zero, -4)}},
                {"begin",
                 {addi(s2, sp, 0), addi(s3, ra, 0), addi(sp, s0, 0), addi(s0, s1, 0), addi(s1, sp, 0), addi(ra, s4, 0),
                  jalr(zero, 0, ra)}},
                {"job", {addi(sp, s2, 0), addi(ra, s3, 0), jalr(zero, 0, ra)}}});
    prepareTasks(p.guest.core);
    p.guest.core.setReg(9, base + 0xB000);
    p.guest.core.setReg(20, base + 0x200);
    p.run(12 * 6);
    CHECK(p.profile.folded() == "main 12\nmain;begin 42\ntask job 2;job 9\ntask job;job 9\n");
}

TEST_CASE("a return to an outer function of the same stack begins no task")
{
    // "deep" returns past "middle", as longjmp() does.
    Profiled p({{"main", {addi(s0, sp, 0), jal(ra, 0x100 - 4), jal(zero, -8)}},
                {"middle", {addi(s1, ra, 0), addi(sp, sp, -16), jal(ra, 0x100 - 8)}},
                {"deep", {addi(sp, sp, -16), addi(sp, s0, 0), addi(ra, s1, 0), jalr(zero, 0, ra)}}});
    p.guest.core.setReg(2, base + 0x9000);
    p.run(10 * 5);
    CHECK(p.profile.folded() == "main 15\nmain;middle 15\nmain;middle;deep 20\n");
    CHECK(p.profile.tasks().empty());
}
