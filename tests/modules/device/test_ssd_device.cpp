// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "tests/modules/device/device_platform.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

#include <numeric>

using namespace strobe;
using namespace strobe::test;
using host::nvme::IoOpcode;
using host::nvme::NvmeStatus;
using sc_core::sc_time;

namespace {

std::array<unsigned char, 4096> pattern(unsigned char seed)
{
    std::array<unsigned char, 4096> bytes{};
    std::iota(bytes.begin(), bytes.end(), seed);
    return bytes;
}

void play(KernelFixture& kernel, DevicePlatform& platform, std::function<void()> script)
{
    platform.script = std::move(script);
    kernel.run(std::chrono::seconds(1));
    REQUIRE(platform.isDone);
    CHECK(platform.isOk);
}

// Writes a page and reads it back to another place; returns when.
sc_time roundTrip(DevicePlatform& platform)
{
    const auto bytes = pattern(3);
    platform.memory.put(DevicePlatform::data, bytes.data(), bytes.size());
    const sc_time start = sc_core::sc_time_stamp();
    CHECK(platform.ioCommand(IoOpcode::Write, DevicePlatform::data, 80) == NvmeStatus::Success);
    CHECK(platform.ioCommand(IoOpcode::Read, DevicePlatform::data + 0x1000, 80) == NvmeStatus::Success);
    CHECK(platform.memory.at<std::array<unsigned char, 4096>>(DevicePlatform::data + 0x1000) == bytes);
    return sc_core::sc_time_stamp() - start;
}

std::string messageOf(const char* scenario, const std::vector<std::string>& sets)
{
    try {
        DevicePlatform platform("platform", {sets, {}}, scenario);
        return "no error";
    } catch (const ConfigError& error) {
        return error.what();
    }
}

} // namespace

TEST_CASE("a drive in a foreign platform returns what was written, in that platform's memory")
{
    KernelFixture kernel;
    DevicePlatform platform("platform");
    play(kernel, platform, [&] {
        platform.bringUp();
        roundTrip(platform);
    });
    CHECK(platform.ssd.capacitySectors() > 0);
}

TEST_CASE("the extended health log counts the pages of flash that a write takes")
{
    KernelFixture kernel;
    DevicePlatform platform("platform");
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    constexpr std::uint64_t log = DevicePlatform::data + 0x8000;
    play(kernel, platform, [&] {
        platform.bringUp();
        CHECK(platform.logPage(0xC0, log) == NvmeStatus::Success);
        before = platform.memory.at<std::uint64_t>(log);
        roundTrip(platform);
        CHECK(platform.ioCommand(IoOpcode::Flush, DevicePlatform::data, 0) == NvmeStatus::Success);
        CHECK(platform.logPage(0xC0, log) == NvmeStatus::Success);
        after = platform.memory.at<std::uint64_t>(log);
        CHECK(platform.logPage(2, log) == NvmeStatus::Success);
        CHECK(platform.memory.at<std::uint8_t>(log + 3) == 100); // available spare
    });
    CHECK(after > before);
    CHECK(after % 4096 == 0);
}

TEST_CASE("a drive copies ranges within itself")
{
    KernelFixture kernel;
    DevicePlatform platform("platform");
    constexpr std::uint64_t list = DevicePlatform::data + 0x2000;
    constexpr std::uint32_t sectors = 8; // of a page, and ranges: a command of the platform has 7 in dword 12
    constexpr std::uint32_t target = 400;
    play(kernel, platform, [&] {
        platform.bringUp();
        roundTrip(platform);
        std::array<host::nvme::CopyRange, sectors> ranges;
        for (host::nvme::CopyRange& range : ranges) {
            range.lba = 80;
            range.lastSector = sectors - 1;
        }
        platform.memory.put(list, ranges.data(), sizeof ranges);
        CHECK(platform.ioCommand(IoOpcode::Copy, list, target) == NvmeStatus::Success);
        for (std::uint32_t range = 0; range < sectors; ++range) {
            CHECK(platform.ioCommand(IoOpcode::Read, DevicePlatform::data + 0x3000, target + range * sectors) ==
                  NvmeStatus::Success);
            CHECK(platform.memory.at<std::array<unsigned char, 4096>>(DevicePlatform::data + 0x3000) == pattern(3));
        }
    });
}

