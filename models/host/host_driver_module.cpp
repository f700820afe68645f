// SPDX-License-Identifier: Apache-2.0
#include "models/host/host_driver_module.h"

#include "models/tlm/time_bridge.h"

namespace strobe::host {

HostDriverModule::HostDriverModule(const sc_core::sc_module_name& name, const HostDriverConfig& config,
                                   HostDriver::PhaseMaker makePhases)
    : sc_module(name), driver_(config, std::move(makePhases)), wake_("wake")
{
    SC_HAS_PROCESS(HostDriverModule);
    SC_METHOD(step);
    sensitive << wake_;
    dont_initialize();
}

void HostDriverModule::driveReady(std::uint64_t capacitySectors, std::uint32_t slots, Time at)
{
    driver_.driveReady(capacitySectors, slots, at);
    arm();
}

void HostDriverModule::fillWriteData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors,
                                     Content destination)
{
    driver_.fillWriteData(slot, first, sectors, destination);
}

void HostDriverModule::takeReadData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content source)
{
    driver_.takeReadData(slot, first, sectors, source);
}

void HostDriverModule::completed(std::uint16_t slot, CommandStatus status, Time at)
{
    driver_.completed(slot, status, at);
    arm();
}

void HostDriverModule::step()
{
    armed_ = never;
    driver_.advance(now());
    arm();
}

// A wake-up that has become too early does no harm: nothing is due, and the next one is armed.
void HostDriverModule::arm()
{
    const Time next = driver_.nextTime();
    if (next >= armed_)
        return;
    armed_ = next;
    wake_.notify(toSc(next - now()));
}

} // namespace strobe::host
