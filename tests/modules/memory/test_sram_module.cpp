// SPDX-License-Identifier: Apache-2.0
#include "models/memory/sram_module.h"
#include "tests/modules/fabric/bus_probe.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

using namespace strobe;
using memory::SramModule;
using test::BusProbe;
using test::KernelFixture;
using namespace std::chrono_literals;

namespace {

struct Board {
    KernelFixture kernel;
    SramModule sram{"sram", 64, 2ns};
    BusProbe cpu{"cpu"};

    Board()
    {
        cpu.bus.bind(sram.fabric);
        kernel.run(0ns);
    }
};

} // namespace

TEST_CASE("SRAM starts as zeros, keeps what is written and costs its latency per access")
{
    Board board;
    CHECK(board.cpu.read(60).value == 0);
    const auto written = board.cpu.write(60, 0xA1B2C3D4, 5ns);
    CHECK(written.status == tlm::TLM_OK_RESPONSE);
    CHECK(written.delay == 7ns);
    CHECK(written.dmiAllowed);
    CHECK(board.cpu.read(62, 0ns, 2).value == 0xA1B2);
    CHECK(board.sram.bytes()[63] == std::byte{0xA1});
    CHECK(board.cpu.debugRead(60) == 0xA1B2C3D4);
}

TEST_CASE("SRAM refuses accesses that are not entirely inside it")
{
    Board board;
    CHECK(board.cpu.read(61).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(board.cpu.write(~std::uint64_t{1}, 0).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK_FALSE(board.cpu.direct(64));
    CHECK(board.cpu.debugWrite(64, 1) == 0);
}

TEST_CASE("byte enables and streaming are refused with their own responses")
{
    Board board;
    std::uint32_t value = 7;
    unsigned char enables[4] = {0xFF, 0, 0xFF, 0};
    tlm::tlm_generic_payload payload;
    sc_core::sc_time delay;
    BusProbe::fill(payload, tlm::TLM_WRITE_COMMAND, 0, &value, sizeof value);
    payload.set_byte_enable_ptr(enables);
    payload.set_byte_enable_length(sizeof enables);
    board.cpu.bus->b_transport(payload, delay);
    CHECK(payload.get_response_status() == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    payload.set_byte_enable_ptr(nullptr);
    payload.set_streaming_width(2);
    board.cpu.bus->b_transport(payload, delay);
    CHECK(payload.get_response_status() == tlm::TLM_BURST_ERROR_RESPONSE);
    CHECK(board.sram.bytes()[0] == std::byte{0});
}

TEST_CASE("DMI of SRAM gives direct access to its bytes")
{
    Board board;
    const auto dmi = board.cpu.direct(10);
    REQUIRE(dmi);
    CHECK(dmi->get_start_address() == 0);
    CHECK(dmi->get_end_address() == 63);
    CHECK(dmi->is_read_write_allowed());
    dmi->get_dmi_ptr()[63] = 0x42;
    CHECK(board.cpu.read(63, 0ns, 1).value == 0x42);
}
