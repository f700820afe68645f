// SPDX-License-Identifier: Apache-2.0
#include "models/host/host_interface_module.h"

#include "models/base/check.h"
#include "models/tlm/register_access.h"
#include "models/tlm/time_bridge.h"

namespace strobe::host {

HostInterfaceModule::HostInterfaceModule(const sc_core::sc_module_name& name, const HostInterfaceConfig& config)
    : sc_module(name), block_(config, *this)
{
    registers.register_b_transport(this, &HostInterfaceModule::accessRegister);
    registers.register_transport_dbg(this, &HostInterfaceModule::accessRegisterDebug);
    payload_.set_extension(&transfer_);
}

HostInterfaceModule::~HostInterfaceModule()
{
    payload_.clear_extension(&transfer_);
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
    transfer_.content = content;
    payload_.set_command(isWrite ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload_.set_address(raw(address));
    payload_.set_data_ptr(nullptr);
    payload_.set_data_length(bytes);
    payload_.set_streaming_width(bytes);
    payload_.set_byte_enable_ptr(nullptr);
    payload_.set_dmi_allowed(false);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    const Time present = now();
    sc_core::sc_time delay = toSc(at - present);
    memory->b_transport(payload_, delay);
    check(payload_.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, "a memory port left a burst unanswered");
    return payload_.is_response_ok() ? present + fromSc(delay) : never;
}

void HostInterfaceModule::accessRegister(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    serveRegisterAccess(
        payload, delay,
        [this](std::uint32_t offset, std::uint32_t& value) { return block_.readRegister(offset, value); },
        [this](std::uint32_t offset, std::uint32_t value, Time at) { return block_.writeRegister(offset, value, at); });
    arm();
}

unsigned int HostInterfaceModule::accessRegisterDebug(tlm::tlm_generic_payload& payload)
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
