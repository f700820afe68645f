// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/guest_drive.h"

#include "models/tlm/time_bridge.h"
#include "platform/assembly/collect.h"
#include "platform/assembly/drive_health.h"
#include "platform/assembly/firmware_image.h"
#include "platform/assembly/power_loss.h"

#include <algorithm>

namespace strobe::platform::guest {

GuestDrive::GuestDrive(const Scenario& scenario, LastingState& lasting, host::HostMemory& memory, Time powerOn)
    : kernel_(powerOn == Time{}, powerOn), scenario_(scenario), lasting_(lasting), powerOn_(powerOn),
      isNew_(lasting.powerOn == PowerOn::First),
      ssd_(
          "ssd", scenario, lasting.dies, lasting.powerOn, findFirmwareImage(scenario.firmware),
          [&lasting](Time at, std::string_view line) { lasting.log.push_back(toText(at) + ": " + std::string(line)); }),
      port_("nvme", scenario.host.nvme.pcie, controllerConfig(),
            {scenario.host.nvme.submit, scenario.host.nvme.interrupt}, memory),
      measurement_(ssd_, port_, lasting.sums)
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

host::nvme::ControllerOptions GuestDrive::controllerConfig() const
{
    host::nvme::ControllerOptions config;
    config.hasVolatileCache = scenario_.firmware.writeCache == WriteCache::Volatile;
    config.health = [this] { return healthOf(diesOf(lasting_.dies), scenario_.firmware.spareBlocks); };
    return config;
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
