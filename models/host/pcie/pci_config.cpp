// SPDX-License-Identifier: Apache-2.0
#include "models/host/pcie/pci_config.h"

#include "models/base/check.h"

namespace strobe::host {

namespace {

constexpr std::uint32_t byteBits = 8;

constexpr bool isAligned(std::uint32_t offset, std::uint32_t count)
{
    return (count == 1 || count == 2 || count == 4) && offset % count == 0 && offset <= PciConfigSpace::bytes - count;
}

void checkSize(std::uint32_t barBytes)
{
    check(barBytes >= 16 && (barBytes & (barBytes - 1)) == 0, "the size of a BAR is a power of two");
}

// Encodings of sizes in the PCI Express capability: 128 is 0, 256 is 1 and so on.
constexpr std::uint32_t sizeCode(std::uint32_t size)
{
    std::uint32_t code = 0;
    while (128U << code < size)
        ++code;
    return code;
}

} // namespace

PciConfigSpace::PciConfigSpace(const PciIdentity& identity, std::uint32_t barBytes, const MsixPlace& msix,
                               const PcieConfig& link)
{
    checkSize(barBytes);
    check(msix.vectors >= 1 && msix.vectors <= 2048 && msix.table + 16 * msix.vectors <= barBytes &&
              msix.pending + (msix.vectors + 63) / 64 * 8 <= barBytes,
          "the MSI-X structures lie within their BAR");
    addHeader(identity);
    set(bar0, 4, 0x4, ~(barBytes - 1)); // memory, 64 bits, not prefetchable
    set(bar0 + 4, 4, 0, 0xFFFF'FFFF);
    addPower(expressCapability);
    addExpress(link);
    addMsix(msix);
}

PciConfigSpace::PciConfigSpace(const PciIdentity& identity, std::uint32_t bar, std::uint32_t barBytes)
{
    checkSize(barBytes);
    check(bar < 6, "a function has six BARs");
    addHeader(identity);
    set(bar0 + 4 * bar, 4, 0, ~(barBytes - 1)); // memory, 32 bits, not prefetchable
    addPower(msiCapability);
    addMsi();
}

void PciConfigSpace::set(std::uint32_t offset, std::uint32_t count, std::uint32_t value, std::uint32_t writable)
{
    for (std::uint32_t i = 0; i < count; ++i) {
        value_.at(offset + i) = static_cast<std::uint8_t>(value >> (i * byteBits));
        writable_.at(offset + i) = static_cast<std::uint8_t>(writable >> (i * byteBits));
    }
}

void PciConfigSpace::addHeader(const PciIdentity& identity)
{
    constexpr std::uint32_t parityAndSystemErrors = 0x0140; // stored, without effect
    set(0x00, 2, identity.vendor);
    set(0x02, 2, identity.device);
    set(command, 2, 0, memorySpace | busMaster | parityAndSystemErrors | pinDisable);
    set(0x06, 2, 0x0010); // status: there is a list of capabilities
    set(0x08, 1, identity.revision);
    set(0x09, 2, identity.classCode & 0xFFFFU);
    set(0x0B, 1, identity.classCode >> 16U);
    set(0x0C, 1, 0, 0xFF);         // cache line size: software stores it
    set(0x2C, 2, identity.vendor); // subsystem
    set(0x2E, 2, identity.device);
    set(capabilities, 1, powerCapability);
    set(0x3C, 1, 0, 0xFF); // interrupt line: software stores it
    set(0x3D, 1, 1);       // INTA
}

void PciConfigSpace::addPower(std::uint32_t next)
{
    set(powerCapability, 2, next << byteBits | 0x01);
    set(powerCapability + 2, 2, 0x0003); // version 3, no D1, no D2, no PME
    set(powerCapability + 4, 2, 0x0008); // control: D0; no soft reset
}

void PciConfigSpace::addExpress(const PcieConfig& link)
{
    const std::uint32_t at = expressCapability;
    const auto generation = static_cast<std::uint32_t>(link.generation) + 1;
    const std::uint32_t payload = sizeCode(link.maxPayload);
    const std::uint32_t request = sizeCode(link.maxReadRequest);
    set(at, 2, msixCapability << byteBits | 0x10);
    set(at + 0x02, 2, 0x0002);             // version 2, endpoint
    set(at + 0x04, 4, payload | 1U << 15); // device: largest payload, role-based error reporting
    set(at + 0x08, 2, payload << 5U | request << 12U, 0x7CFF);
    set(at + 0x0C, 4, generation | link.lanes << 4U); // link: fastest speed, width
    set(at + 0x10, 2, link.readCompletionBoundary == 128 ? 8 : 0, 0x01C8);
    set(at + 0x12, 2, generation | link.lanes << 4U);  // link status: as trained
    set(at + 0x2C, 4, ((1U << generation) - 1) << 1U); // supported speeds
    set(at + 0x30, 2, generation, 0x000F);             // target speed
}

void PciConfigSpace::addMsix(const MsixPlace& msix)
{
    set(msixCapability, 2, 0x11); // the last one
    set(msixControl, 2, msix.vectors - 1, msixEnable | msixMaskAll);
    set(msixCapability + 4, 4, msix.table);
    set(msixCapability + 8, 4, msix.pending);
}

void PciConfigSpace::addMsi()
{
    constexpr std::uint32_t wideAddress = 0x0080;
    set(msiCapability, 2, 0x05); // the last one
    set(msiControl, 2, wideAddress, msiEnable);
    set(msiCapability + 4, 4, 0, 0xFFFF'FFFC);
    set(msiCapability + 8, 4, 0, 0xFFFF'FFFF);
    set(msiCapability + 12, 2, 0, 0xFFFF);
}

std::uint32_t PciConfigSpace::read(std::uint32_t offset, std::uint32_t count) const
{
    if (!isAligned(offset, count))
        return 0xFFFF'FFFF;
    std::uint32_t value = 0;
    for (std::uint32_t i = 0; i < count && offset < used; ++i)
        value |= std::uint32_t{value_.at(offset + i)} << (i * byteBits);
    return value;
}

void PciConfigSpace::write(std::uint32_t offset, std::uint32_t count, std::uint32_t value)
{
    if (!isAligned(offset, count) || offset >= used)
        return;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint8_t mask = writable_.at(offset + i);
        const auto written = static_cast<std::uint8_t>(value >> (i * byteBits));
        value_.at(offset + i) = static_cast<std::uint8_t>((value_.at(offset + i) & ~mask) | (written & mask));
    }
}

void PciConfigSpace::setInterruptStatus(bool isPending)
{
    constexpr std::uint32_t status = 0x06;
    constexpr std::uint8_t interrupt = 0x08;
    value_[status] = static_cast<std::uint8_t>((value_[status] & ~interrupt) | (isPending ? interrupt : 0));
}

std::uint64_t PciConfigSpace::msiAddress() const
{
    return std::uint64_t{read(msiCapability + 8, 4)} << 32U | read(msiCapability + 4, 4);
}

std::uint64_t PciConfigSpace::barAddress() const
{
    constexpr std::uint32_t attributes = 0xF;
    return std::uint64_t{read(bar0 + 4, 4)} << 32U | (read(bar0, 4) & ~attributes);
}

} // namespace strobe::host
