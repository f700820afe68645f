// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_pci_function.h"
#include "tests/domain/host/fake_ssd.h"
#include "tests/support/catch.h"

#include <vector>

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
using Config = PciConfigSpace;

namespace {

// A host that reads and writes the function as a PCI bus does, with the fake drive behind it.
struct PciHost : HostSide {
    DriverMemory memory;
    FakeSsd ssd{FakeSsd::Config{}};
    nvme::NvmePciFunction function{PcieConfig{}, nvme::ControllerOptions{}, DataMode::Tags, memory};
    PciFunction& bus = function;
    Time now{};
    std::vector<std::uint32_t> messages;
    std::vector<bool> pin;

    PciHost()
    {
        memory.connect(*this);
        function.connect(ssd);
        ssd.connect(function);
        bus.onMessage([this](std::uint64_t, std::uint32_t data, Time) { messages.push_back(data); });
        bus.onPin([this](bool isAsserted, Time) { pin.push_back(isAsserted); });
        function.driveReady(now);
    }
    void run()
    {
        for (Time next = std::min(bus.nextTime(), ssd.nextTime()); next != never;
             next = std::min(bus.nextTime(), ssd.nextTime())) {
            now = std::max(now, next);
            ssd.advance(now);
            bus.advance(now);
        }
    }
    void write(std::uint32_t offset, std::uint64_t value, std::uint32_t bytes = 4)
    {
        bus.writeBar(0, offset, bytes, value, now);
        run();
    }
    void command(std::uint32_t value) { bus.writeConfig(Config::command, 2, value, now); }
    bool interruptStatus() const { return (function.readConfig(0x06, 2) & 0x8U) != 0; }
    void msix(std::uint32_t value) { bus.writeConfig(Config::msixControl, 2, value, now); }
    void enable() // with an admin queue pair
    {
        write(nvme::reg::AQA, 7U << 16U | 7U);
        sq = memory.allocate(8 * 64);
        write(nvme::reg::ASQ, sq, 8);
        write(nvme::reg::ACQ, memory.allocate(8 * 16), 8);
        write(nvme::reg::CC, nvme::ccEnable | nvme::ccEntrySizes);
    }
    void keepAlive() // an admin command that the controller refuses: one completion
    {
        const nvme::SubmissionEntry entry{{0xFFU, 0, 0, 0}};
        memory.write(sq + tail * 64, &entry, sizeof entry);
        write(nvme::reg::doorbells, ++tail);
    }
    std::uint64_t sq = 0;
    std::uint32_t tail = 0;

    void driveReady(std::uint64_t, std::uint32_t, Time) override {}
    void fillWriteData(std::uint16_t, std::uint32_t, std::uint32_t, Content) override {}
    void takeReadData(std::uint16_t, std::uint32_t, std::uint32_t, Content) override {}
    void completed(std::uint16_t, CommandStatus, Time) override {}
};

} // namespace

TEST_CASE("registers answer only while memory space is enabled, in BAR 0 and within it")
{
    PciHost host;
    CHECK(host.bus.readBar(0, nvme::reg::VS, 4) == ~std::uint64_t{0});
    host.command(Config::memorySpace);
    CHECK(host.bus.readBar(0, nvme::reg::VS, 4) == nvme::version);
    CHECK(host.bus.readBar(1, nvme::reg::VS, 4) == ~std::uint64_t{0});
    CHECK(host.bus.readBar(0, nvme::reg::barBytes, 4) == ~std::uint64_t{0});
    CHECK(host.bus.readBar(0, 0xFFFF'FFFC, 8) == ~std::uint64_t{0});
    host.command(0);
    host.write(nvme::reg::AQA, 7);
    host.command(Config::memorySpace);
    CHECK(host.bus.readBar(0, nvme::reg::AQA, 4) == 0);
    host.write(nvme::reg::AQA, 7);
    CHECK(host.bus.readBar(0, nvme::reg::AQA, 4) == 7);
}

TEST_CASE("a register write takes effect when its packet arrives, and a read returns after a round trip")
{
    PciHost host;
    host.command(Config::memorySpace);
    host.bus.writeBar(0, nvme::reg::AQA, 4, 7, host.now);
    CHECK(host.bus.readBar(0, nvme::reg::AQA, 4) == 0);
    CHECK(host.bus.nextTime() >= PcieConfig{}.latency);
    host.run();
    CHECK(host.bus.readBar(0, nvme::reg::AQA, 4) == 7);
    CHECK(host.bus.readTime(4, host.now) >= host.now + 2 * PcieConfig{}.latency);
}

TEST_CASE("without MSI-X a completion asserts INTx, unless the command register disables it")
{
    PciHost host;
    host.command(Config::memorySpace | Config::busMaster);
    host.enable();
    host.keepAlive();
    CHECK(host.pin == std::vector<bool>{true});
    CHECK(host.interruptStatus());
    host.command(Config::memorySpace | Config::busMaster | Config::pinDisable);
    CHECK(host.pin == std::vector<bool>{true, false});
    CHECK(host.interruptStatus()); // of the function, not of the pin
    host.command(Config::memorySpace | Config::busMaster);
    CHECK(host.pin == std::vector<bool>{true, false, true});
    host.write(nvme::reg::doorbells + 4, 1); // the completion has been read
    CHECK(host.pin == std::vector<bool>{true, false, true, false});
    CHECK_FALSE(host.interruptStatus());
    CHECK(host.messages.empty());
}

TEST_CASE("MSI-X control in configuration space decides whether completions are messages")
{
    PciHost host;
    host.command(Config::memorySpace | Config::busMaster);
    host.write(nvme::reg::msixTable, 0xFEE0'0000, 8);
    host.write(nvme::reg::msixTable + 8, 0x42, 8); // data; unmasked
    host.msix(Config::msixEnable | Config::msixMaskAll);
    host.enable();
    host.keepAlive();
    CHECK(host.messages.empty());
    CHECK((host.bus.readBar(0, nvme::reg::msixPending, 4) & 1U) == 1);
    host.msix(Config::msixEnable);
    host.run();
    CHECK(host.messages == std::vector<std::uint32_t>{0x42});
    host.keepAlive();
    CHECK(host.messages == std::vector<std::uint32_t>{0x42, 0x42});
    CHECK(host.pin.empty());
}
