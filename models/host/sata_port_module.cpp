// SPDX-License-Identifier: Apache-2.0
#include "models/host/sata_port_module.h"

#include "models/tlm/time_bridge.h"

namespace strobe::host {

SataPortModule::SataPortModule(const sc_core::sc_module_name& name, const SataConfig& config, DataMode dataMode)
    : PortModule(name), link_(config, dataMode)
{
}

void SataPortModule::driveReady(Time at)
{
    link_.driveReady(at);
    arm();
}

void SataPortModule::transfer(const TransferOrder& order, Time at)
{
    link_.transfer(order, at);
    arm();
}

void SataPortModule::complete(std::uint16_t slot, CommandStatus status, Time at)
{
    link_.complete(slot, status, at);
    arm();
}

void SataPortModule::issue(const Command& command, Time at)
{
    link_.issue(command, at);
    arm();
}

void SataPortModule::step()
{
    link_.advance(now());
    arm();
}

// A wake-up that has become too early does no harm: it finds nothing due and sleeps again.
void SataPortModule::arm()
{
    wake_.at(link_.nextTime());
}

std::vector<PortModule::Counter> SataPortModule::counters() const
{
    const SataCounters& c = link_.counters();
    return {{"data_phases", c.dataPhases},
            {"completions_coalesced", c.coalesced},
            {"held_for_memory_ps", static_cast<std::uint64_t>(c.held.count())}};
}

} // namespace strobe::host
