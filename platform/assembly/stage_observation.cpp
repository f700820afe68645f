// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/stage_observation.h"

namespace strobe::platform {

namespace {

ObservedDrive observed(SsdModule& ssd, const host::PortModule& port)
{
    const controller::FlashController& flash = ssd.flash.controller();
    ObservedDrive drive;
    drive.dies = ssd.dies.size();
    drive.units = flash.unitCount();
    drive.buses = flash.superchips().degrees().bus;
    drive.cores = ssd.second ? 2 : 1;
    drive.dataBuffer = ssd.layout.dataBuffer;
    drive.slots = ssd.hostInterface.slots();
    drive.hostSlotOf = [&port](const host::Command& command) { return port.hostSlotOf(command); };
    return drive;
}

} // namespace

StageObservation::StageObservation(SsdModule& ssd, const host::PortModule& port, host::HostDriver& driver,
                                   RequestStages::Done done, StageSink* sink)
    : driver_(driver), stages_(observed(ssd, port), std::move(done))
{
    stages_.tell(sink);
    driver.observe(&stages_);
    ssd.hostInterface.block().observe(stages_);
    ssd.flash.observe(stages_.jobs());
    ssd.cpu->observe(stages_.sleep(), 0);
    if (ssd.second)
        ssd.second->cpu->observe(stages_.sleep(), 1);
    for (auto& channel : ssd.channels) {
        watches_.emplace_back(stages_, channel->interface(), channel->watcher(), sink);
        channel->watch(watches_.back());
    }
}

StageObservation::~StageObservation()
{
    driver_.observe(nullptr);
}

void StageObservation::Watch::granted(const channel::NandInterface::Grant& grant, Time start)
{
    if (!stages_.isStopped()) {
        stages_.jobs().dies().granted(*grant.op, grant.phase, interface_.grantPossible(grant), start, grant.busTime);
        if (sink_ != nullptr)
            sink_->segment(*grant.op, grant.phase, start, start + grant.busTime);
    }
    if (next_ != nullptr)
        next_->granted(grant, start);
}

void StageObservation::Watch::readyAt(std::uint32_t die, Time ready)
{
    if (next_ != nullptr)
        next_->readyAt(die, ready);
}

} // namespace strobe::platform
