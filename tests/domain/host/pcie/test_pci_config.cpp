// SPDX-License-Identifier: Apache-2.0
#include "models/host/pcie/pci_config.h"
#include "tests/support/catch.h"

#include <vector>

using namespace strobe;
using namespace strobe::host;

namespace {

PciConfigSpace space(const PcieConfig& link = {})
{
    return {{0x1234, 0x5678, 0x01'08'02, 3}, 0x4000, {65, 0x2000, 0x3000}, link};
}

std::vector<std::uint32_t> capabilitiesOf(const PciConfigSpace& config)
{
    std::vector<std::uint32_t> ids;
    for (std::uint32_t at = config.read(0x34, 1); at != 0 && ids.size() < 10; at = config.read(at + 1, 1))
        ids.push_back(config.read(at, 1));
    return ids;
}

} // namespace

TEST_CASE("the header of configuration space names the function, by words and by bytes")
{
    const PciConfigSpace config = space();
    CHECK(config.read(0x00, 4) == 0x5678'1234);
    CHECK(config.read(0x08, 4) == 0x0108'0203);
    CHECK(config.read(0x0B, 1) == 0x01);
    CHECK(config.read(0x0A, 2) == 0x0108);
    CHECK(config.read(0x0E, 1) == 0); // header type 0, one function
    CHECK(config.read(0x3D, 1) == 1); // INTA
    CHECK((config.read(0x06, 2) & 0x10U) != 0);
    CHECK(capabilitiesOf(config) == std::vector<std::uint32_t>{0x01, 0x10, 0x11});
    CHECK(config.read(0x100, 4) == 0); // no extended capability
}

TEST_CASE("software that writes ones to a BAR finds its size, and then sets its address")
{
    PciConfigSpace config = space();
    config.write(0x10, 4, 0xFFFF'FFFF);
    config.write(0x14, 4, 0xFFFF'FFFF);
    CHECK(config.read(0x10, 4) == 0xFFFF'C004); // 16 KiB, 64 bits
    CHECK(config.read(0x14, 4) == 0xFFFF'FFFF);
    config.write(0x10, 4, 0xF000'1234);
    config.write(0x14, 4, 0x1);
    CHECK(config.barAddress() == 0x1'F000'0000);
    config.write(0x18, 4, 0xFFFF'FFFF); // there is no other BAR
    CHECK(config.read(0x18, 4) == 0);
}

TEST_CASE("only the bits that the function has can be written")
{
    PciConfigSpace config = space();
    config.write(0x00, 4, 0);
    CHECK(config.read(0x00, 4) == 0x5678'1234);
    config.write(PciConfigSpace::command, 2, 0xFFFF);
    CHECK(config.read(PciConfigSpace::command, 2) == 0x0546);
    CHECK(config.isMemoryEnabled());
    CHECK(config.isPinDisabled());
    config.write(PciConfigSpace::command, 1, 0); // a byte leaves the other
    CHECK(config.read(PciConfigSpace::command, 2) == 0x0500);
    CHECK_FALSE(config.isMemoryEnabled());
}

TEST_CASE("the MSI-X capability gives the size and the place of the table, and takes enable and mask")
{
    PciConfigSpace config = space();
    constexpr std::uint32_t at = PciConfigSpace::msixCapability;
    CHECK(config.read(at + 2, 2) == 64);
    CHECK(config.read(at + 4, 4) == 0x2000);
    CHECK(config.read(at + 8, 4) == 0x3000);
    config.write(at + 2, 2, 0xC005);
    CHECK(config.read(at + 2, 2) == 0xC040);
    CHECK(config.isMsixEnabled());
    CHECK(config.isMsixMasked());
    config.write(at, 4, 0x8000'0000); // as a dword
    CHECK(config.isMsixEnabled());
    CHECK_FALSE(config.isMsixMasked());
}

TEST_CASE("the PCI Express capability shows the link of the scenario")
{
    PcieConfig link;
    link.generation = PcieGeneration::Gen4;
    link.lanes = 2;
    link.maxPayload = 512;
    link.maxReadRequest = 4096;
    link.readCompletionBoundary = 128;
    const PciConfigSpace config = space(link);
    constexpr std::uint32_t at = PciConfigSpace::expressCapability;
    CHECK((config.read(at + 0x04, 4) & 7U) == 2);        // 512 bytes
    CHECK((config.read(at + 0x08, 2) >> 5U & 7U) == 2);  // in use
    CHECK((config.read(at + 0x08, 2) >> 12U & 7U) == 5); // 4,096 bytes
    CHECK((config.read(at + 0x0C, 4) & 0x3FFU) == (4U | 2U << 4U));
    CHECK(config.read(at + 0x10, 2) == 8);
    CHECK(config.read(at + 0x12, 2) == (4U | 2U << 4U));
}

TEST_CASE("accesses that are misaligned, of another length or beyond the space read ones and change nothing")
{
    PciConfigSpace config = space();
    CHECK(config.read(1, 2) == 0xFFFF'FFFF);
    CHECK(config.read(0, 8) == 0xFFFF'FFFF);
    CHECK(config.read(0, 3) == 0xFFFF'FFFF);
    CHECK(config.read(4096, 4) == 0xFFFF'FFFF);
    CHECK(config.read(0xFFFF'FFFC, 4) == 0xFFFF'FFFF);
    config.write(PciConfigSpace::command, 8, 6);
    config.write(PciConfigSpace::command + 1, 2, 0xFFFF);
    config.write(0x2000, 4, 6);
    CHECK(config.read(PciConfigSpace::command, 4) == 0x0010'0000);
}

TEST_CASE("a function of the root complex has one BAR of 32 bits, wherever it is, and MSI")
{
    PciConfigSpace config({0x1234, 0x5678, 0x01'06'01, 1}, 5, 0x1000);
    CHECK(capabilitiesOf(config) == std::vector<std::uint32_t>{0x01, 0x05});
    config.write(0x10, 4, 0xFFFF'FFFF);
    config.write(0x24, 4, 0xFFFF'FFFF);
    CHECK(config.read(0x10, 4) == 0);
    CHECK(config.read(0x24, 4) == 0xFFFF'F000);
    CHECK_FALSE(config.isMsiEnabled());
    config.write(PciConfigSpace::msiCapability + 4, 4, 0xFEE0'0003);
    config.write(PciConfigSpace::msiCapability + 8, 4, 1);
    config.write(PciConfigSpace::msiCapability + 12, 2, 0x4321);
    config.write(PciConfigSpace::msiControl, 2, 0xFFFF);
    CHECK(config.isMsiEnabled());
    CHECK(config.read(PciConfigSpace::msiControl, 2) == 0x0081); // 64-bit address, one vector
    CHECK(config.msiAddress() == 0x1'FEE0'0000);
    CHECK(config.msiData() == 0x4321);
}
