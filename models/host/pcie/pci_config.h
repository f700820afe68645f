#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Configuration space of a PCI Express endpoint with one function (PCI Local Bus 3.0, chapter 6; PCI Express Base,
// chapter 7): a type 0 header with one memory BAR, and capabilities: power management, PCI Express and MSI-X, or for a
// function of the root complex power management and MSI. Plain state: which bits software may write, and what they mean
// for the function.
//
// Not modelled: power states other than D0, function-level reset, I/O BARs, expansion ROM, error reporting, extended
// capabilities. Device control stores what software writes, but the link keeps the sizes of the scenario, which are
// also its reset value.

#include "models/host/pcie/pcie_link.h"

#include <array>
#include <cstdint>

namespace strobe::host {

struct PciIdentity {
    std::uint16_t vendor = 0;
    std::uint16_t device = 0;
    std::uint32_t classCode = 0; // base class, sub-class and interface, 24 bits
    std::uint8_t revision = 0;
};

// The MSI-X structures are in the function's BAR 0.
struct MsixPlace {
    std::uint32_t vectors = 0; // 1 to 2,048
    std::uint32_t table = 0;   // offset in BAR 0, a multiple of 8, as the next
    std::uint32_t pending = 0;
};

class PciConfigSpace {
public:
    static constexpr std::uint32_t bytes = 4096;

    // `barBytes`: of BAR 0, a power of two from 16 on. REQUIRES: the MSI-X structures lie within it.
    PciConfigSpace(const PciIdentity& identity, std::uint32_t barBytes, const MsixPlace& msix, const PcieConfig& link);
    // With a BAR of 32 bits of that number, 0 to 5, and one MSI vector.
    PciConfigSpace(const PciIdentity& identity, std::uint32_t bar, std::uint32_t barBytes);

    // Naturally aligned accesses of 1, 2 or 4 bytes; others read all ones and change nothing.
    std::uint32_t read(std::uint32_t offset, std::uint32_t count) const;
    void write(std::uint32_t offset, std::uint32_t count, std::uint32_t value);

    // Bit 3 of the status register: the function has an interrupt for INTx, whether or not the pin is disabled.
    void setInterruptStatus(bool isPending);

    // What software has set.
    std::uint64_t barAddress() const; // of BAR 0
    bool isMemoryEnabled() const { return (word(command) & memorySpace) != 0; }
    bool isPinDisabled() const { return (word(command) & pinDisable) != 0; }
    bool isMsixEnabled() const { return (word(msixControl) & msixEnable) != 0; }
    bool isMsixMasked() const { return (word(msixControl) & msixMaskAll) != 0; }
    bool isMsiEnabled() const { return (word(msiControl) & msiEnable) != 0; } // with MSI
    std::uint64_t msiAddress() const;
    std::uint32_t msiData() const { return word(msiCapability + 12); }

    // Places in the space, and bits of the command and MSI-X control registers.
    static constexpr std::uint32_t command = 0x04;
    static constexpr std::uint32_t bar0 = 0x10;
    static constexpr std::uint32_t capabilities = 0x34;
    static constexpr std::uint32_t powerCapability = 0x40;
    static constexpr std::uint32_t expressCapability = 0x50;
    static constexpr std::uint32_t msixCapability = 0xB0;
    static constexpr std::uint32_t msixControl = msixCapability + 2;
    static constexpr std::uint32_t msiCapability = 0x80;
    static constexpr std::uint32_t msiControl = msiCapability + 2;
    static constexpr std::uint32_t memorySpace = 0x0002;
    static constexpr std::uint32_t busMaster = 0x0004;
    static constexpr std::uint32_t pinDisable = 0x0400;
    static constexpr std::uint32_t msixMaskAll = 0x4000;
    static constexpr std::uint32_t msixEnable = 0x8000;
    static constexpr std::uint32_t msiEnable = 0x0001;

private:
    // On the path of every register access.
    std::uint32_t word(std::uint32_t offset) const { return value_[offset] | std::uint32_t{value_[offset + 1]} << 8U; }
    void set(std::uint32_t offset, std::uint32_t count, std::uint32_t value, std::uint32_t writable = 0);
    void addHeader(const PciIdentity& identity);
    void addPower(std::uint32_t next);
    void addExpress(const PcieConfig& link);
    void addMsix(const MsixPlace& msix);
    void addMsi();

    static constexpr std::uint32_t used = 0x100; // everything above reads zero: no extended capability
    std::array<std::uint8_t, used> value_{};
    std::array<std::uint8_t, used> writable_{};
};

} // namespace strobe::host
