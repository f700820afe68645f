// SPDX-License-Identifier: Apache-2.0
#include "tests/support/backward_die.h"

#include "models/base/check.h"
#include "models/nand/die_module.h"
#include "models/tlm/time_bridge.h"

namespace strobe::test {

BackwardDieModule::BackwardDieModule(const sc_core::sc_module_name& name, nand::Die& die) : sc_module(name), die_(die)
{
    socket.register_nb_transport_fw(this, &BackwardDieModule::transport);
    socket.register_b_transport(this, &BackwardDieModule::refuseBlocking);
    SC_METHOD(step);
    sensitive << wakeUp_;
    dont_initialize();
}

tlm::tlm_sync_enum BackwardDieModule::transport(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                sc_core::sc_time& delay)
{
    if (phase == tlm::BEGIN_REQ) {
        const Time requestEnd = nand::operationOf(payload).requestEnd;
        check(requestEnd >= now() + fromSc(delay), "a NAND request ends before it has begun");
        payload.acquire();
        ++inFlight_;
        events_.push(requestEnd, {&payload, tlm::END_REQ});
        sleep();
        return tlm::TLM_ACCEPTED;
    }
    check(phase == tlm::END_RESP, "a die expects only BEGIN_REQ and END_RESP on the forward path");
    finish(payload);
    return tlm::TLM_COMPLETED;
}

void BackwardDieModule::refuseBlocking(tlm::tlm_generic_payload& payload, sc_core::sc_time&)
{
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
}

void BackwardDieModule::step()
{
    while (events_.isDue(now())) {
        const Event event = events_.pop();
        if (event.phase == tlm::END_REQ)
            endRequest(*event.payload);
        else
            beginResponse(*event.payload);
    }
    sleep();
}

void BackwardDieModule::endRequest(tlm::tlm_generic_payload& payload)
{
    nand::issueTo(die_, nand::operationOf(payload), payload);
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum answer = socket->nb_transport_bw(payload, phase, delay);
    check(answer == tlm::TLM_ACCEPTED, "END_REQ is answered TLM_ACCEPTED");
    events_.push(nand::operationOf(payload).ready, {&payload, tlm::BEGIN_RESP});
}

void BackwardDieModule::beginResponse(tlm::tlm_generic_payload& payload)
{
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum answer = socket->nb_transport_bw(payload, phase, delay);
    check(answer == tlm::TLM_ACCEPTED, "BEGIN_RESP is answered TLM_ACCEPTED: END_RESP comes when the bus is done");
}

void BackwardDieModule::finish(tlm::tlm_generic_payload& payload)
{
    check(inFlight_ > 0, "END_RESP without an operation under way");
    nand::completeFrom(die_, nand::operationOf(payload));
    --inFlight_;
    payload.release();
}

void BackwardDieModule::sleep()
{
    if (!events_.empty())
        wakeUp_.notify(toSc(events_.nextTime() - now())); // an earlier notification stays
}

} // namespace strobe::test
