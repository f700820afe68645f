// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/stage_observation.h"

namespace strobe::platform {

namespace {

ObservedDrive observed(SsdModule& ssd)
{
    const controller::FlashController& flash = ssd.flash.controller();
    ObservedDrive drive;
    drive.dies = ssd.dies.size();
    drive.units = flash.unitCount();
    drive.buses = flash.superchips().degrees().bus;
    drive.cores = ssd.second ? 2 : 1;
    drive.dataBuffer = ssd.layout.dataBuffer;
    drive.slots = ssd.hostInterface.slots();
    drive.planes = flash.config().hasPlaneReads ? flash.config().die.planes : 1;
    return drive;
}

} // namespace

StageObservation::StageObservation(SsdModule& ssd, const host::PortModule& port, host::HostDriver& driver,
                                   RequestStatistics* statistics, StageSink* sink)
    : driver_(driver), events_(observed(ssd), statistics, sink,
                               [&port](const host::Command& command) { return port.hostSlotOf(command); })
{
    driver.observe(&events_);
    ssd.hostInterface.block().observe(events_);
    ssd.flash.observe(events_);
    ssd.cpu->observe(events_, 0);
    if (ssd.second)
        ssd.second->cpu->observe(events_, 1);
    for (auto& channel : ssd.channels) {
        watches_.emplace_back(events_, channel->interface(), channel->watcher());
        channel->watch(watches_.back());
    }
}

StageObservation::~StageObservation()
{
    driver_.observe(nullptr);
}

} // namespace strobe::platform
