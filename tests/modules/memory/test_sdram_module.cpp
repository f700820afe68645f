// SPDX-License-Identifier: Apache-2.0
#include "models/memory/sdram_module.h"
#include "models/tlm/time_bridge.h"
#include "tests/modules/fabric/bus_probe.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

#include <array>
#include <cstring>
#include <tlm_utils/simple_initiator_socket.h>

using namespace strobe;
using namespace strobe::memory;
using test::BusProbe;
using test::KernelFixture;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t base = 0x80000000;
constexpr std::uint32_t buffer = 0x80004000;

BulkMemoryConfig smallMemory(DataMode mode = DataMode::Tags)
{
    BulkMemoryConfig config;
    config.region = {BusAddress{base}, 0x10000};
    config.dataBuffer = {BusAddress{buffer}, 0x4000};
    config.dataMode = mode;
    config.bytesPerSecond = 320'000'000;
    config.latency = 50ns;
    config.ports = {"host", "flash"};
    return config;
}

struct DataMover : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<DataMover, 32, Protocol> port{"port"};

    explicit DataMover(sc_core::sc_module_name name) : sc_module(name) {}

    struct Answer {
        bool isOk;
        Time delay;
    };
    Answer move(std::uint32_t address, std::uint32_t bytes, Content content, bool isWrite, Time delay)
    {
        Burst burst{BusAddress{address}, bytes, content, isWrite};
        sc_core::sc_time annotated = toSc(delay);
        port->b_transport(burst, annotated);
        return {burst.isOk, fromSc(annotated)};
    }
    Answer write(std::uint32_t address, std::uint32_t bytes, Content content, Time delay = {})
    {
        return move(address, bytes, content, true, delay);
    }
    Answer read(std::uint32_t address, std::uint32_t bytes, Content content, Time delay = {})
    {
        return move(address, bytes, content, false, delay);
    }
};

struct Board {
    SdramModule sdram;
    DataMover host{"host"};
    DataMover flash{"flash"};
    BusProbe cpu{"cpu"};

    explicit Board(DataMode mode = DataMode::Tags) : sdram("sdram", smallMemory(mode))
    {
        host.port.bind(sdram.ports[0]);
        flash.port.bind(sdram.ports[1]);
        cpu.bus.bind(sdram.fabric);
    }
};

Content asBytes(void* data)
{
    return {static_cast<std::byte*>(data), DataMode::Bytes};
}

} // namespace

TEST_CASE("a page written by one data mover is read by another, tag by tag")
{
    KernelFixture kernel;
    Board board;
    kernel.run(0ns);
    std::array<std::byte, 4 * sizeof(SectorTag)> tags{};
    makeTagRun(1000, 7, 4, tags.data());
    CHECK(board.host.write(buffer + 1024, 2048, {tags.data(), DataMode::Tags}).isOk);
    std::array<std::byte, 4 * sizeof(SectorTag)> got{};
    CHECK(board.flash.read(buffer + 1024, 2048, {got.data(), DataMode::Tags}).isOk);
    CHECK(got == tags);
    CHECK(board.flash.read(buffer + 1536, 1024, {got.data(), DataMode::Tags}).isOk);
    CHECK(std::memcmp(got.data(), tags.data() + sizeof(SectorTag), 2 * sizeof(SectorTag)) == 0);
}

TEST_CASE("a data mover's descriptor bytes and a CPU's are the same memory")
{
    KernelFixture kernel;
    Board board;
    kernel.run(0ns);
    std::uint32_t descriptor[4] = {1, 2, 3, 4};
    CHECK(board.flash.write(base + 0x100, sizeof descriptor, asBytes(descriptor)).isOk);
    const auto dmi = board.cpu.direct(0x100);
    REQUIRE(dmi);
    CHECK(std::memcmp(dmi->get_dmi_ptr() + 0x100, descriptor, sizeof descriptor) == 0);
    CHECK(board.cpu.debugWrite(0x108, 33) == 4);
    std::uint32_t got[4] = {};
    CHECK(board.host.read(base + 0x100, sizeof got, asBytes(got)).isOk);
    CHECK(got[2] == 33);
    CHECK(got[3] == 4);
}

TEST_CASE("a debug access of a data mover reads plain bytes in no time, and nothing else")
{
    KernelFixture kernel;
    Board board;
    kernel.run(0ns);
    CHECK(board.cpu.debugWrite(0x108, 33) == 4);
    std::uint32_t got = 0;
    const auto debug = [&](std::uint32_t address, bool isWrite) {
        Burst burst{BusAddress{address}, 4, asBytes(&got), isWrite, false};
        return board.host.port->transport_dbg(burst);
    };
    CHECK(debug(base + 0x108, false) == 4);
    CHECK(got == 33);
    CHECK(debug(base + 0x108, true) == 0);
    CHECK(debug(0x100, false) == 0); // no memory
    CHECK(board.sdram.memory().path().usage().jobs == 0);
}

