// SPDX-License-Identifier: Apache-2.0
//
// A debugger of the RV32 CPU: where it stops, and that stops change nothing.
#include "models/base/check.h"
#include "models/base/rng.h"
#include "tests/modules/cpu/rv32_board.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

#include <functional>
#include <utility>

using namespace strobe;
using namespace strobe::test::rv32asm;
using cpu::Rv32CpuConfig;
using test::KernelFixture;
using test::Rv32Board;
using namespace std::chrono_literals;
namespace csr = rv32::csr;

namespace {

constexpr Word recorderPage = RECORDER >> 12;
constexpr Word timerPage = regs::timer::base >> 12;
constexpr std::uint32_t sharedWord = 0x404; // both CPUs read and write it while their interrupts are disabled

struct Debugger : cpu::Rv32Debugger {
    using Allow = std::function<std::optional<std::int64_t>(std::int64_t)>;
    Debugger(cpu::Rv32CpuModule& module, Allow allowed) : cpu(module), allows(std::move(allowed)) { cpu.attach(this); }
    void stopped(rv32::Stop why) override
    {
        stops.push_back({why, cpu.localTime()});
        ahead += cpu.isAheadOfOthers() ? 1 : 0;
    }
    std::optional<std::int64_t> allow(std::int64_t cycles) override
    {
        ++calls;
        areCyclesLeft = areCyclesLeft && cycles > 0;
        return allows(cycles);
    }

    cpu::Rv32CpuModule& cpu;
    Allow allows;
    std::vector<std::pair<rv32::Stop, Time>> stops;
    int ahead = 0; // stops at which other modules were behind
    int calls = 0;
    bool areCyclesLeft = true; // at each call
};

std::optional<std::int64_t> everything(std::int64_t cycles)
{
    return cycles;
}

// Work with interrupts disabled and enabled, timer interrupts, exceptions, posted stores, reads of registers, atomics
// and sleep.
std::vector<Word> busyProgram()
{
    constexpr int stepBits = __builtin_ctz(Rv32Board::perCpu);
    std::vector<Word> words{lui(t0, Rv32Board::handler >> 12),
                            csrrw(zero, csr::mtvec, t0),
                            li(t0, 0x80),
                            csrrw(zero, csr::mie, t0),
                            csrr(t1, csr::mhartid),
                            slli(t1, t1, stepBits),
                            lui(a0, timerPage),
                            add(a0, a0, t1),
                            li(a5, 900),
                            sw(a5, 8, a0),
                            sw(zero, 12, a0),
                            li(a1, 1),
                            sw(a1, 16, a0),
                            lui(a2, recorderPage),
                            li(s0, 0x408)};
    const std::vector<Word> loop{csrrci(zero, csr::mstatus, 8), li(a3, 120),
                                 // 120 times: changes the shared word
                                 lw(a1, sharedWord, zero), add(a4, a4, a1), addi(a1, a1, 3), sw(a1, sharedWord, zero),
                                 addi(a3, a3, -1), bne(a3, zero, -20),
                                 // a posted store, and more of the same
                                 sw(a4, 0, a2), lw(a1, sharedWord, zero), add(a4, a4, a1), li(a3, 50), addi(a3, a3, -1),
                                 bne(a3, zero, -4), lw(a1, sharedWord, zero), sw(a1, 4, a2),
                                 csrrsi(zero, csr::mstatus, 8), lw(a1, 2, zero) /* misaligned */, lrW(t0, s0),
                                 addi(t0, t0, 1), scW(t1, t0, s0), bne(t1, zero, -12), lw(a1, 8, a2), add(a4, a4, a1),
                                 wfi(), sw(a4, 12, a2)};
    words.insert(words.end(), loop.begin(), loop.end());
    words.push_back(jal(zero, -4 * static_cast<std::int32_t>(loop.size())));
    return words;
}

std::vector<Word> busyHandler()
{
    return {csrr(t2, csr::mcause),
            blt(t2, zero, 20),
            csrr(t2, csr::mepc),
            addi(t2, t2, 4),
            csrrw(zero, csr::mepc, t2),
            mret(),
            addi(s1, s1, 1),
            addi(a5, a5, 1300),
            sw(a5, 8, a0),
            sw(zero, 12, a0),
            lui(t2, recorderPage),
            sw(s1, 16, t2),
            mret()};
}

// All that can be seen of a run.
struct Seen {
    std::vector<test::Access> accesses;
    std::vector<std::uint64_t> numbers;

