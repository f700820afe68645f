// SPDX-License-Identifier: Apache-2.0
#include "models/host/ahci/ahci_pci_function.h"
#include "models/host/nvme/nvme_pci_function.h"
#include "platform/guest/bar_map.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
using platform::guest::BarMap;
using platform::guest::GuestPortModule;

namespace {

struct NoMemory final : HostMemory {
    bool read(std::uint64_t, void*, std::uint32_t) override { return false; }
    bool write(std::uint64_t, const void*, std::uint32_t) override { return false; }
    bool readSectors(std::uint64_t, std::uint32_t, Content) override { return false; }
    bool writeSectors(std::uint64_t, std::uint32_t, Content) override { return false; }
};

struct Slot {
    KernelFixture kernel;
    NoMemory memory;
    GuestPortModule port;
    BarMap bars;

    explicit Slot(std::unique_ptr<PciDriveFunction> (*make)(HostMemory&)) : port("port", make(memory), {}), bars(port)
    {
    }
};

std::unique_ptr<PciDriveFunction> makeNvme(HostMemory& memory)
{
    return std::make_unique<nvme::NvmePciFunction>(PcieConfig{}, nvme::ControllerOptions{}, DataMode::Bytes, memory);
}

std::unique_ptr<PciDriveFunction> makeAhci(HostMemory& memory)
{
    return std::make_unique<ahci::AhciPciFunction>(SataConfig{}, AhciConfig{}, DataMode::Bytes, memory, true);
}

} // namespace

TEST_CASE("a BAR of 64 bits is where software has put it")
{
    Slot slot(makeNvme);
    REQUIRE(slot.bars.bars().size() == 1);
    CHECK(slot.bars.bars()[0].isWide);
    CHECK(slot.bars.bars()[0].bytes == nvme::reg::barBytes);
    slot.port.writeConfig(PciConfigSpace::bar0, 4, 0xE0000000);
    slot.port.writeConfig(PciConfigSpace::bar0 + 4, 4, 0x7);
    const std::uint64_t base = 0x7'E000'0000;
    CHECK_FALSE(slot.bars.find(base - 1, 1));
    CHECK(slot.bars.find(base + 8, 4)->offset == 8);
    CHECK(slot.bars.find(base + nvme::reg::barBytes - 4, 4));
    CHECK_FALSE(slot.bars.find(base + nvme::reg::barBytes - 2, 4));
    CHECK_FALSE(slot.bars.find(base + nvme::reg::barBytes, 1));
    CHECK_FALSE(slot.bars.find(~0ULL, 1));
}

TEST_CASE("a BAR of 32 bits with another number")
{
    Slot slot(makeAhci);
    REQUIRE(slot.bars.bars().size() == 1);
    CHECK_FALSE(slot.bars.bars()[0].isWide);
    slot.port.writeConfig(PciConfigSpace::bar0 + 4 * ahci::AhciPciFunction::bar, 4, 0xFEBF1000);
    CHECK(slot.bars.find(0xFEBF1100, 4)->bar == ahci::AhciPciFunction::bar);
    CHECK_FALSE(slot.bars.find(0xFEBF2000, 4));
}
