// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/fabric_module.h"

#include "models/tlm/time_bridge.h"

#include <algorithm>

namespace strobe::fabric {

namespace {

// The payload carries the target's own address while it is with the target.
class LocalAddress {
public:
    LocalAddress(tlm::tlm_generic_payload& payload, const Mapping& mapping)
        : payload_(payload), address_(payload.get_address())
    {
        payload_.set_address(address_ - raw(mapping.region.base));
    }
    ~LocalAddress() { payload_.set_address(address_); }
    LocalAddress(const LocalAddress&) = delete;
    LocalAddress& operator=(const LocalAddress&) = delete;

private:
    tlm::tlm_generic_payload& payload_;
    sc_dt::uint64 address_;
};

// A target's DMI range, clipped to its region and moved to bus addresses. False if nothing of it is in the region.
bool translate(tlm::tlm_dmi& dmi, const memory::Region& region)
{
    const sc_dt::uint64 start = dmi.get_start_address();
    const sc_dt::uint64 end = std::min<sc_dt::uint64>(dmi.get_end_address(), region.size - 1);
    if (start > end)
        return false;
    dmi.set_start_address(raw(region.base) + start);
    dmi.set_end_address(raw(region.base) + end);
    return true;
}

} // namespace

FabricModule::FabricModule(const sc_core::sc_module_name& name, Time latency) : sc_module(name), latency_(latency)
{
    cpus.bind(interface());
    targets_.register_invalidate_direct_mem_ptr(this, &FabricModule::invalidate);
}

void FabricModule::map(const std::string& name, memory::Region region, tlm::tlm_target_socket<>& socket)
{
    map_.add(name, region);
    targets_.bind(socket); // the n-th binding is target n, as in the map
}

void FabricModule::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    const Mapping* mapping = map_.find(payload.get_address(), payload.get_data_length());
    if (mapping == nullptr) {
        ++refused_;
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    const Time start = now() + fromSc(delay);
    bus_.account(start, start, latency_);
    delay += toSc(latency_);
    const LocalAddress local(payload, *mapping);
    targets_[static_cast<int>(mapping->target)]->b_transport(payload, delay);
}

bool FabricModule::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi)
{
    const Mapping* mapping = map_.find(payload.get_address(), 1);
    if (mapping == nullptr)
        return false;
    bool granted = false;
    {
        const LocalAddress local(payload, *mapping);
        granted = targets_[static_cast<int>(mapping->target)]->get_direct_mem_ptr(payload, dmi);
    }
    return translate(dmi, mapping->region) && granted;
}

unsigned int FabricModule::transport_dbg(tlm::tlm_generic_payload& payload)
{
    const Mapping* mapping = map_.find(payload.get_address(), payload.get_data_length());
    if (mapping == nullptr)
        return 0;
    const LocalAddress local(payload, *mapping);
    return targets_[static_cast<int>(mapping->target)]->transport_dbg(payload);
}

void FabricModule::invalidate(int target, sc_dt::uint64 start, sc_dt::uint64 end)
{
    const auto& mappings = map_.mappings();
    const auto mapping = std::find_if(mappings.begin(), mappings.end(),
                                      [target](const Mapping& m) { return static_cast<int>(m.target) == target; });
    const memory::Region& region = mapping->region;
    if (start >= region.size)
        return;
    end = std::min<sc_dt::uint64>(end, region.size - 1);
    for (int cpu = 0; cpu < cpus.size(); ++cpu)
        cpus[cpu]->invalidate_direct_mem_ptr(raw(region.base) + start, raw(region.base) + end);
}

void FabricModule::resetUsage()
{
    bus_.resetUsage();
    refused_ = 0;
}

} // namespace strobe::fabric
