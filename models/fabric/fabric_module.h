#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The system bus: CPUs on one side, memories and register blocks on the other; loosely timed. Decodes the address,
// subtracts the region's base (targets see addresses from 0; the payload is restored on return), adds a fixed latency
// to the delay and forwards. An unmapped address, or an access that crosses the end of a region, gets
// TLM_ADDRESS_ERROR_RESPONSE. DMI ranges are translated back and clipped to their region.
// Not modelled: contention between CPUs. They run ahead of simulated time by different amounts, so the order of their
// calls is not the order of their accesses; the usage figures show how much of a bus they would have used.

#include "models/base/resource.h"
#include "models/fabric/address_map.h"
#include "models/tlm/blocking_target.h"

#include <systemc>
#include <tlm_utils/multi_passthrough_initiator_socket.h>

namespace strobe::fabric {

class FabricModule : public sc_core::sc_module, private BlockingTarget {
public:
    tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 0> cpus{"cpus"}; // any number of initiators

    // `latency` of one access, request and response together.
    FabricModule(const sc_core::sc_module_name& name, Time latency);

    // Maps and binds in one call. Throws ConfigError as AddressMap::add. REQUIRES: before the simulation starts.
    void map(const std::string& name, memory::Region region, tlm::tlm_target_socket<>& socket);

    const AddressMap& addressMap() const { return map_; }
    const Resource& bus() const { return bus_; }
    std::uint64_t refused() const { return refused_; } // accesses to addresses without a target
    void resetUsage();

private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
    unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override;
    void invalidate(int target, sc_dt::uint64 start, sc_dt::uint64 end);

    Time latency_;
    AddressMap map_;
    Resource bus_; // accounting only
    std::uint64_t refused_ = 0;
    tlm_utils::multi_passthrough_initiator_socket<FabricModule> targets_{"targets"};
};

} // namespace strobe::fabric
