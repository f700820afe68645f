// SPDX-License-Identifier: Apache-2.0
#include "models/host/ahci/ahci_pci_function.h"
#include "tests/domain/host/fake_ssd.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::ahci;
using namespace strobe::test;
using Config = PciConfigSpace;

namespace {

constexpr std::uint32_t at(std::uint32_t offset)
{
    return reg::port0 + offset;
}

// A host that reads and writes the function as a PCI bus does, with the fake drive at the end of the link.
struct PciHost : HostSide {
    DriverMemory memory;
    FakeSsd ssd{FakeSsd::Config{}};
    AhciPciFunction function{SataConfig{}, AhciConfig{}, FakeSsd::Config{}.mode, memory, true};
    PciFunction& bus = function;
    Time now{};
    std::vector<std::uint32_t> messages;
    std::vector<bool> pin;
    std::uint64_t list = 0;

    PciHost()
    {
        memory.connect(*this);
        function.connect(ssd);
        ssd.connect(function);
        bus.onMessage([this](std::uint64_t, std::uint32_t data, Time) { messages.push_back(data); });
        bus.onPin([this](bool isAsserted, Time) { pin.push_back(isAsserted); });
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
    void write(std::uint32_t offset, std::uint32_t value)
    {
        bus.writeBar(AhciPciFunction::bar, offset, 4, value, now);
        run();
    }
    std::uint64_t read(std::uint32_t offset, std::uint32_t bytes = 4)
    {
        return bus.readBar(AhciPciFunction::bar, offset, bytes);
    }
    void command(std::uint32_t value) { bus.writeConfig(Config::command, 2, value, now); }
    void start() // interrupts on, command list running
    {
        command(Config::memorySpace | Config::busMaster);
        function.driveReady(now);
        run();
        list = memory.allocate(1024);
        write(at(port::CLB), static_cast<std::uint32_t>(list));
        write(at(port::CLBU), static_cast<std::uint32_t>(list >> 32));
        const std::uint64_t received = memory.allocate(receivedBytes);
        write(at(port::FB), static_cast<std::uint32_t>(received));
        write(at(port::FBU), static_cast<std::uint32_t>(received >> 32));
        write(at(port::IS), 0xFFFF'FFFF);
        write(at(port::IE), 0xFFFF'FFFF);
        write(reg::GHC, ghcEnable | ghcInterrupts);
        write(at(port::CMD), cmdReceive | cmdStart);
    }
    void flush() // in slot 0
    {
        const std::uint64_t table = memory.allocate(256);
        const RegisterFis fis = RegisterFis::command(AtaCommand::FlushCacheExt);
        memory.write(table, fis.byte.data(), 20);
        const CommandHeader header{5U, 0, table};
        memory.write(list, &header, headerBytes);
        write(at(port::CI), 1);
    }

    void driveReady(std::uint64_t, std::uint32_t, Time) override {}
    void fillWriteData(std::uint16_t, std::uint32_t, std::uint32_t, Content) override {}
    void takeReadData(std::uint16_t, std::uint32_t, std::uint32_t, Content) override {}
    void completed(std::uint16_t, CommandStatus, Time) override {}
};

} // namespace

TEST_CASE("the adapter is a SATA controller whose registers are BAR 5, while memory space is enabled")
{
    PciHost host;
    CHECK(host.bus.readConfig(0x08, 4) >> 8 == 0x01'06'01);
    CHECK(host.read(reg::VS) == ~std::uint64_t{0});
    host.command(Config::memorySpace);
    CHECK(host.read(reg::VS) == version);
    CHECK((host.read(reg::VS + 2, 2) & 0xFFFF) == version >> 16);
    CHECK(host.bus.readBar(0, reg::VS, 4) == ~std::uint64_t{0});
    CHECK(host.read(AhciPciFunction::barBytes) == ~std::uint64_t{0});
}

TEST_CASE("a register write arrives later, a read returns after its round trip")
{
    PciHost host;
    host.command(Config::memorySpace);
    host.bus.writeBar(AhciPciFunction::bar, at(port::IE), 4, 5, host.now);
    CHECK(host.read(at(port::IE)) == 0);
    CHECK(host.bus.nextTime() == AhciConfig{}.registerWrite);
    host.run();
    CHECK(host.read(at(port::IE)) == 5);
    CHECK(host.bus.readTime(4, host.now) == host.now + AhciConfig{}.registerRead);
    host.bus.writeBar(AhciPciFunction::bar, at(port::IE), 2, 7, host.now); // not 32 bits
    host.run();
    CHECK(host.read(at(port::IE)) == 5);
}

TEST_CASE("with MSI a completion is a message, without it INTx until the driver clears it")
{
    PciHost host;
    host.start();
    host.flush();
    CHECK(host.pin == std::vector<bool>{true});
    CHECK((host.bus.readConfig(0x06, 2) & 0x8U) != 0);
    host.write(at(port::IS), 0xFFFF'FFFF);
    host.write(reg::IS, 1);
    CHECK(host.pin == std::vector<bool>{true, false});
    CHECK((host.bus.readConfig(0x06, 2) & 0x8U) == 0);
    CHECK(host.messages.empty());
    host.bus.writeConfig(Config::msiCapability + 12, 2, 0x42, host.now);
    host.bus.writeConfig(Config::msiControl, 2, Config::msiEnable, host.now);
    host.flush();
    CHECK(host.messages == std::vector<std::uint32_t>{0x42});
    CHECK(host.pin == std::vector<bool>{true, false});
    CHECK(host.read(at(port::CI)) == 0);
}

TEST_CASE("only a write of PxCI gives the adapter commands")
{
    PciHost host;
    CHECK(host.function.isSubmission(AhciPciFunction::bar, at(port::CI)));
    CHECK_FALSE(host.function.isSubmission(0, at(port::CI)));
    CHECK_FALSE(host.function.isSubmission(AhciPciFunction::bar, at(port::SACT)));
}
