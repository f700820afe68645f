// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "models/fabric/fabric_module.h"
#include "models/memory/sram_module.h"
#include "tests/modules/fabric/bus_probe.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

#include <tlm_utils/simple_target_socket.h>

using namespace strobe;
using fabric::FabricModule;
using memory::Region;
using memory::SramModule;
using test::BusProbe;
using test::KernelFixture;
using namespace std::chrono_literals;

namespace {

// A target that grants more DMI than is its own, and takes grants back.
struct GenerousTarget : sc_core::sc_module {
    tlm_utils::simple_target_socket<GenerousTarget> socket{"socket"};
    unsigned char bytes[16] = {};
    std::vector<std::uint64_t> addresses;

    explicit GenerousTarget(sc_core::sc_module_name name) : sc_module(name)
    {
        socket.register_b_transport(this, &GenerousTarget::transport);
        socket.register_get_direct_mem_ptr(this, &GenerousTarget::direct);
    }
    void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&)
    {
        addresses.push_back(payload.get_address());
        payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    }
    bool direct(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi)
    {
        dmi.set_dmi_ptr(bytes); // range: the default, everything
        dmi.allow_read();
        return true;
    }
};

struct Bus {
    FabricModule fabric{"fabric", 10ns};
    SramModule low{"low", 0x100, 3ns};
    SramModule high{"high", 0x200, 0ns};
    GenerousTarget generous{"generous"};
    BusProbe cpu0{"cpu0"};
    BusProbe cpu1{"cpu1"};

    Bus()
    {
        fabric.map("high", {BusAddress{0xFFFFFE00}, 0x200}, high.fabric); // bound first, highest address
        fabric.map("low", {BusAddress{0x1000}, 0x100}, low.fabric);
        fabric.map("generous", {BusAddress{0x2000}, 0x10}, generous.socket);
        cpu0.bus.bind(fabric.cpus);
        cpu1.bus.bind(fabric.cpus);
    }
};

} // namespace

TEST_CASE("the fabric brings an access to its target at the target's own address and back")
{
    KernelFixture kernel;
    Bus bus;
    kernel.run(0ns);
    CHECK(bus.cpu0.write(0x1010, 0x11223344).status == tlm::TLM_OK_RESPONSE);
    CHECK(bus.cpu1.write(0xFFFFFFFC, 0x55667788).status == tlm::TLM_OK_RESPONSE);
    CHECK(bus.low.bytes()[0x10] == std::byte{0x44});
    CHECK(bus.high.bytes()[0x1FC] == std::byte{0x88});
    CHECK(bus.cpu1.read(0x1010).value == 0x11223344);
    CHECK(bus.cpu0.read(0xFFFFFFFC).value == 0x55667788);
    CHECK(bus.cpu0.addressKept);
}

TEST_CASE("an access costs the fabric's latency and the target's, on top of the delay")
{
    KernelFixture kernel;
    Bus bus;
    kernel.run(0ns);
    CHECK(bus.cpu0.read(0x1000).delay == 13ns);
    CHECK(bus.cpu0.write(0x1000, 1, 100ns).delay == 113ns);
    CHECK(bus.cpu0.read(0xFFFFFE00, 7ns).delay == 17ns);
    CHECK(bus.fabric.bus().usage().jobs == 3);
    CHECK(bus.fabric.bus().usage().busy == 30ns);
    bus.fabric.resetUsage();
    CHECK(bus.fabric.bus().usage().busy == Time{});
}

TEST_CASE("an unmapped address answers with an address error and takes no time")
{
    KernelFixture kernel;
    Bus bus;
    kernel.run(0ns);
    CHECK(bus.cpu0.read(0x0FFC).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(bus.cpu0.write(0x1100, 0, 5ns).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(bus.cpu0.read(0x10FE).status == tlm::TLM_ADDRESS_ERROR_RESPONSE); // across the end
    CHECK(bus.cpu0.read(0x1'0000'1000).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(bus.cpu0.write(0x1100, 0, 5ns).delay == 5ns);
    CHECK(bus.fabric.refused() == 5);
    CHECK(bus.fabric.bus().usage().jobs == 0);
    CHECK_FALSE(bus.cpu0.direct(0x1100));
    CHECK(bus.cpu0.debugRead(0x1100) == 0xDEADDEAD);
}

TEST_CASE("a target's own error response comes back unchanged")
{
    KernelFixture kernel;
    Bus bus;
    kernel.run(0ns);
    CHECK(bus.cpu0.read(0x2008).status == tlm::TLM_GENERIC_ERROR_RESPONSE);
    CHECK(bus.generous.addresses == std::vector<std::uint64_t>{8});
}

TEST_CASE("a DMI range is translated to bus addresses")
{
    KernelFixture kernel;
    Bus bus;
    kernel.run(0ns);
    const auto dmi = bus.cpu0.direct(0x1080);
    REQUIRE(dmi);
    CHECK(dmi->get_start_address() == 0x1000);
    CHECK(dmi->get_end_address() == 0x10FF);
    CHECK(reinterpret_cast<std::byte*>(dmi->get_dmi_ptr()) == bus.low.bytes());
    CHECK(dmi->is_read_write_allowed());
    const auto top = bus.cpu0.direct(0xFFFFFFFF);
    REQUIRE(top);
    CHECK(top->get_start_address() == 0xFFFFFE00);
    CHECK(top->get_end_address() == 0xFFFFFFFF);
}

TEST_CASE("a DMI range wider than its region is clipped to it")
{
    KernelFixture kernel;
    Bus bus;
    kernel.run(0ns);
    const auto dmi = bus.cpu0.direct(0x2000);
    REQUIRE(dmi);
    CHECK(dmi->get_start_address() == 0x2000);
    CHECK(dmi->get_end_address() == 0x200F);
}

TEST_CASE("an invalidation reaches every CPU with bus addresses, clipped to its region")
{
    KernelFixture kernel;
    Bus bus;
    kernel.run(0ns);
    bus.generous.socket->invalidate_direct_mem_ptr(4, ~sc_dt::uint64{0});
    bus.generous.socket->invalidate_direct_mem_ptr(0x10, 0x20); // none of its region
    const std::vector<std::pair<std::uint64_t, std::uint64_t>> expected{{0x2004, 0x200F}};
    CHECK(bus.cpu0.invalidated == expected);
    CHECK(bus.cpu1.invalidated == expected);
}

TEST_CASE("debug accesses take the same path without time")
{
    KernelFixture kernel;
    Bus bus;
    kernel.run(0ns);
    CHECK(bus.cpu0.debugWrite(0x1004, 0xCAFE) == 4);
    CHECK(bus.cpu1.debugRead(0x1004) == 0xCAFE);
    CHECK(bus.fabric.bus().usage().jobs == 0);
}

TEST_CASE("two targets cannot be mapped over each other")
{
    KernelFixture kernel;
    Bus bus;
    CHECK_THROWS_AS(bus.fabric.map("again", {BusAddress{0x10F0}, 0x100}, bus.low.fabric), ConfigError);
    kernel.run(0ns); // and nothing was bound twice
    CHECK(bus.cpu0.read(0x1000).status == tlm::TLM_OK_RESPONSE);
}