TEST_CASE("the delay that memory annotates does not change the drive's times, a wait in memory does")
{
    std::vector<sc_time> times;
    for (const bool waits : {false, true}) {
        for (const int nanoseconds : {0, 700}) {
            KernelFixture kernel;
            DevicePlatform platform("platform");
            (waits ? platform.memory.waits : platform.memory.annotates) = sc_time(nanoseconds, sc_core::SC_NS);
            play(kernel, platform, [&] {
                platform.bringUp();
                times.push_back(roundTrip(platform));
            });
        }
    }
    REQUIRE(times.size() == 4);
    CHECK(times[1] == times[0]);
    CHECK(times[2] == times[0]);
    CHECK(times[3] > times[0] + sc_time(2, sc_core::SC_US));
}

TEST_CASE("a register read takes the link's round trip, a posted write takes none")
{
    KernelFixture kernel;
    DevicePlatform platform("platform", {{"host.nvme.latency=200ns"}, {}});
    play(kernel, platform, [&] {
        sc_time before = sc_core::sc_time_stamp();
        CHECK(platform.read<std::uint32_t>(0x08) == 0x10400U);
        const sc_time read = sc_core::sc_time_stamp() - before;
        CHECK(read > sc_time(400, sc_core::SC_NS));
        CHECK(read < sc_time(500, sc_core::SC_NS));

        before = sc_core::sc_time_stamp();
        platform.write(0x24, 0x000F'000FU);
        CHECK(sc_core::sc_time_stamp() == before);
        std::uint32_t value = 1;
        RegisterPayload payload(tlm::TLM_READ_COMMAND, 0x24, value);
        CHECK(platform.cpu->transport_dbg(payload) == 4);
        CHECK(value == 0); // still on the link
        CHECK(platform.read<std::uint32_t>(0x24) == 0x000F'000FU);

        before = sc_core::sc_time_stamp();
        RegisterPayload later(tlm::TLM_READ_COMMAND, 0x08, value);
        sc_time ahead(3, sc_core::SC_US);
        CHECK(platform.access(later, ahead) == tlm::TLM_OK_RESPONSE);
        CHECK(ahead == sc_core::SC_ZERO_TIME);
        CHECK(sc_core::sc_time_stamp() - before == read + sc_time(3, sc_core::SC_US));
    });
}

TEST_CASE("register accesses of other lengths, misaligned or outside get the matching error response")
{
    KernelFixture kernel;
    DevicePlatform platform("platform");
    play(kernel, platform, [&] {
        std::uint64_t value = 0;
        sc_time delay;
        const auto answer = [&](std::uint64_t address, unsigned bytes, unsigned streaming) {
            RegisterPayload payload(tlm::TLM_READ_COMMAND, address, value);
            payload.set_data_length(bytes);
            payload.set_streaming_width(streaming);
            return platform.access(payload, delay);
        };
        CHECK(answer(0x00, 8, 8) == tlm::TLM_OK_RESPONSE);
        CHECK(answer(0x3FF8, 8, 8) == tlm::TLM_OK_RESPONSE);
        CHECK(answer(0x4000, 4, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        CHECK(answer(0x1'0000'0000, 4, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        CHECK(answer(0x04, 8, 8) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        CHECK(answer(0x02, 4, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        CHECK(answer(0x00, 2, 2) == tlm::TLM_BURST_ERROR_RESPONSE);
        CHECK(answer(0x00, 8, 4) == tlm::TLM_BURST_ERROR_RESPONSE);
        RegisterPayload enabled(tlm::TLM_WRITE_COMMAND, 0x14, value);
        unsigned char enable = 0xFF;
        enabled.set_byte_enable_ptr(&enable);
        enabled.set_byte_enable_length(1);
        CHECK(platform.access(enabled, delay) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        RegisterPayload payload(tlm::TLM_WRITE_COMMAND, 0x28, value);
        CHECK(platform.cpu->transport_dbg(payload) == 0);
    });
}

TEST_CASE("a CPU socket waits for the annotated delay, and reports an error response with the address")
{
    struct Loop : sc_core::sc_module {
        CpuSocket cpu{"cpu"};
        tlm_utils::simple_target_socket<Loop> target{"target"};
        std::string error;

        SC_HAS_PROCESS(Loop);
        explicit Loop(const sc_core::sc_module_name& name) : sc_module(name)
        {
            target.register_b_transport(this, &Loop::answer);
            cpu.bind(target);
            SC_THREAD(play);
        }
        void answer(tlm::tlm_generic_payload& payload, sc_time& delay)
        {
            delay += sc_time(7, sc_core::SC_NS);
            const bool isKnown = payload.get_address() == 0x40 && payload.get_data_length() == 2;
            payload.set_response_status(isKnown ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
            if (isKnown && payload.is_read())
                std::memcpy(payload.get_data_ptr(), "\x34\x12", 2);
        }
        void play()
        {
            CHECK(cpu.read<std::uint16_t>(0x40) == 0x1234);
            CHECK(sc_core::sc_time_stamp() == sc_time(7, sc_core::SC_NS));
            cpu.write(0x40, std::uint16_t{1});
            CHECK(sc_core::sc_time_stamp() == sc_time(14, sc_core::SC_NS));
            std::uint8_t byte = 0;
            CHECK(cpu.access(tlm::TLM_READ_COMMAND, 0x40, byte) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
            try {
                cpu.write(0x12'0000'0044, std::uint16_t{1});
            } catch (const BusError& thrown) {
                error = thrown.what();
            }
        }
    };
    KernelFixture kernel;
    Loop loop("loop");
    kernel.run();
    CHECK(loop.error == "bus error: write at 0x1200000044, TLM_ADDRESS_ERROR_RESPONSE");
}

TEST_CASE("the interrupt pin is high from a completion until its queue entry is taken")
{
    KernelFixture kernel;
    DevicePlatform platform("platform");
    play(kernel, platform, [&] {
        platform.bringUp();
        sc_core::wait(10, sc_core::SC_US);
        CHECK_FALSE(platform.line.read());
        platform.submitIo(IoOpcode::Read, DevicePlatform::data, 0);
        sc_core::wait(platform.line.posedge_event());
        sc_core::wait(1, sc_core::SC_US);
        CHECK(platform.hasIoCompletion());
        CHECK(platform.takeIoCompletion() == NvmeStatus::Success);
        sc_core::wait(platform.line.negedge_event());
        CHECK(platform.memory.received.empty());
    });
}

TEST_CASE("with MSI-X a completion is announced by a write to its vector's address, and the pin stays low")
{
    KernelFixture kernel;
    DevicePlatform platform("platform");
    play(kernel, platform, [&] {
        platform.ssd.setMsix(true);
        for (std::uint32_t vector = 0; vector < 2; ++vector) {
            platform.write(0x2000 + 16 * vector, std::uint64_t{PlatformMemory::messages});
            platform.write(0x2008 + 16 * vector, 0x40U + vector);
            platform.write(0x200C + 16 * vector, 0U);
        }
        platform.bringUp(1);
        CHECK(platform.ioCommand(IoOpcode::Read, DevicePlatform::data, 0) == NvmeStatus::Success);
        sc_core::wait(1, sc_core::SC_US);
        CHECK(platform.memory.received == std::vector<std::uint32_t>{0x40, 0x40, 0x41});
        CHECK_FALSE(platform.line.read());
    });
}

TEST_CASE("a driver finds the function in configuration space, and turns MSI-X on there")
{
    KernelFixture kernel;
    DevicePlatform platform("platform");
    play(kernel, platform, [&] {
        CHECK(platform.configuration.read<std::uint32_t>(0x08) >> 8U == 0x01'08'02U); // class code of NVMe
        CHECK(sc_core::sc_time_stamp() > sc_core::SC_ZERO_TIME);                      // a round trip on the link
        const auto msix = platform.configuration.read<std::uint8_t>(0x50 + 1);
        CHECK(platform.configuration.read<std::uint8_t>(msix) == 0x11);
        platform.configuration.write<std::uint16_t>(msix + 2U, 0x8000);
        CHECK((platform.configuration.read<std::uint16_t>(msix + 2U) & 0x8000U) != 0);
        platform.write(0x2000, std::uint64_t{PlatformMemory::messages});
        platform.write(0x2008, std::uint64_t{0x77});
        platform.bringUp();
        sc_core::wait(1, sc_core::SC_US);
        CHECK(platform.memory.received == std::vector<std::uint32_t>{0x77, 0x77});
        CHECK_FALSE(platform.line.read());
    });
}

TEST_CASE("accesses to configuration space that a bus cannot make are refused, and a debug read takes no time")
{
    KernelFixture kernel;
    DevicePlatform platform("platform");
    play(kernel, platform, [&] {
        std::uint16_t word = 0;
        std::uint64_t quad = 0;
        const auto access = [&](std::uint64_t address, auto& value) {
            return platform.configuration.access(tlm::TLM_READ_COMMAND, address, value);
        };
        CHECK(access(1, word) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        CHECK(access(0x1000, word) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        CHECK(access(0, quad) == tlm::TLM_BURST_ERROR_RESPONSE);
        const sc_time before = sc_core::sc_time_stamp();
        RegisterPayload payload(tlm::TLM_READ_COMMAND, 0, word);
        CHECK(platform.configuration->transport_dbg(payload) == 2);
        CHECK(word == 0x1234);
        CHECK(sc_core::sc_time_stamp() == before);
    });
}

TEST_CASE("data outside memory fails its command, and the drive goes on")
{
    KernelFixture kernel;
    DevicePlatform platform("platform");
    play(kernel, platform, [&] {
        platform.bringUp();
        CHECK(platform.ioCommand(IoOpcode::Read, 0x1000, 0) == NvmeStatus::DataTransferError);
        CHECK(platform.ioCommand(IoOpcode::Write, 0x1000, 0) == NvmeStatus::DataTransferError);
        roundTrip(platform);
    });
}

TEST_CASE("a scenario that SsdDevice cannot serve is refused with its place and what is allowed")
{
    KernelFixture kernel;
    CHECK_THAT(messageOf("devices/sata-mlc-8x4", {}),
               Catch::Matchers::EndsWith(
                   "/host/interface: SsdDevice has NVMe registers, not those of \"sata\"; must be \"nvme\""));
    CHECK_THAT(messageOf("devices/nvme-mlc-8x4", {"power.cuts=[\"1ms\"]"}),
               Catch::Matchers::EndsWith("/power: SsdDevice does not lose power; must have no cuts"));
    CHECK(messageOf("devices/nvme-mlc-8x4", {"nand.ways=300"}) ==
          "--set nand.ways=300: /nand/ways: must be a whole number (1 to 64), not 300");
    CHECK_THAT(messageOf("devices/none", {}), Catch::Matchers::StartsWith("devices/none: there is no such scenario"));
    CHECK_THAT(
        messageOf("devices/nvme-mlc-8x4", {"firmware.image=none"}),
        Catch::Matchers::StartsWith("--set firmware.image=none: /firmware/image: there is no native image \"none\""));
}

TEST_CASE("firmware that fails stops the simulation with an error that says why")
{
    KernelFixture kernel;
    std::vector<std::string> lines;
    DevicePlatform platform("platform", {{"firmware.image=" PANICKING_IMAGE},
                                         [&](sc_time, std::string_view line) { lines.emplace_back(line); }});
    platform.script = [] { sc_core::wait(1, sc_core::SC_SEC); };
    CHECK_THROWS_WITH(kernel.run(std::chrono::seconds(2)), Catch::Matchers::Contains("no luck"));
    CHECK_FALSE(platform.isDone);
    CHECK_THROWS_WITH(platform.ssd.check(), Catch::Matchers::Contains("no luck"));
    REQUIRE(lines.size() == 1);
    CHECK_THAT(lines[0], Catch::Matchers::Contains("about to fail"));
}
