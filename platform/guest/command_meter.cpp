// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/command_meter.h"

#include <algorithm>

namespace strobe::platform::guest {

void CommandMeter::connect(host::HostPort& drive, host::Front& port)
{
    drive_ = &drive;
    port_ = &port;
    sent_.resize(drive.slots());
}

void CommandMeter::beginPhase(const std::string& name, bool isMeasured, Time now)
{
    end(now);
    host::PhaseResult& phase = phases_.emplace_back();
    phase.name = name;
    phase.workload = "a guest's software";
    phase.pacing = host::PacingMode::Open;
    phase.queueDepth = slots();
    phase.measured = isMeasured;
    phase.start = now;
    phase.end = now;
}

void CommandMeter::end(Time now)
{
    if (phases_.empty())
        return;
    phases_.back().end = now;
    phases_.back().isOver = true;
}

void CommandMeter::dropEmptyPhase()
{
    if (!phases_.empty() && phases_.back().issued == 0 && phases_.back().completed == 0)
        phases_.pop_back();
}

void CommandMeter::driveReady(Time at)
{
    readyAt_ = at;
    if (ready_)
        ready_(at);
    port_->driveReady(at);
}

void CommandMeter::submit(const host::Command& command, Time at)
{
    sent_.at(command.slot) = {command, at};
    ++outstanding_;
    if (!phases_.empty())
        ++phases_.back().issued;
    if (command_)
        command_(command, at);
    drive_->submit(command, at);
}

void CommandMeter::complete(std::uint16_t slot, host::CommandStatus status, Time at)
{
    const Sent& sent = sent_.at(slot);
    host::Request request;
    request.kind = sent.command.kind;
    request.sectors = sent.command.sectors;
    --outstanding_;
    if (!phases_.empty())
        phases_.back().add(request, status == host::CommandStatus::Ok, sent.at, sent.at, at);
    port_->complete(slot, status, at);
}

} // namespace strobe::platform::guest
