#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// An AHCI host bus adapter as a PCI function, with its SATA link and the drive at its other end: the registers are BAR
// 5, the interrupt is an MSI message or INTx. Class code 01 06 01. The adapter is a part of the host, so that its path
// is not a PCI Express link: a register write takes effect after `registerWrite`, a read has its answer after
// `registerRead`, a message is at the host at once (ahci_config.h). Registers have 32 bits; a write of another width
// changes nothing. Owns no clock: see PciFunction.

#include "models/base/event_heap.h"
#include "models/host/ahci/ahci_config.h"
#include "models/host/ahci/ahci_hba.h"
#include "models/host/pcie/pci_config.h"
#include "models/host/pcie/pci_drive_function.h"
#include "models/host/sata_link.h"

namespace strobe::host::ahci {

class AhciPciFunction final : public PciDriveFunction {
public:
    static constexpr std::uint32_t bar = 5;
    static constexpr std::uint32_t barBytes = 0x1000;

    // `memory` must outlive the function. The driver is the host's: `submit`, `interrupt` and `faults` have no effect.
    AhciPciFunction(const SataConfig& link, const AhciConfig& adapter, DataMode dataMode, HostMemory& memory,
                    bool hasVolatileCache);
    void connect(HostPort& drive) override { link_.connect(drive, hba_); }

    void onMessage(MessageHandler handler) override { message_ = std::move(handler); }
    void onPin(PinHandler handler) override { pin_ = std::move(handler); }
    std::uint32_t readConfig(std::uint32_t offset, std::uint32_t bytes) const override
    {
        return config_.read(offset, bytes);
    }
    void writeConfig(std::uint32_t offset, std::uint32_t bytes, std::uint32_t value, Time now) override;
    void writeBar(std::uint32_t bar, std::uint32_t offset, std::uint32_t bytes, std::uint64_t value, Time now) override;
    std::uint64_t readBar(std::uint32_t bar, std::uint32_t offset, std::uint32_t bytes) const override;
    Time readTime(std::uint32_t, Time now) override { return now + adapter_.registerRead; }
    bool isSubmission(std::uint32_t of, std::uint32_t offset) const override
    {
        return of == bar && offset == reg::port0 + port::CI;
    }
    void advance(Time now) override;
    Time nextTime() const override;

    // The drive's side.
    void driveReady(Time now) override { link_.driveReady(now); }
    void transfer(const TransferOrder& order, Time now) override { link_.transfer(order, now); }
    void complete(std::uint16_t slot, CommandStatus status, Time now) override { link_.complete(slot, status, now); }

    std::vector<Line> lines() const override { return {{"host link", &link_.line()}}; }
    std::vector<Statistic> statistics() const override;
    void resetUsage() override;

    const Hba& hba() const { return hba_; }

private:
    struct Write {
        std::uint32_t offset = 0;
        std::uint32_t value = 0;
    };
    bool claims(std::uint32_t of, std::uint32_t offset, std::uint32_t bytes) const;
    void interrupt(Time now);
    void updatePin(Time now);

    PciConfigSpace config_;
    AhciConfig adapter_;
    SataLink link_;
    mutable Hba hba_; // counts its reads
    EventHeap<Write> writes_;
    MessageHandler message_;
    PinHandler pin_;
    bool isPinAsserted_ = false; // as last announced
};

} // namespace strobe::host::ahci
