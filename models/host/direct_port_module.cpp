// SPDX-License-Identifier: Apache-2.0
#include "models/host/direct_port_module.h"

#include "models/tlm/time_bridge.h"

#include <algorithm>

namespace strobe::host {

DirectPortModule::DirectPortModule(const sc_core::sc_module_name& name, const DirectConfig& config, DataMode dataMode)
    : PortModule(name), link_(config, dataMode)
{
}

std::vector<PortModule::Line> DirectPortModule::lines() const
{
    return {{"host link to host", &link_.toHost()}, {"host link to drive", &link_.toDrive()}};
}

void DirectPortModule::driveReady(Time at)
{
    link_.driveReady(at);
    arm();
}

void DirectPortModule::transfer(const TransferOrder& order, Time at)
{
    link_.transfer(order, at);
    arm();
}

void DirectPortModule::complete(std::uint16_t slot, CommandStatus status, Time at)
{
    link_.complete(slot, status, at);
    arm();
}

void DirectPortModule::issue(const Command& command, Time at)
{
    link_.issue(command, at);
    arm();
}

void DirectPortModule::step()
{
    isStepping_ = true; // what is due by now is done below: no need to be woken for it
    link_.advance(now());
    isStepping_ = false;
    arm();
}

// A wake-up that has become too early does no harm: it finds nothing due and sleeps again.
void DirectPortModule::arm()
{
    if (!isStepping_)
        wake_.at(link_.nextTime());
}

} // namespace strobe::host
