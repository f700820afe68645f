// SPDX-License-Identifier: Apache-2.0
//
// The controller's side of the NAND wire, against a channel that answers in the other way that the protocol allows:
// BEGIN_REQ is accepted, END_REQ and BEGIN_RESP come on the backward path.
#include "models/controller/flash_controller_module.h"
#include "models/memory/sdram_module.h"
#include "models/tlm/time_bridge.h"
#include "tests/modules/controller/rig.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;
using strobe::test::KernelFixture;

namespace {

class SlowChannel : public sc_core::sc_module {
public:
    nand::TargetSocket<SlowChannel> host{"host"};

    struct Seen {
        nand::Operation op;
        tlm::tlm_command command;
        std::uint64_t address;
        std::uint32_t length;
        tlm::tlm_response_status status;
        Time at; // kernel time plus annotation
        bool hasData;
    };
    std::vector<Seen> seen;
    tlm::tlm_sync_enum lastAnswer = tlm::TLM_ACCEPTED;
    nand::Status outcome = nand::Status::Ok;

    explicit SlowChannel(const sc_core::sc_module_name& name) : sc_module(name)
    {
        host.register_nb_transport_fw(this, &SlowChannel::forward);
        SC_THREAD(serve);
    }
    SC_HAS_PROCESS(SlowChannel);

private:
    tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay)
    {
        CHECK(phase == tlm::BEGIN_REQ);
        const nand::Operation& op = nand::operationOf(payload);
        seen.push_back({op, payload.get_command(), payload.get_address(), payload.get_data_length(),
                        payload.get_response_status(), now() + fromSc(delay), payload.get_data_ptr() != nullptr});
        payloads_.push_back(&payload);
        arrived_.notify(delay);
        return tlm::TLM_ACCEPTED;
    }
    void serve()
    {
        for (std::size_t next = 0;; ++next) {
            while (next == payloads_.size())
                sc_core::wait(arrived_);
            send(*payloads_[next], tlm::END_REQ);
            sc_core::wait(10, sc_core::SC_US);
            nand::operationOf(*payloads_[next]).status = outcome;
            payloads_[next]->set_response_status(tlm::TLM_OK_RESPONSE);
            lastAnswer = send(*payloads_[next], tlm::BEGIN_RESP);
        }
    }
    tlm::tlm_sync_enum send(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase)
    {
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        return host->nb_transport_bw(payload, phase, delay);
    }

    std::vector<tlm::tlm_generic_payload*> payloads_;
    sc_core::sc_event arrived_;
};

struct WireRig {
    WireRig()
        : sdram("sdram", memoryConfig()), controller("controller", controllerConfig()), cpu("cpu"), channel("channel")
    {
        controller.memory.bind(sdram.ports[0]);
        controller.channels[0].bind(channel.host);
        cpu.socket.bind(controller.registers);
        cpu.toMemory.bind(sdram.fabric);
    }
    static memory::BulkMemoryConfig memoryConfig()
    {
        memory::BulkMemoryConfig config;
        config.region = {BusAddress{0x80000000}, 0x20000};
        config.dataBuffer = {BusAddress{0x80010000}, 0x10000};
        config.latency = 100ns;
        config.ports = {"flash"};
        return config;
    }
    static FlashControllerConfig controllerConfig()
    {
        FlashControllerConfig config;
        config.die = slcPart().geometry;
        config.dataBuffer = memoryConfig().dataBuffer;
        config.ecc = {2us, 3us, 0};
        return config;
    }
    void put(const FlashDescriptor& descriptor)
    {
        const DescriptorWords words = toWords(descriptor);
        std::memcpy(sdram.memory().bytes(BusAddress{0x80000040}, 64), words.data(), sizeof words);
    }

    memory::SdramModule sdram;
    FlashControllerModule controller;
    Cpu cpu;
    SlowChannel channel;
};

} // namespace

TEST_CASE("a channel may accept requests and send all phases on the backward path")
{
    KernelFixture kernel;
    WireRig rig;
    FlashDescriptor d;
    d.opcode = SuperchipOpcode::Program;
    d.inlineBlocks = true;
    d.blocks = 3;
    d.startSector = 8 + 1; // page 2, second sector
    d.sectors = 2;
    d.buffer = BusAddress{0x80010000};
    rig.put(d);
    rig.cpu.script = [&] { rig.cpu.write(regs::flash::UNIT_HEAD, 0x80000040); };
    kernel.run(1ms);
    REQUIRE(rig.channel.seen.size() == 1);
    const SlowChannel::Seen& seen = rig.channel.seen[0];
    CHECK(seen.command == tlm::TLM_WRITE_COMMAND);
    CHECK(seen.address == (3 * 64 + 2) * 2048 + 512);
    CHECK(seen.length == 1024);
    CHECK(seen.status == tlm::TLM_INCOMPLETE_RESPONSE);
    CHECK_FALSE(seen.hasData); // contents travel in the operation
    CHECK(seen.op.target == nand::PageAddress{3, 2});
    CHECK(seen.op.firstSector == 1);
    CHECK(seen.op.sectors == 2);
    const Time fetched = 200ns + transferTime(64, 320'000'000) + transferTime(1024, 320'000'000);
    CHECK(seen.at == fetched + 2us); // encoded
    CHECK(rig.channel.lastAnswer == tlm::TLM_COMPLETED);
    CHECK(rig.controller.operationsInFlight() == 0);
    CHECK(rig.controller.controller().isIdle());
}

TEST_CASE("a failed operation comes back as the status of its descriptor")
{
    KernelFixture kernel;
    WireRig rig;
    FlashDescriptor d;
    d.opcode = SuperchipOpcode::Read;
    d.inlineBlocks = true;
    d.sectors = 4;
    d.buffer = BusAddress{0x80010000};
    rig.put(d);
    rig.channel.outcome = nand::Status::Uncorrectable;
    rig.cpu.script = [&] { rig.cpu.write(regs::flash::UNIT_HEAD, 0x80000040); };
    kernel.run(1ms);
    std::uint32_t status = 0;
    std::memcpy(&status, rig.sdram.memory().bytes(BusAddress{0x80000040 + 0x28}, 4), 4);
    CHECK(parseStatus(status).code == StatusCode::Uncorrectable);
    CHECK(rig.controller.controller().ring().heldBack() == 1); // no ring was set up: the event waits for one
}
