#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// An NVMe port with both its ends: the host's driver and memory, and the drive's PCI function with its link.
// LinkPortModule runs it in simulated time. Owns no clock: every call passes the present time, advance() is due at
// nextTime().

#include "models/host/nvme/nvme_config.h"
#include "models/host/nvme/nvme_driver.h"
#include "models/host/nvme/nvme_pci_function.h"
#include "models/host/pcie/host_memory.h"

namespace strobe::host {

class NvmeLink final : public Front, public HostLink {
public:
    static constexpr std::uint32_t maxSlots = nvme::Controller::maxSlots;
    static constexpr std::uint32_t maxQueues = 64;
    static constexpr std::uint32_t maxEntries = 4096;

    NvmeLink(const NvmeConfig& config, DataMode dataMode);
    void connect(HostPort& drive, HostSide& host); // once, before any other call

    void driveReady(Time now) override;
    void transfer(const TransferOrder& order, Time now) override { function_.transfer(order, now); }
    void placed(std::uint16_t slot, std::uint64_t lba, Time now) override;
    void temperatureTaken(Time now) override { function_.temperatureTaken(now); }
    void complete(std::uint16_t slot, CommandStatus status, Time now) override
    {
        function_.complete(slot, status, now);
    }
    void issue(const Command& command, Time now) override { driver_.issue(command, now); }

    void advance(Time now);
    Time nextTime() const { return std::min(function_.nextTime(), driver_.nextTime()); }

    const nvme::NvmePciFunction& function() const { return function_; }
    nvme::NvmeDriver& driver() { return driver_; }
    const nvme::NvmeDriver& driver() const { return driver_; }
    void resetUsage();

private:
    HostSide* host_ = nullptr;
    DriverMemory memory_;
    nvme::NvmePciFunction function_;
    nvme::NvmeDriver driver_;
};

// A command alone on an idle port, without the drive's own time: the sum of its packets. REQUIRES: a read or write of
// at most two pages that the drive moves in one transfer from or to memory that takes no time.
Time nvmeCommandTime(const NvmeConfig& config, bool isRead, std::uint32_t sectors);

} // namespace strobe::host
