#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A SATA port with an AHCI adapter in front of it: the host's driver and memory, the adapter, the link. LinkPortModule
// runs it in simulated time. Owns no clock: every call passes the present time, advance() is due at nextTime().

#include "models/host/ahci/ahci_driver.h"
#include "models/host/ahci/ahci_hba.h"
#include "models/host/pcie/host_memory.h"
#include "models/host/sata_link.h"

#include <algorithm>

namespace strobe::host {

struct AhciPortConfig {
    SataConfig sata;
    AhciConfig ahci;
};

class AhciLink final : public Front, public HostLink {
public:
    AhciLink(const AhciPortConfig& config, DataMode dataMode);
    void connect(HostPort& drive, HostSide& host); // once, before any other call

    void driveReady(Time now) override;
    void transfer(const TransferOrder& order, Time now) override { link_.transfer(order, now); }
    void complete(std::uint16_t slot, CommandStatus status, Time now) override { link_.complete(slot, status, now); }
    void issue(const Command& command, Time now) override { driver_.issue(command, now); }

    void advance(Time now);
    Time nextTime() const { return std::min({link_.nextTime(), hba_.nextTime(), driver_.nextTime()}); }

    const SataLink& link() const { return link_; }
    const ahci::AhciDriver& driver() const { return driver_; }
    ahci::Hba& hba() { return hba_; }
    const ahci::Hba& hba() const { return hba_; }
    void resetUsage();

private:
    SataLink link_;
    DriverMemory memory_;
    ahci::Hba hba_;
    ahci::AhciDriver driver_;
};

// Time that the adapter and its registers add to a single queued command on the port.
Time ahciOverhead(const AhciConfig& config);

} // namespace strobe::host
