// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "tests/modules/cpu/rv32_board.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

using namespace strobe;
using namespace strobe::test::rv32asm;
using cpu::FirmwareFault;
using cpu::InterruptSource;
using cpu::Rv32CpuConfig;
using test::KernelFixture;
using test::Rv32Board;
using namespace std::chrono_literals;
namespace csr = rv32::csr;

namespace {

constexpr Word recorderPage = RECORDER >> 12;
constexpr Word intcPage = regs::intc::base >> 12;
constexpr Word timerPage = regs::timer::base >> 12;
static_assert(regs::intc::base % 4096 == 0 && regs::timer::base % 4096 == 0);

std::vector<Word> operator+(std::vector<Word> first, const std::vector<Word>& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}
Word spin()
{
    return jal(zero, 0);
}

// mtvec, mie from immediates in t0; interrupts on.
std::vector<Word> enable(Word mie)
{
    std::vector<Word> words{lui(t0, Rv32Board::handler >> 12), csrrw(zero, csr::mtvec, t0)};
    words = words + std::vector<Word>{lui(t0, (mie + 0x800) >> 12),
                                      addi(t0, t0, static_cast<std::int32_t>(mie << 20) >> 20),
                                      csrrw(zero, csr::mie, t0), csrrsi(zero, csr::mstatus, 8)};
    return words;
}

std::string faultOf(Rv32Board& board)
{
    CHECK(sc_core::sc_get_status() == sc_core::SC_STOPPED);
    CHECK(board.cpu().isFaulted());
    try {
        board.cpu().rethrowFault();
    } catch (const FirmwareFault& fault) {
        return fault.what();
    }
    return "no fault";
}

} // namespace

TEST_CASE("an access arrives when the instructions before it are complete, to the cycle; reads synchronise")
{
    KernelFixture kernel; // 200 MHz: 5 ns a cycle, 10 ns the fabric
    Rv32Board board({lui(a0, recorderPage), sw(a0, 0, a0), nop(), nop(), lw(a1, 8, a0), sw(a1, 4, a0), spin()});
    kernel.run(1us);
    const std::vector<test::Access> expected{{true, 0, RECORDER, 15ns},
                                             // store 5, nops 10, fabric 10
                                             {false, 8, 0x600D0008, 40ns},
                                             {true, 4, 0x600D0008, 55ns}};
    CHECK(board.recorder->accesses == expected);
    CHECK(board.recorder->readsAtKernelTime == std::vector<Time>{30ns});
    CHECK(board.cpu().counters().reads == 1);
    CHECK(board.cpu().counters().writes == 2);
    CHECK(board.cpu().counters().busTime == 30ns);
}

TEST_CASE("the last register accesses are kept, with what was written or read")
{
    KernelFixture kernel;
    Rv32Board board(
        {lui(a0, recorderPage), li(a2, 30), addi(a1, a1, 1), sw(a1, 0, a0), blt(a1, a2, -8), lw(a1, 8, a0), spin()});
    kernel.run(10us);
    const std::vector<cpu::BusAccess> last = board.cpu().lastAccesses();
    REQUIRE(last.size() == cpu::CpuModule::accessesKept);
    CHECK_FALSE(last.back().isWrite);
    CHECK(last.back().address == RECORDER + 8);
    CHECK(last.back().value == 0x600D0008);
    CHECK(last[18].isWrite);
    CHECK(last[18].value == 30);
    CHECK(last[0].value == 12);
    CHECK(last[0].at < last[1].at);
}

TEST_CASE("mcycle follows the clock through bus accesses and sleep, and time is nanoseconds since power-on")
{
    KernelFixture kernel;
    Rv32Board board({lui(a0, recorderPage), csrr(a1, csr::mcycle), sw(a0, 0, a0), csrr(a2, csr::mcycle),
                     csrr(a3, csr::time), csrr(a4, csr::minstret), spin()});
    kernel.run(1us);
    CHECK(board.core().reg(11) == 1);
    CHECK(board.core().reg(12) == 5); // 15 ns for three instructions, 10 ns for the bus
    CHECK(board.core().reg(13) == 30);
    CHECK(board.core().reg(14) == 5);
}

