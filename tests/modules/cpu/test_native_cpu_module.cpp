// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "tests/modules/cpu/cpu_board.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

using namespace strobe;
using cpu::FirmwareFault;
using cpu::InterruptSource;
using cpu::NativeCpuConfig;
using test::CpuBoard;
using test::KernelFixture;
using namespace std::chrono_literals;

namespace {

// 200 MHz: a cycle is 5 ns. wake_up keeps its default of 40 cycles, gc_page is made 1.
NativeCpuConfig config()
{
    NativeCpuConfig config;
    config.clockHz = 200'000'000;
    config.costs.override("wake_up", 40);
    config.costs.override("gc_page", 1);
    return config;
}

// Runs until the firmware stops the simulation; returns what rethrowFault() says.
std::string faultOf(std::uint32_t script)
{
    KernelFixture kernel;
    CpuBoard board(script, 0, config());
    kernel.run(1ms);
    CHECK(sc_core::sc_get_status() == sc_core::SC_STOPPED);
    CHECK(board.cpu().isFaulted());
    CHECK(board.recorder.accesses.size() <= 1); // and the firmware did not continue
    try {
        board.cpu().rethrowFault();
    } catch (const FirmwareFault& fault) {
        return fault.what();
    }
    return "no fault";
}

std::string onCpu0(const std::string& time, const std::string& why)
{
    return "firmware image \"" CPU_TEST_IMAGE "\" on cpu0 at " + time + ": " + why;
}

} // namespace

TEST_CASE("register accesses arrive at the CPU's local time, cycle by cycle")
{
    KernelFixture kernel;
    CpuBoard board(SCRIPT_TIMES, 0, config());
    kernel.run(1us);
    // write 10 ns | 40 cycles = 200 ns | write 10 ns | 3 cycles = 15 ns | read 10 ns
    const std::vector<test::Access> expected{
        {true, 0, 0xA, 10ns}, {true, 4, 0xB, 220ns}, {false, 8, 0x600D0008, 245ns}};
    CHECK(board.recorder.accesses == expected);
    CHECK(board.result(0) == 235);
    CHECK(board.result(1) == 0x600D0008);
    CHECK(board.result(2) == 245);
    CHECK(board.recorder.readsAtKernelTime == std::vector<Time>{Time(235ns)}); // a read synchronises first
    CHECK(board.cpu().counters().reads == 1);
    CHECK(board.cpu().counters().writes == 3);
    CHECK(board.cpu().counters().busTime == 40ns);
}

