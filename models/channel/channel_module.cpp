// SPDX-License-Identifier: Apache-2.0
#include "models/channel/channel_module.h"

#include "models/base/check.h"
#include "models/tlm/time_bridge.h"

#include <algorithm>

namespace strobe::channel {

using tlm::tlm_generic_payload;

ChannelModule::ChannelModule(const sc_core::sc_module_name& name, ChannelId id, const BusSchedule& schedule,
                             std::uint32_t diesOnChannel, SegmentOrder order, const JoinPolicy& join)
    : ChannelModule(name, id, DieSchedules(diesOnChannel, std::make_shared<const BusSchedule>(schedule)), order, join)
{
}

ChannelModule::ChannelModule(const sc_core::sc_module_name& name, ChannelId id, DieSchedules schedules,
                             SegmentOrder order, const JoinPolicy& join)
    : sc_module(name), dies("die", schedules.size()), id_(id), interface_(std::move(schedules), order, join)
{
    host.register_nb_transport_fw(this, &ChannelModule::fromHost);
    host.register_b_transport(this, &ChannelModule::refuseBlocking); // else the socket would spawn an adapter for it
    for (std::size_t i = 0; i < dies.size(); ++i)
        dies[i].register_nb_transport_bw(this, &ChannelModule::fromDie, static_cast<int>(i));
}

void ChannelModule::start_of_simulation()
{
    wires_.reserve(dies.size());
    for (auto& die : dies)
        wires_.push_back(die.operator->());
}

void ChannelModule::resetUsage()
{
    interface_.resetUsage(now());
    activations_ = 0;
}

// The operation is queued from its arrival on and the socket is free for the next one: END_REQ at once.
tlm::tlm_sync_enum ChannelModule::fromHost(tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay)
{
    if (phase == nand::NEXT_PRIMITIVE) {
        const Time at = now();
        check(delay == sc_core::SC_ZERO_TIME, "NEXT_PRIMITIVE with a delay");
        interface_.proceed(raw(nand::operationOf(payload).die) % interface_.dies(), at);
        if (!isStepping_)
            wake_.at(interface_.nextOpportunity(at));
        return tlm::TLM_ACCEPTED;
    }
    check(phase == tlm::BEGIN_REQ, "a channel expects BEGIN_REQ; BEGIN_RESP is to be answered with TLM_COMPLETED");
    const Time arrival = now() + fromSc(delay);
    arrivals_.push(arrival, &payload);
    // An operation that only joins the queue of a busy die is accepted when this module next wakes for that die, or
    // later.
    if (!isStepping_ && interface_.isOpen(raw(nand::operationOf(payload).die) % interface_.dies()))
        wake_.at(arrival);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

tlm::tlm_sync_enum ChannelModule::fromDie(int die, tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                          sc_core::sc_time& delay)
{
    if (phase == tlm::END_REQ) // the end of the request is already known
        return tlm::TLM_ACCEPTED;
    check(phase == tlm::BEGIN_RESP, "a die may send END_REQ and BEGIN_RESP");
    check(unannounced_ > 0, "a die that answered by annotation sends BEGIN_RESP");
    --unannounced_;
    arrayFinished(interface_.laneOf(static_cast<std::uint32_t>(die), nand::operationOf(payload)), payload,
                  now() + fromSc(delay));
    if (!isStepping_)
        wake_.at(interface_.nextOpportunity(now()));
    return tlm::TLM_ACCEPTED;
}

void ChannelModule::refuseBlocking(tlm_generic_payload& payload, sc_core::sc_time&)
{
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
}

void ChannelModule::step()
{
    const Time at = now();
    ++activations_;
    isStepping_ = true; // calls back from the dies need not wake this module

    // (1) complete the operation whose response has left the bus
    completeEnded(at);
    // (2) accept arrived operations
    if (!isWaiting_) {
        while (arrivals_.isDue(at)) {
            const Time arrived = arrivals_.nextTime();
            accept(*arrivals_.pop(), arrived);
        }
    }
    // (3) let the dies on the backward path report the events of this instant
    isWaiting_ = mustWaitForDies(at);
    if (!isWaiting_) {
        // (4) grant the bus to the first segment; segments that need no bus end at once
        while (const auto grant = interface_.next(at)) {
            if (watcher_ != nullptr)
                watcher_->granted(*grant, at);
            auto& payload = *static_cast<tlm_generic_payload*>(grant->owner);
            if (grant->phase == NandInterface::Phase::Request)
                sendRequest(*grant, at);
            else if (grant->phase == NandInterface::Phase::CacheEnd)
                continue;
            else if (grant->busTime > Time{} && interface_.hasCommandLines())
                endings_.push(at + grant->busTime, {grant->die, grant->lane, &payload});
            else if (grant->busTime > Time{})
                responding_ = {grant->die, grant->lane, &payload};
            else
                complete(grant->die, grant->lane, payload, at);
        }
    }
    // (5) sleep until the earliest next event
    isStepping_ = false;
    if (isWaiting_) {
        wake_.atNextDelta();
        return;
    }
    if (responding_.payload != nullptr)
        wake_.at(interface_.busFreeAt());
    wake_.at(std::min({arrivals_.nextTime(), endings_.nextTime(), interface_.nextOpportunity(at)}));
}

void ChannelModule::completeEnded(Time now)
{
    if (responding_.payload != nullptr && interface_.busFreeAt() <= now) {
        const Responding responding = responding_;
        responding_ = {};
        complete(responding.die, responding.lane, *responding.payload, now);
    }
    while (endings_.isDue(now)) {
        const Responding responding = endings_.pop();
        complete(responding.die, responding.lane, *responding.payload, now);
    }
}

void ChannelModule::accept(tlm_generic_payload& payload, Time arrived)
{
    nand::Operation& op = nand::operationOf(payload);
    const std::uint32_t diesOnChannel = interface_.dies();
    check(raw(op.die) / diesOnChannel == raw(id_), "an operation was sent to a channel that does not have its die");
    interface_.submit(raw(op.die) % diesOnChannel, op, arrived, &payload);
}

// Once per instant, and only if a segment is about to start while dies on the backward path are busy.
bool ChannelModule::mustWaitForDies(Time now)
{
    if (unannounced_ == 0 || waitedAt_ == now || interface_.nextOpportunity(now) > now)
        return false;
    waitedAt_ = now;
    return true;
}

void ChannelModule::sendRequest(const NandInterface::Grant& grant, Time now)
{
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    auto& payload = *static_cast<tlm_generic_payload*>(grant.owner);
    ++unannounced_; // before the call: a die may answer on the backward path from within it
    const tlm::tlm_sync_enum answer = wires_[grant.die]->nb_transport_fw(payload, phase, delay);
    if (answer == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) {
        --unannounced_;
        arrayFinished(grant.lane, payload, now + fromSc(delay));
        return;
    }
    check(answer == tlm::TLM_ACCEPTED || (answer == tlm::TLM_UPDATED && phase == tlm::END_REQ),
          "a die answers BEGIN_REQ with TLM_ACCEPTED or with BEGIN_RESP and a delay");
}

void ChannelModule::arrayFinished(std::uint32_t lane, tlm_generic_payload& payload, Time ready)
{
    interface_.arrayFinished(lane, ready);
    if (watcher_ != nullptr)
        watcher_->readyAt(lane, ready);
    if (interface_.isHeld(lane))
        reportPrimitive(payload, ready);
}

void ChannelModule::reportPrimitive(tlm_generic_payload& payload, Time at)
{
    tlm::tlm_phase phase = nand::PRIMITIVE_ENDED;
    sc_core::sc_time delay = toSc(at - now());
    check(host->nb_transport_bw(payload, phase, delay) == tlm::TLM_ACCEPTED,
          "a controller answers PRIMITIVE_ENDED with TLM_ACCEPTED");
}

void ChannelModule::complete(std::uint32_t die, std::uint32_t lane, tlm_generic_payload& payload, Time now)
{
    const bool isOver = interface_.finish(lane, now);

    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    wires_[die]->nb_transport_fw(payload, phase, delay);
    check(payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, "a die left the response status unset");
    if (!isOver) {
        if (interface_.isHeld(lane))
            reportPrimitive(payload, now);
        return;
    }

    phase = tlm::BEGIN_RESP;
    delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum answer = host->nb_transport_bw(payload, phase, delay);
    check(answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP),
          "a controller answers BEGIN_RESP with TLM_COMPLETED");
}

} // namespace strobe::channel
