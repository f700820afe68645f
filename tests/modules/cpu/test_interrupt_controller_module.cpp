// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/base/strobe_registers.h"
#include "models/cpu/interrupt_controller_module.h"
#include "tests/modules/cpu/wake_recorder.h"
#include "tests/modules/fabric/bus_probe.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

using namespace strobe;
using cpu::InterruptControllerModule;
using cpu::InterruptSource;
using test::BusProbe;
using test::KernelFixture;
using test::WakeRecorder;
using namespace std::chrono_literals;

namespace {
struct Board {
    InterruptControllerModule intc{"intc"};
    BusProbe cpu{"cpu"};
    WakeRecorder recorder{"recorder", intc};

    Board() { cpu.bus.bind(intc.registers); }
};
} // namespace

TEST_CASE("an enabled line wakes at the instant at which it rises, and once while it stays high")
{
    KernelFixture kernel;
    Board board;
    kernel.run(0ns);
    board.cpu.write(regs::intc::ENABLE, regs::intc::PENDING_flash_mask);
    board.intc.setLine(InterruptSource::Flash, true, picoseconds(1'234'567));
    board.intc.setLine(InterruptSource::Host, true, 1us); // not enabled
    kernel.run(1234ns);
    CHECK(board.intc.active() == 0);
    kernel.run(1us);
    CHECK(board.recorder.wakes == std::vector<Time>{picoseconds(1'234'567)});
    CHECK(board.intc.active() == regs::intc::PENDING_flash_mask);
    board.intc.setLine(InterruptSource::Flash, true, now());
    kernel.run(1us);
    CHECK(board.recorder.wakes.size() == 1);
}

TEST_CASE("a line that falls and rises again wakes again")
{
    KernelFixture kernel;
    Board board;
    kernel.run(0ns);
    board.cpu.write(regs::intc::ENABLE, 1);
    board.intc.setLine(InterruptSource::Host, true, 10ns);
    board.intc.setLine(InterruptSource::Host, false, 20ns);
    board.intc.setLine(InterruptSource::Host, true, 30ns);
    kernel.run(15ns);
    board.recorder.sleep(25ns);
    kernel.run(1us);
    CHECK(board.recorder.wakes == std::vector<Time>{Time(10ns), Time(30ns)});
    CHECK(board.intc.controller().assertions(InterruptSource::Host) == 2);
}

TEST_CASE("a sleeper is not woken before its earliest time, and not for a line that has fallen by then")
{
    KernelFixture kernel;
    Board board;
    kernel.run(0ns);
    board.cpu.write(regs::intc::ENABLE, 3);
    board.recorder.sleep(100ns);
    board.intc.setLine(InterruptSource::Host, true, 10ns);
    board.intc.setLine(InterruptSource::Host, false, 60ns);
    kernel.run(50ns);
    board.intc.setLine(InterruptSource::Host, true, 200ns);
    board.intc.setLine(InterruptSource::Host, false, 300ns);
    kernel.run(1us);
    CHECK(board.recorder.wakes == std::vector<Time>{Time(200ns)});
    board.intc.setLine(InterruptSource::Flash, true, now() + 10ns);
    board.recorder.sleep(now() + 40ns);
    kernel.run(1us);
    CHECK(board.recorder.wakes == std::vector<Time>{Time(200ns), Time(1'090ns)});
}

TEST_CASE("a source that computes its line on request is called before each read")
{
    KernelFixture kernel;
    Board board;
    kernel.run(0ns);
    board.cpu.write(regs::intc::ENABLE, 1);
    std::vector<Time> asked;
    board.intc.addSource([&](Time until) {
        asked.push_back(until);
        if (until == 70ns)
            board.intc.setLine(InterruptSource::Host, true, 60ns);
    });
    CHECK(board.intc.activeAt(50ns) == 0);
    CHECK(board.intc.activeAt(70ns) == 1);
    CHECK(asked == std::vector<Time>{50ns, 70ns});
}

TEST_CASE("enabling a line that is asserted already wakes, at the time at which the posted write arrives")
{
    KernelFixture kernel;
    Board board;
    kernel.run(0ns);
    board.intc.setLine(InterruptSource::Host, true, 0ns);
    CHECK(board.cpu.write(regs::intc::ENABLE, 1, 250ns).status == tlm::TLM_OK_RESPONSE);
    CHECK(board.cpu.read(regs::intc::ENABLE).value == 0); // not yet
    kernel.run(1us);
    CHECK(board.recorder.wakes == std::vector<Time>{Time(250ns)});
    CHECK(board.cpu.read(regs::intc::ENABLE).value == 1);
}

TEST_CASE("posted writes take effect in order of their times")
{
    KernelFixture kernel;
    Board board;
    kernel.run(0ns);
    board.cpu.write(regs::intc::SOFTWARE, 0, 300ns);
    board.cpu.write(regs::intc::SOFTWARE, 1, 100ns);
    board.cpu.write(regs::intc::ENABLE, 8, 200ns);
    kernel.run(250ns);
    CHECK(board.intc.active() == regs::intc::PENDING_software_mask);
    CHECK(board.recorder.wakes == std::vector<Time>{Time(200ns)});
    kernel.run(50ns);
    CHECK(board.intc.active() == 0); // whatever ran first at 300 ns
}

TEST_CASE("accesses other than aligned words of a register are rejected at once")
{
    KernelFixture kernel;
    Board board;
    kernel.run(0ns);
    CHECK(board.cpu.read(0xC).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(board.cpu.read(2).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(board.cpu.write(0xC, 0, 100ns).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(board.cpu.write(5, 0, 100ns).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(board.cpu.read(0, 0ns, 8).status == tlm::TLM_BURST_ERROR_RESPONSE);
    CHECK(board.cpu.write(4, 0, 0ns, 2).status == tlm::TLM_BURST_ERROR_RESPONSE);
    CHECK_THROWS_AS(board.intc.setLine(InterruptSource::Host, true, -1ns), InternalError); // a rise in the past
}
