// SPDX-License-Identifier: Apache-2.0
#include "models/base/strobe_registers.h"
#include "models/cpu/timer_module.h"
#include "tests/modules/cpu/wake_recorder.h"
#include "tests/modules/fabric/bus_probe.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

using namespace strobe;
using namespace strobe::regs::timer;
using cpu::InterruptControllerModule;
using cpu::TimerModule;
using test::BusProbe;
using test::KernelFixture;
using test::WakeRecorder;
using namespace std::chrono_literals;

namespace {

struct Board {
    InterruptControllerModule intc{"intc"};
    TimerModule timer{"timer", intc};
    BusProbe cpu{"cpu"};
    BusProbe enabler{"enabler"};
    WakeRecorder recorder{"recorder", intc};

    Board()
    {
        cpu.bus.bind(timer.registers);
        enabler.bus.bind(intc.registers);
    }
    void start(KernelFixture& kernel)
    {
        kernel.run(0ns);
        enabler.write(regs::intc::ENABLE, regs::intc::PENDING_timer_mask);
        cpu.write(CONTROL, 1);
    }
    void arm(Time at, Time delay = {})
    {
        const auto ns = static_cast<std::uint64_t>(at / Time(1ns));
        cpu.write(COMPARE_LO, ns & 0xFFFFFFFF, delay);
        cpu.write(COMPARE_HI, ns >> 32, delay);
    }
    bool isAsserted() const { return (intc.controller().pending() & regs::intc::PENDING_timer_mask) != 0; }
};

} // namespace

TEST_CASE("the timer interrupts at the nanosecond of its compare value")
{
    KernelFixture kernel;
    Board board;
    board.start(kernel);
    board.arm(12'345ns);
    kernel.run(1ms);
    CHECK(board.recorder.wakes == std::vector<Time>{Time(12'345ns)});
    CHECK(board.isAsserted()); // level: until the compare value moves or the timer is disabled
}

TEST_CASE("a compare value beyond 32 bits of nanoseconds works")
{
    KernelFixture kernel;
    Board board;
    board.start(kernel);
    board.arm(5s);
    kernel.run(6s);
    CHECK(board.recorder.wakes == std::vector<Time>{Time(5s)});
}

TEST_CASE("a new compare value withdraws the line and replaces the old instant, earlier or later")
{
    KernelFixture kernel;
    Board board;
    board.start(kernel);
    board.arm(100us);
    kernel.run(10us);
    board.arm(20us); // earlier than the one that is armed
    kernel.run(20us);
    CHECK(board.recorder.wakes == std::vector<Time>{Time(20us)});
    board.arm(50us);
    CHECK_FALSE(board.isAsserted());
    board.recorder.sleep();
    board.arm(70us); // later than the one that is armed
    kernel.run(1ms);
    CHECK(board.recorder.wakes == std::vector<Time>{Time(20us), Time(70us)});
}

TEST_CASE("a compare value in the past interrupts when its write arrives")
{
    KernelFixture kernel;
    Board board;
    board.start(kernel);
    kernel.run(1us);
    board.arm(10ns, 400ns);
    CHECK_FALSE(board.isAsserted());
    kernel.run(1us);
    CHECK(board.recorder.wakes == std::vector<Time>{Time(1'400ns)});
}

TEST_CASE("disabling the timer withdraws its line")
{
    KernelFixture kernel;
    Board board;
    board.start(kernel);
    board.arm(1us);
    kernel.run(2us);
    REQUIRE(board.isAsserted());
    board.cpu.write(CONTROL, 0);
    CHECK_FALSE(board.isAsserted());
    kernel.run(10us);
    CHECK(board.recorder.wakes.size() == 1);
}

TEST_CASE("half of a compare value that was posted ahead of time is there when it is read, and for the other half")
{
    KernelFixture kernel;
    Board board;
    board.start(kernel);
    board.cpu.write(COMPARE_HI, 0, 300ns);
    board.cpu.write(COMPARE_LO, 700, 200ns);
    board.cpu.write(COMPARE_LO, 900, 250ns);
    CHECK(board.cpu.read(COMPARE_LO).value == 0xFFFFFFFF);
    kernel.run(200ns);
    CHECK(board.cpu.read(COMPARE_LO).value == 700);
    kernel.run(10us);
    CHECK(board.recorder.wakes == std::vector<Time>{Time(900ns)});
}

TEST_CASE("the timer shows the time of the access")
{
    KernelFixture kernel;
    Board board;
    board.start(kernel);
    kernel.run(picoseconds(77'900));
    CHECK(board.cpu.read(TIME_LO).value == 77);
    CHECK(board.cpu.read(TIME_LO, 10ns).value == 87);
    kernel.run(5s);
    CHECK(board.cpu.read(TIME_LO).value == 5'000'000'077 - (std::uint64_t{1} << 32));
    CHECK(board.cpu.read(TIME_HI).value == 1);
}
