// SPDX-License-Identifier: Apache-2.0
#include "models/host/host_interface_module.h"

#include "models/tlm/register_access.h"
#include "models/tlm/time_bridge.h"

namespace strobe::host {

HostInterfaceModule::HostInterfaceModule(const sc_core::sc_module_name& name, const HostInterfaceConfig& config)
    : sc_module(name), block_(config, *this)
{
    registers.bind(interface());
}

void HostInterfaceModule::submit(const Command& command, Time at)
{
    block_.submit(command, at);
    arm();
}

Time HostInterfaceModule::accessBuffer(std::uint64_t handle, std::uint32_t firstSector, std::uint32_t sectors,
                                       Content content, Time at)
{
    return block_.accessBuffer(handle, firstSector, sectors, content, at);
}

void HostInterfaceModule::transferDone(std::uint64_t handle, Time at)
{
    block_.transferDone(handle, at);
    arm();
}

bool HostInterfaceModule::deliver(const DirectRead& read)
{
    const bool isTaken = block_.deliver(read, now());
    arm();
    return isTaken;
}

void HostInterfaceModule::handBack(std::uint16_t slot)
{
    block_.handBack(slot, now());
    arm();
}

void HostInterfaceModule::fail(std::uint16_t slot)
{
    block_.fail(slot, now());
    arm();
}

void HostInterfaceModule::supplyFails(std::function<void(Time)> saved)
{
    block_.supplyFails(now(), std::move(saved));
    arm();
}

Time HostInterfaceModule::move(BusAddress address, std::uint32_t bytes, Content content, bool isWrite, Time at)
{
    memory::Burst burst{address, bytes, content, isWrite};
    const Time present = now();
    sc_core::sc_time delay = toSc(at - present);
    memory->b_transport(burst, delay);
    return burst.isOk ? present + fromSc(delay) : never;
}

void HostInterfaceModule::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    serveRegisterAccess(
        payload, delay,
        [this](std::uint32_t offset, std::uint32_t& value) { return block_.readRegister(offset, value); },
        [this](std::uint32_t offset, std::uint32_t value, Time at) { return block_.writeRegister(offset, value, at); });
    arm();
}

unsigned int HostInterfaceModule::transport_dbg(tlm::tlm_generic_payload& payload)
{
    return serveRegisterView(payload, [this](std::uint32_t offset, std::uint32_t& value) {
        return offset < block_.registerBytes() ? block_.readRegister(offset, value) : Access::Unmapped;
    });
}

void HostInterfaceModule::step()
{
    block_.advance(now());
    arm();
}

// A wake-up that has become too early does no harm: nothing is due, and the next one is armed.
void HostInterfaceModule::arm()
{
    wake_.at(block_.nextTime());
}

} // namespace strobe::host
