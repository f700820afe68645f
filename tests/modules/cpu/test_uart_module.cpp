// SPDX-License-Identifier: Apache-2.0
#include "models/base/strobe_registers.h"
#include "models/cpu/uart_module.h"
#include "tests/modules/fabric/bus_probe.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

#include <string>
#include <utility>
#include <vector>

using namespace strobe;
using namespace strobe::regs::uart;
using test::BusProbe;
using test::KernelFixture;
using namespace std::chrono_literals;

namespace {

// A byte takes 1 us; four places.
struct Board {
    std::vector<std::pair<Time, std::string>> lines;
    cpu::UartModule uart{"uart", {4, 10'000'000, 10}, [this](Time at, std::string_view text) {
                             lines.emplace_back(at, std::string(text));
                         }};
    BusProbe cpu{"cpu"};

    Board() { cpu.bus.bind(uart.registers); }
    void put(char character, Time delay)
    {
        CHECK(cpu.write(DATA, static_cast<unsigned char>(character), delay).status == tlm::TLM_OK_RESPONSE);
    }
};

} // namespace

TEST_CASE("bytes that a CPU posts ahead of time are on the line at their times, whatever the order of the calls")
{
    KernelFixture kernel;
    Board board;
    kernel.run(1us);
    board.put('\n', 300ns); // of another CPU, which is further ahead
    board.put('o', 200ns);
    board.put('k', 200ns); // at the same instant: after the earlier call
    CHECK(board.lines.empty());
    kernel.run(250ns);
    CHECK(board.lines.empty());
    kernel.run(1us);
    REQUIRE(board.lines.size() == 1);
    CHECK(board.lines[0] == std::pair(Time(1'200ns + 3us), std::string("ok")));
}

TEST_CASE("the queue level is that at the time of the access, arrived posted bytes included")
{
    KernelFixture kernel;
    Board board;
    kernel.run(0ns);
    board.put('a', 0ns);
    board.put('b', 500ns);
    CHECK((board.cpu.read(STATUS).value & STATUS_free_mask) == 3);
    kernel.run(500ns);
    CHECK((board.cpu.read(STATUS).value & STATUS_free_mask) == 2);
    CHECK((board.cpu.read(STATUS, 500ns).value & STATUS_free_mask) == 3); // the access itself comes later
    for (int i = 0; i < 4; ++i)
        board.put('c', 0ns);
    CHECK(board.cpu.read(LOST).value == 2);
}

TEST_CASE("text without a newline is output on request")
{
    KernelFixture kernel;
    Board board;
    kernel.run(0ns);
    board.put('x', 0ns);
    board.uart.flush();
    REQUIRE(board.lines.size() == 1);
    CHECK(board.lines[0].second == "x");
}

TEST_CASE("an address without a register, a misaligned one and other lengths are bus errors, and write nothing")
{
    KernelFixture kernel;
    Board board;
    kernel.run(0ns);
    CHECK(board.cpu.write(LOST + 4, 1).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(board.cpu.read(LOST + 4).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(board.cpu.write(DATA + 2, 1).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(board.cpu.write(DATA, 'x', {}, 1).status == tlm::TLM_BURST_ERROR_RESPONSE);
    board.uart.flush();
    CHECK(board.lines.empty());
}
