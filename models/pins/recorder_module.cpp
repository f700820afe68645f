// SPDX-License-Identifier: Apache-2.0
#include "models/pins/recorder_module.h"

#include "models/tlm/time_bridge.h"

#include <algorithm>

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
        underWay_[&payload] = {};
    }
    return channel->nb_transport_fw(payload, phase, delay);
}

tlm::tlm_sync_enum RecorderModule::fromChannel(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay)
{
    const auto finished = phase == tlm::BEGIN_RESP ? underWay_.find(&payload) : underWay_.end();
    if (finished != underWay_.end()) {
        operations_.emplace_back(nand::operationOf(payload), std::move(finished->second.tenures));
        underWay_.erase(finished);
    }
    return host->nb_transport_bw(payload, phase, delay);
}

void RecorderModule::granted(const channel::NandInterface::Grant& grant, Time start)
{
    using Phase = channel::NandInterface::Phase;
    if (grant.phase == Phase::Request)
        asked_[grant.lane] = {grant.owner, grant.op->form};
    const auto chosen = underWay_.find(grant.owner);
    if (chosen == underWay_.end() || grant.busTime == Time{})
        return;
    const Time end = start + grant.busTime;
    chosen->second.lane = grant.lane;
    chosen->second.tenures.push_back({grant.phase, grant.op->form, grant.op->accesses, start, end, end});
}

void RecorderModule::readyAt(std::uint32_t lane, Time ready)
{
    const Asked& asked = asked_[lane];
    if (asked.form == nand::Form::Suspend) { // R/B# does not wait for the die's previous array operation
        for (auto& [payload, other] : underWay_) {
            for (BusTenure& tenure : other.tenures)
                tenure.ready = other.lane == lane ? std::min(tenure.ready, ready) : tenure.ready;
        }
    }
    if (const auto chosen = underWay_.find(asked.payload); chosen != underWay_.end())
        chosen->second.tenures.back().ready = ready;
}

void RecorderModule::blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    channel->b_transport(payload, delay); // which the channel refuses
}

} // namespace strobe::pins