    bool operator==(const Seen& other) const { return accesses == other.accesses && numbers == other.numbers; }
};

// What a debugger does with each CPU, and how often the first one stopped.
struct Stopping {
    Debugger::Allow allow = everything;
    std::function<void(rv32::Core&)> prepare = [](rv32::Core&) {};
    std::size_t stops = 0;
    int ahead = 0;
};

Seen seenOf(const Rv32CpuConfig& config, int cpus, Stopping* stopping) // null: without a debugger
{
    KernelFixture kernel;
    Rv32Board board(busyProgram(), config, cpus);
    board.put(Rv32Board::handler, busyHandler());
    std::vector<std::unique_ptr<Debugger>> debuggers;
    for (const auto& cpu : board.cpus) {
        if (stopping == nullptr)
            continue;
        stopping->prepare(cpu->core());
        debuggers.push_back(std::make_unique<Debugger>(*cpu, stopping->allow));
    }
    kernel.run(100us);
    if (stopping != nullptr) {
        CHECK(debuggers.front()->areCyclesLeft);
        stopping->stops = debuggers.front()->stops.size();
        stopping->ahead = debuggers.front()->ahead;
    }
    Seen seen{board.recorder->accesses, {}};
    for (const auto& cpu : board.cpus) {
        for (unsigned reg = 1; reg < 32; ++reg)
            seen.numbers.push_back(cpu->core().reg(reg));
        for (const std::uint64_t count :
             {std::uint64_t{cpu->core().pc()}, cpu->core().executed(), cpu->core().traps(), cpu->core().interrupts(),
              cpu->counters().reads, cpu->counters().writes, cpu->counters().synchronisations,
              static_cast<std::uint64_t>(cpu->usage().busy.count())})
            seen.numbers.push_back(count);
    }
    seen.numbers.push_back(board.word(sharedWord));
    seen.numbers.push_back(board.word(0x408));
    return seen;
}

} // namespace

TEST_CASE("a breakpoint is reported to the debugger at its time, which stops meanwhile, and single steps work")
{
    KernelFixture kernel;
    Rv32Board board(std::vector<Word>{nop(), nop(), nop(), addi(a0, a0, 1), jal(zero, -4)});
    bool isStepping = false;
    Debugger debugger(board.cpu(), [&](std::int64_t cycles) { return isStepping ? 1 : cycles; });
    board.core().addBreakpoint(12);
    kernel.run(40ns);
    REQUIRE(debugger.stops.size() >= 3);
    debugger.stops.resize(3);
    using Stops = decltype(debugger.stops);
    CHECK(debugger.stops ==
          Stops{{rv32::Stop::Breakpoint, 15ns}, {rv32::Stop::Breakpoint, 25ns}, {rv32::Stop::Breakpoint, 35ns}});
    board.core().removeBreakpoint(12);
    isStepping = true;
    debugger.calls = 0;
    const std::uint64_t before = board.core().retired();
    kernel.run(50us); // it was up to 16 us ahead
    CHECK(debugger.calls >= 2000);
    CHECK(board.core().retired() - before == static_cast<std::uint64_t>(debugger.calls));
}

TEST_CASE("a run is the same with and without a debugger, wherever and how often it stops")
{
    Rv32CpuConfig plain;
    Rv32CpuConfig odd; // a period that is no whole number of picoseconds, and instructions of several cycles
    odd.clockHz = 333'000'007;
    odd.cycles = rv32::CycleTable{{1, 3, 20, 2, 1, 1, 2, 5, 4}, 2, 3};
    Rv32CpuConfig hasty;
    hasty.quantum = 40ns;
    Rng random(1, "debugger");
    bool hasStopped = false;
    int ahead = 0; // stops at which other modules were behind
    Stopping attached;
    Stopping steps;
    steps.allow = [](std::int64_t) { return 1; };
    Stopping holdsTraps;
    holdsTraps.prepare = [](rv32::Core& core) { core.holdTraps(true); };
    Stopping anywhere;
    anywhere.allow = [&](std::int64_t cycles) -> std::optional<std::int64_t> {
        hasStopped = !hasStopped && random.below(3) == 0;
        if (hasStopped)
            return std::nullopt;
        return 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(cycles)));
    };
    Stopping breaks;
    breaks.prepare = [](rv32::Core& core) {
        for (std::uint32_t pc = 4; pc < 0x100; pc += 12)
            core.addBreakpoint(pc);
        core.addBreakpoint(Rv32Board::handler);
        core.addWatchpoint({sharedWord, 4, true, true});
    };
    for (const Rv32CpuConfig& config : {plain, odd, hasty}) {
        for (const int cpus : {1, 2}) {
            const Seen alone = seenOf(config, cpus, nullptr);
            CHECK(alone.accesses.size() > 100);
            for (Stopping* stopping : {&attached, &steps, &holdsTraps, &anywhere, &breaks})
                CHECK(seenOf(config, cpus, stopping) == alone);
            CHECK(attached.stops == 0);
            CHECK(holdsTraps.stops > 10);
            for (const Stopping& often : {anywhere, breaks}) {
                CHECK(often.stops > 50);
                ahead += often.ahead;
            }
        }
    }
    CHECK(ahead > 100);
}

TEST_CASE("a core that stops without a debugger is an internal error")
{
    KernelFixture kernel;
    Rv32Board board({nop()});
    board.core().addBreakpoint(0);
    kernel.run(1us);
    CHECK_THROWS_AS(board.cpu().rethrowFault(), InternalError);
}
