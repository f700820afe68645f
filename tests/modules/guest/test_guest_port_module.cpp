// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_commands.h"
#include "models/host/nvme/nvme_pci_function.h"
#include "models/tlm/time_bridge.h"
#include "platform/guest/guest_port_module.h"
#include "tests/domain/host/fake_ssd.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

#include <map>

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
using platform::guest::GuestCosts;
using platform::guest::GuestPortModule;

namespace {

constexpr Time microseconds(std::int64_t count)
{
    return std::chrono::microseconds(count);
}

// A flat memory of real bytes.
struct Memory final : HostMemory {
    std::vector<std::byte> bytes = std::vector<std::byte>(1 << 16);
    bool read(std::uint64_t address, void* destination, std::uint32_t count) override
    {
        std::memcpy(destination, bytes.data() + address, count);
        return true;
    }
    bool write(std::uint64_t address, const void* source, std::uint32_t count) override
    {
        std::memcpy(bytes.data() + address, source, count);
        return true;
    }
    bool readSectors(std::uint64_t address, std::uint32_t sectors, Content destination) override
    {
        return read(address, destination.data, sectors * 512);
    }
    bool writeSectors(std::uint64_t address, std::uint32_t sectors, Content source) override
    {
        return write(address, source.data, sectors * 512);
    }
};

struct Guest {
    KernelFixture kernel;
    Memory memory;
    FakeSsd ssd{FakeSsd::Config{}};
    GuestPortModule port;
    std::vector<Time> interrupts;

    explicit Guest(const GuestCosts& costs)
        : port(
              "port",
              std::make_unique<nvme::NvmePciFunction>(PcieConfig{}, nvme::ControllerOptions{}, DataMode::Bytes, memory),
              costs)
    {
        port.connect(ssd);
        ssd.connect(port);
        port.onInterrupt([this](std::uint64_t, std::uint32_t) { interrupts.push_back(now()); });
        port.driveReady(Time{});
        port.writeConfig(PciConfigSpace::command, 2, PciConfigSpace::memorySpace | PciConfigSpace::busMaster);
        port.writeConfig(PciConfigSpace::msixControl, 2, PciConfigSpace::msixEnable);
        port.write(0, nvme::reg::msixTable, 8, 0xFEE0'0000);
        port.write(0, nvme::reg::msixTable + 8, 8, 5);
        port.write(0, nvme::reg::AQA, 4, 7U << 16U | 7U);
        port.write(0, nvme::reg::ASQ, 8, 0x1000);
        port.write(0, nvme::reg::ACQ, 8, 0x2000);
        port.write(0, nvme::reg::CC, 4, nvme::ccEnable | nvme::ccEntrySizes);
        kernel.run();
    }
    // An admin command that the controller refuses at once; returns when its interrupt came.
    Time command(std::uint32_t number)
    {
        memory.bytes[0x1000 + 64 * (number - 1)] = std::byte{0xFF};
        port.write(0, nvme::reg::doorbells, 4, number);
        kernel.run();
        return interrupts.back();
    }
};

Time commandTime(const GuestCosts& costs)
{
    Guest guest(costs);
    const Time begin = now();
    return guest.command(1) - begin;
}

} // namespace

TEST_CASE("a read is answered after the round trip, and after the writes before it")
{
    Guest guest({});
    const Time begin = now();
    Time answered{};
    std::uint64_t value = 0;
    guest.port.write(0, nvme::reg::AQA, 4, 3);
    guest.port.read(0, nvme::reg::AQA, 4, [&](std::uint64_t read) {
        value = read;
        answered = now();
    });
    guest.kernel.run();
    CHECK(value == 3);
    CHECK(answered - begin > 2 * PcieConfig{}.latency);
    CHECK(answered - begin < std::chrono::microseconds(1));
}

TEST_CASE("the guest's software takes its time before a doorbell and before an interrupt")
{
    const Time free = commandTime({});
    CHECK(free > Time{});
    CHECK(commandTime({microseconds(3), {}}) == free + microseconds(3));
    CHECK(commandTime({{}, microseconds(5)}) == free + microseconds(5));
}

TEST_CASE("the guest's processor does one thing at a time, and the report counts them")
{
    Guest guest({microseconds(10), microseconds(1)});
    guest.port.resetUsage();
    const Time begin = now();
    for (std::uint32_t number = 1; number <= 3; ++number) {
        guest.memory.bytes[0x1000 + 64 * (number - 1)] = std::byte{0xFF};
        guest.port.write(0, nvme::reg::doorbells, 4, number);
    }
    guest.kernel.run();
    REQUIRE(guest.interrupts.size() == 3);
    CHECK(guest.interrupts.back() - begin >= microseconds(31));
    std::map<std::string, StatisticValue> counters;
    for (const Statistic& statistic : guest.port.statistics())
        counters[statistic.name] = statistic.value;
    CHECK(std::get<std::uint64_t>(counters.at("guest_doorbells")) == 3);
    CHECK(std::get<std::uint64_t>(counters.at("guest_interrupts")) == 3);
    CHECK(std::get<Time>(counters.at("guest_processor")) == microseconds(33));
}
