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

void StageObservation::Watch::granted(const channel::NandInterface::Grant& grant, Time start)
{
    if (next_ != nullptr)
        next_->granted(grant, start);
    events_.granted(*grant.op, grant.phase, interface_.grantPossible(grant), start, grant.busTime);
}

void StageObservation::Watch::readyAt(std::uint32_t lane, Time ready)
{
    if (next_ != nullptr)
        next_->readyAt(lane, ready);
}

} // namespace strobe::platform