TEST_CASE("any quantum and any clock give the same times of arrival")
{
    std::vector<test::Access> expected;
    for (const Time quantum : {1ns * 1, 100ns * 1, 10'000ns * 1}) {
        KernelFixture kernel;
        Rv32CpuConfig config;
        config.clockHz = 300'000'000;
        config.quantum = quantum;
        // 1,000 iterations of three instructions, with a store each.
        Rv32Board board({lui(a0, recorderPage), li(a2, 1000), addi(a1, a1, 1), sw(a1, 0, a0), blt(a1, a2, -8), spin()},
                        config);
        kernel.run(100us);
        REQUIRE(board.recorder->accesses.size() == 1000);
        CHECK(board.recorder->accesses[0].at == picoseconds(10'000 + 10'000));
        // 3 instructions and a latency each: 20 ns; three cycles of 300 MHz are exactly 10 ns.
        CHECK(board.recorder->accesses[999].at == picoseconds(20'000 + 999 * 20'000));
        if (expected.empty())
            expected = board.recorder->accesses;
        CHECK(board.recorder->accesses == expected);
    }
}

TEST_CASE("a line that rises while instructions run is taken by the first instruction at or after its time")
{
    for (const Time quantum : {100ns * 1, 50'000ns * 1}) {
        KernelFixture kernel;
        Rv32CpuConfig config;
        config.quantum = quantum;
        // Timer: compare 1000 ns, enabled; its line straight to the machine timer interrupt.
        Rv32Board board(std::vector<Word>{lui(a0, timerPage), li(a1, 1000), li(a2, 1), sw(a1, 8, a0), sw(zero, 12, a0),
                                          sw(a2, 16, a0)} +
                            enable(0x80) + std::vector<Word>{addi(a5, a5, 1), jal(zero, -4)},
                        config);
        board.put(Rv32Board::handler, {csrr(s0, csr::time), csrr(s1, csr::mcause), spin()});
        kernel.run(20us);
        CHECK(board.core().reg(9) == (rv32::interruptFlag | 7));
        CHECK(board.core().reg(8) == 1000);
        CHECK(board.core().interrupts() == 1);
    }
}

TEST_CASE("the external interrupt is taken at its time, and again until its source is served")
{
    KernelFixture kernel;
    // The handler counts, and acknowledges the second time; the recorder lowers the host line when that arrives.
    Rv32Board board(std::vector<Word>{lui(a0, intcPage), li(a1, 1), sw(a1, 4, a0), lui(a4, recorderPage)} +
                    enable(0x800) + std::vector<Word>{addi(a5, a5, 1), jal(zero, -4)});
    board.put(Rv32Board::handler,
              {addi(s0, s0, 1), li(t1, 2), blt(s0, t1, 8), sw(s0, RECORDER_ACK - RECORDER, a4), mret()});
    board.intcs[0]->setLine(InterruptSource::Host, true, 2'002ns);
    kernel.run(10us);
    CHECK(board.core().reg(8) == 2);
    REQUIRE(board.recorder->accesses.size() == 1);
    // Taken at 2,005 (the next multiple of 5 ns); 4 instructions, mret, and again 3 before the store; fabric.
    CHECK(board.recorder->accesses[0].at == 2'005ns + 7 * 5ns + 10ns);
    CHECK(board.core().interrupts() == 2);
}

TEST_CASE("latency counts from the rise of a line to the entry of the handler, with the time in which it was disabled")
{
    KernelFixture kernel;
    // Interrupts are on after the 10th instruction, which is complete at 50 ns, and 10 ns for the access.
    Rv32Board board(std::vector<Word>{lui(a0, intcPage), li(a1, 1), sw(a1, 4, a0), lui(a4, recorderPage)} +
                    enable(0x800) + std::vector<Word>{spin()});
    board.put(Rv32Board::handler, {sw(s0, RECORDER_ACK - RECORDER, a4), nop(), nop(), nop(), mret()});
    board.intcs[0]->setLine(InterruptSource::Host, true, 7ns);
    kernel.run(3us);
    const cpu::InterruptTimes first = board.cpu().interruptTimes();
    CHECK(first.latency.times == 1);
    CHECK(first.latency.longest == 60ns - 7ns);
    CHECK(first.latency.longestFrom == 7ns);
    CHECK(first.latency.pc == 10 * 4u); // where the handler interrupted
    CHECK(first.longestOf == InterruptSource::Host);
    CHECK(first.polled == 0);
    board.cpu().resetUsage();
    CHECK(board.cpu().interruptTimes().latency.times == 0);
}

TEST_CASE("rounds end with a sleep, or with a wfi that finds an interrupt, which is taken by that")
{
    KernelFixture kernel;
    // Two wfi with the host line asserted, then it is lowered, and the third one sleeps.
    Rv32Board board({lui(a0, intcPage), li(a1, 1), sw(a1, 4, a0), lui(t0, 1), addi(t0, t0, -2048),
                     csrrw(zero, csr::mie, t0), lui(a4, recorderPage), wfi(), nop(), nop(), wfi(),
                     sw(a1, RECORDER_ACK - RECORDER, a4), lw(a2, 0, a4), wfi(), spin()});
    board.intcs[0]->setLine(InterruptSource::Host, true, 20ns);
    kernel.run(1us);
    CHECK(board.cpu().isAsleep());
    // To the end of the first wfi 8 instructions and an access; then 3 instructions; then 3, and two accesses.
    const ResponseTimes rounds = board.cpu().rounds();
    CHECK(rounds.times == 3);
    CHECK(rounds.took == 50ns + 15ns + 35ns);
    CHECK(rounds.longest == 50ns);
    CHECK(rounds.longestFrom == Time{});
    CHECK(rounds.pc == 8 * 4u);
    CHECK(board.cpu().interruptTimes().latency.times == 1); // a line counts once
    CHECK(board.cpu().interruptTimes().latency.longest == 30ns);
    CHECK(board.cpu().interruptTimes().latency.pc == 8 * 4u);
    board.cpu().resetUsage();
    board.intcs[0]->setLine(InterruptSource::Host, true, 2us);
    kernel.run(5us);
    CHECK(board.cpu().rounds().times == 1); // still in progress
    CHECK(board.cpu().rounds().took == 4us);
    CHECK(board.cpu().interruptTimes().latency.longest == Time{}); // it slept
    CHECK(board.cpu().interruptTimes().latency.times == 1);
}

TEST_CASE("writing the software register of the controller is the machine software interrupt, at once")
{
    KernelFixture kernel;
    Rv32Board board(std::vector<Word>{lui(a0, intcPage), li(a1, 1)} + enable(0x8) +
                    std::vector<Word>{sw(a1, 8, a0), addi(a5, a5, 1), addi(a5, a5, 1), spin()});
    board.put(Rv32Board::handler, {csrr(s1, csr::mcause), csrr(s0, csr::mepc), sw(zero, 8, a0), nop(), mret()});
    kernel.run(2us);
    CHECK(board.core().reg(9) == (rv32::interruptFlag | 3));
    CHECK(board.core().reg(8) == 9 * 4); // the instruction after the store
    CHECK(board.core().reg(15) == 2);
    CHECK(board.core().interrupts() == 1);
}

TEST_CASE("wfi sleeps until the exact instant of a line, and time asleep is idle time")
{
    KernelFixture kernel;
    Rv32Board board({lui(a0, intcPage), li(a1, 1), sw(a1, 4, a0), lui(t0, 1), addi(t0, t0, -2048),
                     csrrw(zero, csr::mie, t0), wfi(), csrr(a2, csr::time), csrr(a3, csr::minstret),
                     lui(a4, recorderPage), sw(a2, 0, a4), spin()});
    board.intcs[0]->setLine(InterruptSource::Host, true, 7'777ns);
    kernel.run(7us);
    CHECK(board.cpu().isAsleep());
    // 7 instructions and one access
    CHECK(board.cpu().usage().busy == 45ns);
    kernel.run(1us);
    CHECK_FALSE(board.cpu().isAsleep());
    CHECK(board.core().reg(12) == 7'777);
    CHECK(board.core().reg(13) == 8);
    CHECK(board.cpu().usage().busy == 8us - (7'777ns - 45ns));
    CHECK(board.cpu().usage().jobs == 1);
    REQUIRE(board.recorder->accesses.size() == 1);
    CHECK(board.recorder->accesses[0].at == 7'777ns + 3 * 5ns + 10ns);
}

TEST_CASE("a sleeper wakes for the timer and software lines by mie alone, and for no line that mie does not name")
{
    KernelFixture kernel;
    Rv32Board board({lui(a0, timerPage), li(a1, 1500), li(a2, 1), sw(a1, 8, a0), sw(zero, 12, a0), sw(a2, 16, a0),
                     lui(a3, intcPage), sw(a2, 4, a3), csrrwi(zero, csr::mie, 8), wfi(), csrr(a4, csr::time), spin()});
    board.intcs[0]->setLine(InterruptSource::Host, true, 500ns); // enabled in the controller, not in mie
    kernel.run(10us);
    CHECK(board.cpu().isAsleep()); // the timer is not named either
    CHECK(board.core().reg(14) == 0);

    KernelFixture again;
    Rv32Board other({lui(a0, timerPage), li(a1, 1500), li(a2, 1), sw(a1, 8, a0), sw(zero, 12, a0), sw(a2, 16, a0),
                     li(t0, 0x80), csrrw(zero, csr::mie, t0), wfi(), csrr(a4, csr::time), spin()});
    again.run(10us);
    CHECK(other.core().reg(14) == 1500);
}

TEST_CASE("utilisation and counters restart when they are reset")
{
    KernelFixture kernel;
    Rv32Board board({lui(a0, recorderPage), sw(a0, 0, a0), wfi()});
    kernel.run(1us);
    CHECK(board.cpu().instructions() == 3);
    board.cpu().resetUsage();
    CHECK(board.cpu().instructions() == 0);
    CHECK(board.cpu().counters().writes == 0);
    kernel.run(1us);
    CHECK(board.cpu().usage().busy == Time{});
}

TEST_CASE("memory that grants it is accessed directly, the rest of the bus is not, and errors are access faults")
{
    struct Row {
        Word upper;
        std::uint32_t cause; // 0: none
    };
    for (const Row& row :
         {Row{SDRAM >> 12, 0}, Row{(SDRAM + 0x4000) >> 12, 5} /* data buffer */, Row{NOWHERE >> 12, 5}, Row{0, 0}}) {
        KernelFixture kernel;
        Rv32Board board({lui(t0, Rv32Board::handler >> 12), csrrw(zero, csr::mtvec, t0), lui(a0, row.upper),
                         lw(a1, 0x100, a0), sw(a1, 0x104, a0), lui(a2, intcPage), lh(a3, 0, a2), spin()});
        board.put(Rv32Board::handler, {csrr(s1, csr::mcause), csrr(s0, csr::mtval), spin()});
        kernel.run(1us);
        const std::uint32_t cause = row.cause != 0 ? row.cause : 5; // registers take words only
        CHECK(board.core().reg(9) == cause);
        CHECK(board.core().reg(8) == (row.cause != 0 ? (row.upper << 12) + 0x100 : regs::intc::base));
        CHECK(board.core().traps() == 1);
    }
}

TEST_CASE("firmware without a trap handler stops the simulation with a reason")
{
    KernelFixture kernel;
    Rv32Board board({lui(t0, NOWHERE >> 12), csrrw(zero, csr::mtvec, t0), lw(a0, 3, zero)});
    kernel.run(1ms);
    CHECK(faultOf(board) == "firmware on cpu0 at 32 us: traps without end: no trap handler can be executed at mtvec "
                            "0x05000000 (mcause 1, mepc 0x05000000, mtval 0x05000000)");
}

TEST_CASE("an exception in a target stops the simulation and is rethrown unchanged")
{
    KernelFixture kernel;
    Rv32Board board({lui(a0, recorderPage), sw(a0, RECORDER_BROKEN - RECORDER, a0), spin()});
    kernel.run(1us);
    CHECK(board.cpu().isFaulted());
    CHECK_THROWS_AS(board.cpu().rethrowFault(), InternalError);
}

TEST_CASE("a clock out of range is a configuration error")
{
    KernelFixture kernel;
    Rv32CpuConfig config;
    config.clockHz = 0;
    CHECK_THROWS_AS(Rv32Board({}, config), ConfigError);
}

TEST_CASE("two CPUs share memory: with atomics no increment is lost, whatever the quantum")
{
    for (const Time quantum : {20ns * 1, 1'000ns * 1}) {
        KernelFixture kernel;
        Rv32CpuConfig config;
        config.quantum = quantum;
        // 1,000 times: lr, add, sc until it holds; then amoadd to a second word.
        Rv32Board board({li(a0, 0x400), li(a1, 0x404), li(a2, 1), li(a3, 1000), lrW(t0, a0), addi(t0, t0, 1),
                         scW(t1, t0, a0), bne(t1, zero, -12), amoaddW(zero, a2, a1), addi(a3, a3, -1),
                         bne(a3, zero, -24), wfi()},
                        config, 2);
        kernel.run(1ms);
        CHECK(board.word(0x400) == 2000);
        CHECK(board.word(0x404) == 2000);
        CHECK(board.cpus[0]->isAsleep());
        CHECK(board.cpus[1]->isAsleep());
    }
}

TEST_CASE("one CPU wakes another by the other's software interrupt")
{
    KernelFixture kernel;
    const Word other = (regs::intc::base + Rv32Board::perCpu) >> 12;
    // Hart 0 works 1,000 cycles and interrupts hart 1, which sleeps.
    Rv32Board board({csrr(t0, csr::mhartid), bne(t0, zero, 24), li(t1, 500), addi(t1, t1, -1), bne(t1, zero, -4),
                     jal(zero, 24), nop(), csrrwi(zero, csr::mie, 8), wfi(), jal(zero, 24), nop(), lui(a0, other),
                     li(a1, 1), sw(a1, 8, a0), spin(), csrr(a5, csr::time), spin()},
                    {}, 2);
    kernel.run(10us);
    // 2 + 1 + 1000 + 1 + 2 instructions, the fabric, and the jump after the wfi
    CHECK(board.cpus[1]->core().reg(15) == 1006 * 5 + 10 + 5);
    CHECK(board.cpus[0]->core().reg(15) == 0);
}