TEST_CASE("a clock whose period is not a whole picosecond does not drift over many cost points")
{
    KernelFixture kernel;
    NativeCpuConfig odd = config();
    odd.clockHz = 300'000'000;
    CpuBoard board(SCRIPT_SPIN, 3'000, odd);
    kernel.run(1ms);
    REQUIRE(board.recorder.accesses.size() == 1);
    CHECK(board.recorder.accesses[0].at == 10us + 10ns);
}

TEST_CASE("a CPU runs ahead by no more than its quantum")
{
    KernelFixture kernel;
    NativeCpuConfig quick = config();
    quick.quantum = 100ns;
    CpuBoard board(SCRIPT_SPIN, 210, quick); // 210 x 5 ns; it stops at the 21st, 42nd, … point: 105 ns each
    kernel.run(1049ns);
    CHECK(board.recorder.accesses.empty());
    CHECK(board.cpu().counters().synchronisations == 10);
    kernel.run(1us);
    CHECK(board.recorder.accesses[0].at == 1060ns);
}

TEST_CASE("an interrupt wakes a sleeping CPU at its instant, and an acknowledged one does not wake it twice")
{
    KernelFixture kernel;
    CpuBoard board(SCRIPT_SERVE, 0, config());
    board.intc.setLine(InterruptSource::Host, true, picoseconds(1'234'567));
    kernel.run(1us);
    CHECK(board.cpu().isAsleep());
    CHECK(board.cpu().usage().busy == 10ns); // enabling the line
    kernel.run(1us);
    const Time woken = picoseconds(1'234'567);
    const std::vector<test::Access> expected{{true, 0, 1, woken + 10ns}, {true, 0x10, 1, woken + 20ns}};
    CHECK(board.recorder.accesses == expected);
    CHECK(board.cpu().isAsleep());
    CHECK(board.cpu().usage().busy == 30ns);
    CHECK(board.cpu().usage().jobs == 1);

    board.cpu().resetUsage();
    board.intc.setLine(InterruptSource::Host, true, now() + 7ns);
    kernel.run(1us);
    CHECK(board.cpu().usage().busy == 20ns);
    CHECK(board.recorder.accesses.size() == 4);
    CHECK(board.recorder.accesses[2].at == 2us + 7ns + 10ns);
    CHECK(board.cpu().rounds().times == 1);
    CHECK(board.cpu().rounds().took == board.cpu().usage().busy);
    CHECK(board.cpu().rounds().longest == 20ns);
    CHECK(board.cpu().rounds().longestFrom == 2us + 7ns);
    CHECK_FALSE(board.cpu().rounds().pc);
    CHECK(board.cpu().interruptTimes().latency.times == 1);
    CHECK(board.cpu().interruptTimes().latency.longest == Time{});
}

TEST_CASE("a polling CPU sees an interrupt at the first poll after it has risen")
{
    KernelFixture kernel;
    CpuBoard board(SCRIPT_POLL, 0, config());
    board.intc.setLine(InterruptSource::Host, true, 503ns);
    kernel.run(1us);
    CHECK(board.result(0) == 505); // 10 ns for the enable, then looks every 5 ns
    CHECK(board.cpu().interruptTimes().latency.longest == 2ns);
    CHECK(board.cpu().interruptTimes().latency.longestFrom == 503ns);
}

TEST_CASE("a line that firmware waits for after it has risen is taken by the wait")
{
    KernelFixture kernel;
    CpuBoard board(SCRIPT_SERVE, 0, config());
    board.intc.setLine(InterruptSource::Host, true, 4ns); // firmware waits at 10 ns
    kernel.run(9ns);
    CHECK(board.cpu().interruptTimes().latency.times == 0);
    kernel.run(1us);
    CHECK(board.cpu().interruptTimes().latency.times == 1);
    CHECK(board.cpu().interruptTimes().latency.longest == 6ns);
}

TEST_CASE("the timer wakes the CPU at the nanosecond")
{
    KernelFixture kernel;
    CpuBoard board(SCRIPT_TIMER, 7'777, config());
    kernel.run(1ms);
    CHECK(board.result(0) == regs::intc::PENDING_timer_mask);
    CHECK(board.result(1) == 7'777);
}

TEST_CASE("two CPUs with one image have globals of their own")
{
    KernelFixture kernel;
    CpuBoard board(SCRIPT_COUNT, 40, config(), 2);
    board.intc.setLine(InterruptSource::Host, true, 1us);
    kernel.run(2us);
    CHECK(board.word(40) == 1080); // 1000 + 40 + 40 on each; with shared globals 1160
}

TEST_CASE("memory is reached directly, takes no time, and only memory is")
{
    KernelFixture kernel;
    CpuBoard board(SCRIPT_MEMORY, 0, config());
    kernel.run(1us);
    for (std::uint32_t i = 0; i < 5; ++i)
        CHECK(board.result(i) == 1);
    CHECK(board.result(5) == 0);
    std::uint32_t word = 0;
    std::memcpy(&word, board.sdram.memory().bytes(BusAddress{SDRAM + 0x100}, 4), sizeof word);
    CHECK(word == 0x12345678);
    CHECK(board.sdram.memory().path().usage().jobs == 0);
}

TEST_CASE("the CPU's cycles are counted by cost point")
{
    KernelFixture kernel;
    CpuBoard board(SCRIPT_TIMES, 0, config());
    kernel.run(1us);
    CHECK(board.cpu().meter().cycles() == 43);
    for (const auto& row : board.cpu().meter().rows()) {
        const std::uint64_t times = row.name == "wake_up" ? 1 : row.name == "gc_page" ? 3 : 0;
        CHECK(row.times == times);
    }
    board.cpu().resetUsage();
    CHECK(board.cpu().meter().cycles() == 0);
}

TEST_CASE("a line that firmware logs is output with its time")
{
    KernelFixture kernel;
    CpuBoard board(SCRIPT_LOG, 0, config());
    kernel.run(1us);
    REQUIRE(board.console.size() == 1);
    CHECK(board.console[0].text == "hello from firmware");
    CHECK(board.console[0].at == 200ns);
}

TEST_CASE("a panic stops the run with image, CPU, time and the firmware's text")
{
    CHECK(faultOf(SCRIPT_PANIC) == onCpu0("40 ns", "panic: map is inconsistent"));
}

TEST_CASE("reading an address where nothing is stops the run")
{
    CHECK(faultOf(SCRIPT_BAD_READ) ==
          onCpu0("0 ps", "bus error: read of 0x05000000 answered TLM_ADDRESS_ERROR_RESPONSE"));
}

TEST_CASE("writing to an address where nothing is stops the run")
{
    CHECK(faultOf(SCRIPT_BAD_WRITE) ==
          onCpu0("0 ps", "bus error: write of 0x05000004 answered TLM_ADDRESS_ERROR_RESPONSE"));
}

TEST_CASE("a firmware that returns from its entry stops the run")
{
    CHECK(faultOf(SCRIPT_RETURN) == onCpu0("0 ps", "the firmware returned from its entry"));
}

TEST_CASE("a cost point from another list stops the run")
{
    const std::string points = std::to_string(cpu::CostTable().size());
    CHECK(faultOf(SCRIPT_BAD_COST) ==
          onCpu0("0 ps", "cost point " + points + " does not exist: the image was built with another list"));
}

TEST_CASE("an exception from a target does not pass through the firmware but is rethrown after the run")
{
    KernelFixture kernel;
    CpuBoard board(SCRIPT_BROKEN_TARGET, 0, config());
    kernel.run(1ms);
    CHECK(board.cpu().isFaulted());
    CHECK_THROWS_AS(board.cpu().rethrowFault(), InternalError);
}

TEST_CASE("a run without a fault rethrows nothing")
{
    KernelFixture kernel;
    CpuBoard board(SCRIPT_TIMES, 0, config());
    kernel.run(1us);
    CHECK_FALSE(board.cpu().isFaulted());
    CHECK_NOTHROW(board.cpu().rethrowFault());
}

TEST_CASE("a CPU with an impossible clock is refused")
{
    KernelFixture kernel;
    NativeCpuConfig broken = config();
    broken.clockHz = 0;
    CHECK_THROWS_AS(CpuBoard(SCRIPT_TIMES, 0, broken), ConfigError);
}
