// SPDX-License-Identifier: Apache-2.0
#include "models/pins/recorder_module.h"

#include "models/tlm/time_bridge.h"

namespace strobe::pins {

RecorderModule::RecorderModule(const sc_core::sc_module_name& name, const RecorderRequest& request)
    : sc_module(name), request_(request)
{
    host.register_nb_transport_fw(this, &RecorderModule::fromHost);
    host.register_b_transport(this, &RecorderModule::blocking);
    channel.register_nb_transport_bw(this, &RecorderModule::fromChannel);
}

tlm::tlm_sync_enum RecorderModule::fromHost(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                            sc_core::sc_time& delay)
{
    if (phase == tlm::BEGIN_REQ && chosen_ < request_.limit && now() + fromSc(delay) >= request_.from) {
        ++chosen_;
        underWay_.insert(&payload);
    }
    return channel->nb_transport_fw(payload, phase, delay);
}

tlm::tlm_sync_enum RecorderModule::fromChannel(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay)
{
    if (phase == tlm::BEGIN_RESP && underWay_.erase(&payload) > 0)
        operations_.emplace_back(nand::operationOf(payload));
    return host->nb_transport_bw(payload, phase, delay);
}

void RecorderModule::blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    channel->b_transport(payload, delay); // which the channel refuses
}

} // namespace strobe::pins
