// SPDX-License-Identifier: Apache-2.0
#include "models/host/ahci/ahci_link.h"

namespace strobe::host {

AhciLink::AhciLink(const AhciPortConfig& config, DataMode dataMode)
    : link_(config.sata, dataMode), hba_(config.ahci.memoryLatency, link_, memory_), driver_(config.ahci, hba_, memory_)
{
    hba_.onInterrupt([this](Time now) { driver_.interrupt(now); });
}

void AhciLink::connect(HostPort& drive, HostSide& host)
{
    link_.connect(drive, hba_);
    driver_.connect(host);
    memory_.connect(host);
}

void AhciLink::driveReady(Time now)
{
    link_.driveReady(now);
    driver_.start(now);
}

void AhciLink::advance(Time now)
{
    while (nextTime() <= now) { // this work may cause further due work
        link_.advance(now);
        hba_.advance(now);
        driver_.advance(now);
    }
}

void AhciLink::resetUsage()
{
    link_.resetUsage();
    hba_.resetCounters();
}

Time ahciOverhead(const AhciConfig& config)
{
    constexpr int registerReads = 3; // IS, PxIS, PxSACT
    return config.submit + config.registerWrite + 2 * config.memoryLatency + config.interrupt +
           registerReads * config.registerRead;
}

} // namespace strobe::host
