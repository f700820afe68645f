// SPDX-License-Identifier: Apache-2.0
#include "models/memory/sram_module.h"

#include "models/memory/plain_access_module.h"
#include "models/tlm/time_bridge.h"

namespace strobe::memory {

SramModule::SramModule(const sc_core::sc_module_name& name, std::uint32_t size, Time latency)
    : sc_module(name), latency_(toSc(latency)), bytes_(size)
{
    fabric.register_b_transport(this, &SramModule::transport);
    fabric.register_get_direct_mem_ptr(this, &SramModule::directMemory);
    fabric.register_transport_dbg(this, &SramModule::debug);
}

std::byte* SramModule::at(const tlm::tlm_generic_payload& payload)
{
    const std::uint64_t address = payload.get_address();
    const bool isInside = address < bytes_.size() && payload.get_data_length() <= bytes_.size() - address;
    return isInside ? bytes_.data() + address : nullptr;
}

void SramModule::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    accessPlain(payload, at(payload));
    delay += latency_;
}

bool SramModule::directMemory(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi)
{
    if (payload.get_address() >= bytes_.size())
        return false;
    dmi.set_start_address(0);
    dmi.set_end_address(bytes_.size() - 1);
    dmi.set_dmi_ptr(reinterpret_cast<unsigned char*>(bytes_.data()));
    dmi.set_read_latency(latency_);
    dmi.set_write_latency(latency_);
    dmi.allow_read_write();
    return true;
}

unsigned int SramModule::debug(tlm::tlm_generic_payload& payload)
{
    return accessPlainDebug(payload, at(payload));
}

} // namespace strobe::memory
