// SPDX-License-Identifier: Apache-2.0
#include "models/memory/sdram_module.h"

#include "models/memory/plain_access_module.h"
#include "models/tlm/time_bridge.h"

#include <algorithm>
#include <cstring>

namespace strobe::memory {

namespace {

BulkMemoryConfig withCpuPort(BulkMemoryConfig config)
{
    config.ports.emplace_back("cpu");
    return config;
}

} // namespace

SdramModule::SdramModule(const sc_core::sc_module_name& name, const BulkMemoryConfig& config)
    : sc_module(name), memory_(withCpuPort(config)), cpuPort_(static_cast<std::uint32_t>(config.ports.size()))
{
    ports.init(config.ports.size(), [this, &config](const char*, std::size_t index) {
        return new Port(("port_" + config.ports[index]).c_str(), memory_, static_cast<std::uint32_t>(index));
    });
    fabric.register_b_transport(this, &SdramModule::fabricTransport);
    fabric.register_get_direct_mem_ptr(this, &SdramModule::fabricDirectMemory);
    fabric.register_transport_dbg(this, &SdramModule::fabricDebug);
}

SdramModule::Port::Port(const char* name, BulkMemory& memory, std::uint32_t number)
    : tlm_target_socket(name), memory_(memory), number_(number)
{
    bind(static_cast<tlm::tlm_fw_transport_if<Protocol>&>(*this));
}

void SdramModule::Port::b_transport(Burst& burst, sc_core::sc_time& delay)
{
    burst.isOk = memory_.move(burst.address, burst.bytes, burst.content, burst.isWrite);
    if (!burst.isOk)
        return;
    const Time current = now();
    delay = toSc(memory_.access(number_, burst.bytes, current + fromSc(delay)) - current);
}

// Data movers use b_transport only.
tlm::tlm_sync_enum SdramModule::Port::nb_transport_fw(Burst& burst, tlm::tlm_phase&, sc_core::sc_time&)
{
    burst.isOk = false;
    return tlm::TLM_COMPLETED;
}

unsigned int SdramModule::Port::transport_dbg(Burst& burst)
{
    const std::byte* const bytes = burst.isWrite ? nullptr : memory_.bytes(burst.address, burst.bytes);
    if (bytes == nullptr)
        return 0;
    std::copy_n(bytes, burst.bytes, burst.content.data);
    return burst.bytes;
}

std::byte* SdramModule::controlBytes(const tlm::tlm_generic_payload& payload)
{
    const Region& region = memory_.config().region;
    if (payload.get_address() >= region.size)
        return nullptr;
    return memory_.bytes(region.base + static_cast<std::uint32_t>(payload.get_address()), payload.get_data_length());
}

void SdramModule::fabricTransport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    accessPlain(payload, controlBytes(payload));
    if (!payload.is_response_ok())
        return;
    if (delay != sc_core::SC_ZERO_TIME) {
        sc_core::wait(delay);
        delay = sc_core::SC_ZERO_TIME;
    }
    const Time current = now();
    delay = toSc(memory_.access(cpuPort_, payload.get_data_length(), current) - current);
}

bool SdramModule::fabricDirectMemory(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi)
{
    const Region& whole = memory_.config().region;
    if (payload.get_address() >= whole.size)
        return false;
    const Region part = memory_.controlAround(whole.base + static_cast<std::uint32_t>(payload.get_address()));
    if (part.size == 0)
        return false;
    const std::uint32_t start = raw(part.base) - raw(whole.base);
    dmi.set_start_address(start);
    dmi.set_end_address(start + part.size - 1);
    dmi.set_dmi_ptr(reinterpret_cast<unsigned char*>(memory_.bytes(part.base, part.size)));
    dmi.allow_read_write();
    return true;
}

unsigned int SdramModule::fabricDebug(tlm::tlm_generic_payload& payload)
{
    return accessPlainDebug(payload, controlBytes(payload));
}

} // namespace strobe::memory
