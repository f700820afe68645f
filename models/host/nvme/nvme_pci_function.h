#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// An NVMe controller as a PCI function: its configuration space, its registers as BAR 0, and MSI-X or INTx. Everything
// that the host does with a drive on a PCI Express slot goes through here; host memory is the front's. Class code
// 01 08 02; vendor and device are those of an NVMe controller without quirks in drivers.
//
// Until software has set the bus master bit the controller must not be used: it would access memory all the same,
// which is not modelled. Owns no clock: see PciFunction.

#include "models/host/nvme/nvme_controller.h"
#include "models/host/pcie/pci_config.h"
#include "models/host/pcie/pci_drive_function.h"

namespace strobe::host::nvme {

class NvmePciFunction final : public PciDriveFunction {
public:
    // `memory` must outlive the function.
    NvmePciFunction(const PcieConfig& link, const ControllerOptions& controller, DataMode dataMode, HostMemory& memory);
    void connect(HostPort& drive) override { controller_.connect(drive); }

    void onMessage(MessageHandler handler) override { controller_.onMessage(std::move(handler)); }
    void onPin(PinHandler handler) override { pinHandler_ = std::move(handler); }
    std::uint32_t readConfig(std::uint32_t offset, std::uint32_t bytes) const override
    {
        return config_.read(offset, bytes);
    }
    void writeConfig(std::uint32_t offset, std::uint32_t bytes, std::uint32_t value, Time now) override;
    void writeBar(std::uint32_t bar, std::uint32_t offset, std::uint32_t bytes, std::uint64_t value, Time now) override;
    std::uint64_t readBar(std::uint32_t bar, std::uint32_t offset, std::uint32_t bytes) const override;
    Time readTime(std::uint32_t bytes, Time now) override { return controller_.readTime(bytes, now); }
    bool isSubmission(std::uint32_t bar, std::uint32_t offset) const override
    {
        return bar == 0 && reg::isSubmissionDoorbell(offset);
    }
    void advance(Time now) override { controller_.advance(now); }
    Time nextTime() const override { return controller_.nextTime(); }

    // The drive's side.
    void driveReady(Time now) override { controller_.driveReady(now); }
    void transfer(const TransferOrder& order, Time now) override { controller_.transfer(order, now); }
    void placed(std::uint16_t slot, std::uint64_t lba, Time now) override { controller_.placed(slot, lba, now); }
    void complete(std::uint16_t slot, CommandStatus status, Time now) override
    {
        controller_.complete(slot, status, now);
    }

    void temperatureTaken(Time now) override { controller_.temperatureTaken(now); }

    const PciConfigSpace& config() const { return config_; }
    const PcieLink& link() const { return link_; }
    const Controller& controller() const { return controller_; }

    std::vector<Line> lines() const override;
    std::vector<Statistic> statistics() const override;
    std::vector<PowerState> powerStates(Time now) const override;
    std::vector<QueueUse> queues() const override { return controller_.queueUse(); }
    void resetUsage() override;

private:
    bool claims(std::uint32_t bar, std::uint32_t offset, std::uint32_t bytes) const;
    void updatePin(Time now);

    PciConfigSpace config_;
    PcieLink link_;
    Controller controller_;
    PinHandler pinHandler_;
    bool isPinWanted_ = false;   // by the controller
    bool isPinAsserted_ = false; // as last announced
};

} // namespace strobe::host::nvme
