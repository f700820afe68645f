// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/supply.h"

#include "platform/assembly/power_loss.h"

#include <algorithm>
#include <systemc>

namespace strobe::platform {

Supply::Supply(const Scenario& scenario, LastingState& lasting, SsdModule& ssd, host::HostDriverModule& host,
               Measurement& measurement, Sampling& sampling, Agenda& agenda, Time powerOn)
    : scenario_(scenario), lasting_(lasting), ssd_(ssd), host_(host), measurement_(measurement), sampling_(sampling),
      agenda_(agenda), powerOn_(powerOn), isNew_(lasting.powerOn == PowerOn::First)
{
}

void Supply::fail()
{
    PowerReport& power = lasting_.power;
    ++power.cuts;
    lasting_.isOrderly = false;
    if (!isNew_ && !isRecovered_) {
        ++power.cutsInRecovery;
        countRecovery();
    } else if (isRecovered_ && !isReadBack_) {
        countReadBack(std::nullopt);
    }
    holdUp();
    losePower(now());
}

void Supply::switchOff()
{
    holdUp();
    losePower(never);
}

// The host is gone; firmware saves what it has acknowledged, as long as the capacitors last. Before the drive was ready
// it has acknowledged nothing.
void Supply::holdUp()
{
    if (scenario_.firmware.writeCache == WriteCache::Volatile || !lasting_.driver.isPowered() ||
        lasting_.isFirmwareGone())
        return;
    measurement_.suspend();
    sampling_.end();
    host_.powerLost();
    const HoldUp held = platform::holdUp(ssd_, agenda_, scenario_.power.holdUp);
    lasting_.hasFirmwareEnded = lasting_.hasFirmwareEnded || held.hasFirmwareEnded;
    addHoldUp(lasting_.power, held);
}

void Supply::losePower(Time ofDies)
{
    measurement_.suspend();
    sampling_.end();
    const std::uint64_t interrupted = powerOff(lasting_.dies, ofDies);
    lasting_.power.operationsCut += interrupted;
    lasting_.isOrderly = lasting_.isOrderly && interrupted == 0;
    if (!host_.isGone())
        lasting_.driver.powerLost(now());
}

void Supply::countRecovery()
{
    RecoveryReport start = operationsSince(powerOn_, ssd_);
    PowerReport& power = lasting_.power;
    power.pagesScanned += start.pagesScanned;
    isRecovered_ = lasting_.driver.isPowered();
    if (isRecovered_) {
        start.ready = lasting_.driver.poweredAt() - powerOn_;
        ++power.recoveries;
        power.recovery += *start.ready;
        power.longestRecovery = std::max(power.longestRecovery, *start.ready);
        readBackBefore_ = sectorsReadBack();
    }
    power.starts.push_back(start);
}

std::uint64_t Supply::sectorsReadBack() const
{
    return lasting_.driver.isReady() ? lasting_.driver.integrity().power().readBack : 0;
}

void Supply::countReadBack(std::optional<Time> end)
{
    RecoveryReport& start = lasting_.power.starts.back();
    start.sectorsReadBack = sectorsReadBack() - readBackBefore_;
    if (end)
        start.readBack = *end - lasting_.driver.poweredAt();
    isReadBack_ = true;
}

} // namespace strobe::platform