TEST_CASE("the delay becomes the end of the burst, with latency, transfer time and waiting for the other port")
{
    KernelFixture kernel;
    Board board;
    kernel.run(0ns);
    CHECK(board.host.write(buffer, 2048, {}).delay == 50ns + 6'400ns);
    CHECK(board.flash.read(base, 64, {}, 100ns).delay == 6'450ns + 50ns + 200ns);
    kernel.run(6us); // the path is busy until 6.7 us
    CHECK(board.host.read(buffer, 512, {}).delay == 700ns + 50ns + 1'600ns);
    CHECK(board.sdram.memory().port(0).usage().waited == 700ns);
    CHECK(board.sdram.memory().port(1).usage().waited == 6'350ns);
    CHECK(board.sdram.memory().path().usage().jobs == 3);
}

TEST_CASE("a burst that no memory answers is an address error and takes no time")
{
    KernelFixture kernel;
    Board board;
    kernel.run(0ns);
    const auto refused = [&](std::uint32_t address, std::uint32_t bytes) {
        const auto answer = board.host.read(address, bytes, {}, 3ns);
        return !answer.isOk && answer.delay == Time(3ns);
    };
    CHECK(refused(base - 512, 512));
    CHECK(refused(base + 0x10000, 4));
    CHECK(refused(buffer - 512, 1024)); // half control memory, half buffer
    CHECK(refused(buffer + 0x3E00, 1024));
    CHECK(refused(buffer + 8, 512)); // not at a sector
    CHECK(refused(buffer, 520));
    CHECK(board.sdram.memory().path().usage().jobs == 0);
}

TEST_CASE("without contents a transfer is timing alone")
{
    KernelFixture kernel;
    Board board(DataMode::None);
    kernel.run(0ns);
    std::byte untouched{0x77};
    CHECK(board.host.read(buffer, 512, {&untouched, DataMode::None}).isOk);
    CHECK(untouched == std::byte{0x77});
    CHECK(board.host.write(base, 4, {}).isOk);
}

TEST_CASE("a data mover uses blocking transport only")
{
    KernelFixture kernel;
    Board board;
    kernel.run(0ns);
    Burst burst{BusAddress{base}, 4, {}, true, true};
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    CHECK(board.host.port->nb_transport_fw(burst, phase, delay) == tlm::TLM_COMPLETED);
    CHECK_FALSE(burst.isOk);
    CHECK(board.sdram.memory().path().usage().jobs == 0);
}

TEST_CASE("the CPUs' port reaches control memory only, with port timing")
{
    KernelFixture kernel;
    Board board;
    std::vector<Time> ends;
    std::vector<tlm::tlm_response_status> statuses;
    board.cpu.script = [&] {
        statuses.push_back(board.cpu.write(0x20, 0xABCD).status);
        statuses.push_back(board.cpu.read(0x4000).status);  // the data buffer
        statuses.push_back(board.cpu.read(0x10000).status); // after the end
        const auto answer = board.cpu.read(0x20);
        ends.push_back(now() + answer.delay);
        statuses.push_back(answer.status);
        CHECK(answer.value == 0xABCD);
    };
    kernel.run(1us);
    CHECK(statuses == std::vector<tlm::tlm_response_status>{tlm::TLM_OK_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE,
                                                            tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_OK_RESPONSE});
    CHECK(ends == std::vector<Time>{Time(125ns)}); // two bursts of 4 bytes: 2 x (50 ns + 12.5 ns)
    CHECK(board.sdram.memory().port(board.sdram.cpuPort()).usage().jobs == 2);
    CHECK(board.sdram.memory().config().ports[board.sdram.cpuPort()] == "cpu");
}

TEST_CASE("an access from a CPU that runs ahead is synchronised, so that the path is taken in order of time")
{
    KernelFixture kernel;
    Board board;
    Time cpuEnd{};
    board.cpu.script = [&] {
        const auto answer = board.cpu.write(0, 1, 300ns);
        cpuEnd = now() + answer.delay;
    };
    kernel.run(100ns);
    CHECK(board.host.read(base, 32, {}).delay == 150ns); // not after the CPU's later access
    kernel.run(1us);
    CHECK(cpuEnd == 300ns + picoseconds(62'500));
}

TEST_CASE("DMI is granted for control memory on either side of the buffer, not for the buffer")
{
    KernelFixture kernel;
    Board board;
    kernel.run(0ns);
    const auto front = board.cpu.direct(0x3FFF);
    REQUIRE(front);
    CHECK(front->get_start_address() == 0);
    CHECK(front->get_end_address() == 0x3FFF);
    const auto back = board.cpu.direct(0x8000);
    REQUIRE(back);
    CHECK(back->get_start_address() == 0x8000);
    CHECK(back->get_end_address() == 0xFFFF);
    CHECK(back->get_dmi_ptr() == front->get_dmi_ptr() + 0x8000);
    CHECK(back->is_read_write_allowed());
    CHECK_FALSE(board.cpu.direct(0x4000));
    CHECK_FALSE(board.cpu.direct(0x10000));
}
