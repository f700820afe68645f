// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/guest_drive.h"

#include "models/host/ahci/ahci_pci_function.h"
#include "models/host/nvme/nvme_pci_function.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/collect.h"
#include "platform/assembly/drive_health.h"
#include "platform/assembly/firmware_image.h"
#include "platform/assembly/power_loss.h"

#include <algorithm>

namespace strobe::platform::guest {

namespace {

bool isNvme(const Scenario& scenario) // or a SATA drive at an AHCI adapter
{
    return scenario.host.interface == HostProtocol::Nvme;
}

} // namespace

GuestDrive::GuestDrive(const Scenario& scenario, LastingState& lasting, host::HostMemory& memory, Time powerOn)
    : kernel_(powerOn == Time{}, powerOn), scenario_(scenario), lasting_(lasting), powerOn_(powerOn),
      isNew_(lasting.powerOn == PowerOn::First),
      ssd_(
          "ssd", scenario, lasting.dies, lasting.powerOn, findFirmwareImage(scenario.firmware),
          [&lasting](Time at, std::string_view line) { lasting.log.push_back(toText(at) + ": " + std::string(line)); }),
      port_(isNvme(scenario) ? "nvme" : "ahci", makeFunction(memory), costs()), measurement_(ssd_, port_, lasting.sums)
{
    lasting.powerOn = PowerOn::AfterLoss;
    ssd_.hostInterface.connect(meter_);
    meter_.connect(ssd_.hostInterface, port_);
    meter_.onReady([this](Time) {
        isReady_ = true;
        countRecovery();
    });
    port_.connect(meter_);
}

std::unique_ptr<host::PciDriveFunction> GuestDrive::makeFunction(host::HostMemory& memory) const
{
    const HostConfig& host = scenario_.host;
    const bool hasVolatileCache = scenario_.firmware.writeCache == WriteCache::Volatile;
    if (!isNvme(scenario_))
        return std::make_unique<host::ahci::AhciPciFunction>(host.sata, host.ahci, DataMode::Bytes, memory,
                                                             hasVolatileCache);
    host::nvme::ControllerOptions config;
    config.hasVolatileCache = hasVolatileCache;
    config.powerLosses = static_cast<std::uint32_t>(lasting_.power.cuts);
    config.powerStates = host.nvme.powerStates;
    config.writeCommands = host.nvme.writeCommands;
    config.health = [this] { return healthOf(diesOf(lasting_.dies), scenario_.firmware.spareBlocks); };
    config.namespaces = host.nvme.namespaces;
    return std::make_unique<host::nvme::NvmePciFunction>(host.nvme.pcie, config, DataMode::Bytes, memory);
}

GuestCosts GuestDrive::costs() const
{
    const HostConfig& host = scenario_.host;
    return isNvme(scenario_) ? GuestCosts{host.nvme.submit, host.nvme.interrupt}
                             : GuestCosts{host.ahci.submit, host.ahci.interrupt};
}

void GuestDrive::beginPhase(const std::string& name, bool isMeasured, Time at)
{
    measurement_.end();
    meter_.beginPhase(name, isMeasured, at);
    if (isMeasured)
        measurement_.begin();
}

void GuestDrive::cutPower()
{
    PowerReport& power = lasting_.power;
    ++power.cuts;
    power.commandsLost += meter_.outstanding();
    lasting_.isOrderly = false;
    measurement_.end();
    if (!isReady_ && !isNew_) {
        ++power.cutsInRecovery;
        countRecovery();
    }
    if (isReady_ && scenario_.firmware.writeCache == WriteCache::Protected) {
        const HoldUp held = holdUp(ssd_, *agenda_, scenario_.power.holdUp);
        lasting_.hasFirmwareEnded = lasting_.hasFirmwareEnded || held.hasFirmwareEnded;
        addHoldUp(power, held);
    }
    power.operationsCut += powerOff(lasting_.dies, now());
}

void GuestDrive::takeFindings()
{
    measurement_.end();
    meter_.end(now());
    ssd_.uart.flush();
    lasting_.failures.add(ssd_);
}

void GuestDrive::countRecovery()
{
    if (isNew_)
        return;
    RecoveryReport start = operationsSince(powerOn_, ssd_);
    PowerReport& power = lasting_.power;
    power.pagesScanned += start.pagesScanned;
    if (isReady_) {
        start.ready = meter_.readyAt() - powerOn_;
        ++power.recoveries;
        power.recovery += *start.ready;
        power.longestRecovery = std::max(power.longestRecovery, *start.ready);
    }
    power.starts.push_back(start);
}

} // namespace strobe::platform::guest
