// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/function_timeline.h"
#include "models/cpu/debug/observers.h"
#include "tests/domain/cpu/rv32/guest.h"
#include "tests/support/catch.h"
#include "tests/support/elf_builder.h"

#include <string>

using namespace strobe;
using namespace strobe::cpu;
using namespace strobe::test::rv32asm;
using test::Guest;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t timelineBase = Guest::memoryBase;

// Functions at multiples of 0x100; an instruction takes 1 ns.
struct TimedCalls {
    Guest guest;
    CodePlaces places;
    std::vector<std::string> calls;
    FunctionTimeline timeline{places, 3, [this](const FunctionCall& call) {
                                  calls.push_back(std::to_string(call.core) + " " + std::to_string(call.depth) + " " +
                                                  std::string(call.function) + " " +
                                                  std::to_string(call.start.count() / 1000) + "-" +
                                                  std::to_string(call.end.count() / 1000));
                              }};

    explicit TimedCalls(const std::vector<std::pair<const char*, std::vector<Word>>>& functions)
        : guest({}), places(imageOf(functions))
    {
        for (std::size_t i = 0; i < functions.size(); ++i)
            guest.put(timelineBase + static_cast<std::uint32_t>(i) * 0x100, functions[i].second);
        guest.core.observe(&timeline);
        timeline.begin(guest.core, [this] { return static_cast<std::int64_t>(guest.core.executed()) * 1ns; });
    }
    static ElfImage imageOf(const std::vector<std::pair<const char*, std::vector<Word>>>& functions)
    {
        test::ElfBuilder elf;
        elf.segments.clear();
        elf.contents.clear();
        elf.add(timelineBase, 0x1000, PF_R | PF_X, {});
        elf.header.e_entry = timelineBase;
        elf.symbols = {{"vector_table", timelineBase, 0, STT_OBJECT}};
        for (std::size_t i = 0; i < functions.size(); ++i)
            elf.symbols.push_back(
                {functions[i].first, timelineBase + static_cast<std::uint32_t>(i) * 0x100, 0x100, STT_FUNC});
        return ElfImage::parse(elf.file(), "timed.elf");
    }
};

// Makes the core interpret instructions.
struct AllJumps : rv32::Observer {
    rv32::Detail detail() const override { return rv32::Detail::Jumps; }
};

using Calls = std::vector<std::string>;

} // namespace

TEST_CASE("a call is reported when it ends, with its depth; what is open ends with the timeline")
{
    TimedCalls t({{"outer", {jal(ra, 0x100), nop(), jal(zero, -8)}}, {"inner", {nop(), nop(), jalr(zero, 0, ra)}}});
    t.guest.core.run(4);
    CHECK(t.calls == Calls{"3 1 inner 1-4"});
    t.guest.core.run(5); // 2 of the next call
    t.timeline.end();
    CHECK(t.calls == Calls{"3 1 inner 1-4", "3 1 inner 7-9", "3 0 outer 1-9"});
}

TEST_CASE("a jump to another function ends the call of the one that jumps")
{
    TimedCalls t({{"main", {jal(ra, 0x100), jal(zero, -4)}},
                  {"wrapper", {nop(), jal(zero, 0x100 - 4)}},
                  {"worker", {nop(), jalr(zero, 0, ra)}}});
    t.guest.core.run(5);
    CHECK(t.calls == Calls{"3 1 wrapper 1-3", "3 1 worker 3-5"});
}

TEST_CASE("an endless recursion is reported for what it still knows")
{
    TimedCalls t({{"endless", {jal(ra, 0)}}});
    t.guest.core.run(10'000);
    t.timeline.end();
    CHECK(t.calls.size() >= 2'048);
    CHECK(t.calls.size() <= 4'096);
    CHECK(t.calls.back().rfind("3 0 endless ", 0) == 0);
}

TEST_CASE("compiled code reports the same calls as interpreted code, and code is compiled")
{
    // 100 calls of a function with a loop of 50 rounds.
    const std::vector<std::pair<const char*, std::vector<Word>>> program{
        {"main", {li(s0, 100), jal(ra, 0x100 - 4), addi(s0, s0, -1), bne(s0, zero, -8), jal(zero, 0)}},
        {"loop", {li(a0, 50), addi(a0, a0, -1), bne(a0, zero, -4), jal(zero, 0x100 - 12)}},
        {"tail", {nop(), jalr(zero, 0, ra)}}};
    TimedCalls t(program);
    t.guest.core.run(12'000);
    CHECK(t.guest.core.compiledBlocks() > 0);
    CHECK(t.calls.size() == 200);
    TimedCalls plain(program);
    AllJumps jumps;
    Observers both;
    both.add(plain.timeline);
    both.add(jumps);
    plain.guest.core.observe(both.all());
    plain.guest.core.run(12'000);
    CHECK(plain.guest.core.compiledBlocks() == 0);
    CHECK(plain.calls == t.calls);
}

TEST_CASE("the calls of a task are shown while it has its turn")
{
    TimedCalls t({{"main", {jal(ra, 0x100), nop(), jal(zero, -8)}},
                  {"switch",
                   {addi(t1, sp, 0), addi(sp, s0, 0), addi(s0, t1, 0), addi(t1, ra, 0), addi(ra, s1, 0),
                    addi(s1, t1, 0), jalr(zero, 0, ra)}},
                  {"job", {nop(), jal(ra, -0x104), jal(zero, -8)}}});
    t.guest.core.setReg(2, timelineBase + 0x9000);
    t.guest.core.setReg(8, timelineBase + 0xA000);
    t.guest.core.setReg(9, timelineBase + 0x200);
    t.guest.core.run(17 + 2);
    t.timeline.end();
    CHECK(t.calls == Calls{"3 1 switch 1-8", "3 0 main 1-8", "3 2 switch 10-17", "3 1 job 8-17", "3 0 task job 8-17",
                           "3 0 main 17-19"});
}
