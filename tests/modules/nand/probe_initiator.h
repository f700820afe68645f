#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Plays the channel towards one die: sends operations with a given request time, ends each response after a given bus
// time, and records every phase with its time. Supports both ways of answering (protocol.h).

#include "models/nand/protocol.h"
#include "models/tlm/payload_pool.h"
#include "models/tlm/time_bridge.h"
#include "tests/support/catch.h"

#include <functional>
#include <map>
#include <systemc>
#include <vector>

namespace strobe::nand::test {

class ProbeInitiator : public sc_core::sc_module {
public:
    InitiatorSocket<ProbeInitiator> socket{"socket"};

    struct Seen {
        tlm::tlm_phase_enum phase;
        Time at;

        friend bool operator==(const Seen& a, const Seen& b) { return a.phase == b.phase && a.at == b.at; }
    };

    explicit ProbeInitiator(const sc_core::sc_module_name& name) : sc_module(name)
    {
        socket.register_nb_transport_bw(this, &ProbeInitiator::backward);
    }

    // From a process: starts `op` now; its request takes `requestTime` on the bus.
    tlm::tlm_generic_payload& begin(const Operation& op, Time requestTime)
    {
        tlm::tlm_generic_payload& payload = pool_.acquire();
        static_cast<Operation&>(operationOf(payload)) = op;
        operationOf(payload).requestEnd = now() + requestTime;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        statusBefore = payload.get_response_status();
        firstAnswer = socket->nb_transport_fw(payload, phase, delay);
        if (firstAnswer == tlm::TLM_UPDATED) {
            CHECK(phase == tlm::BEGIN_RESP);
            seen.push_back({tlm::BEGIN_RESP, now() + fromSc(delay)});
            responseAt_[&payload] = now() + fromSc(delay);
        }
        return payload;
    }
    // From an SC_THREAD: waits for BEGIN_RESP, holds the bus for `responseTime` and completes the operation. Returns it
    // as it was before END_RESP, in `beforeEnd`, and after.
    Operation end(tlm::tlm_generic_payload& payload, Time responseTime)
    {
        while (responseAt_.count(&payload) == 0)
            sc_core::wait(response_);
        if (responseAt_[&payload] > now())
            sc_core::wait(toSc(responseAt_[&payload] - now()));
        responseAt_.erase(&payload);
        statusAtResponse = payload.get_response_status();
        beforeEnd = operationOf(payload);
        sc_core::wait(toSc(responseTime));
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        CHECK(socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_COMPLETED);
        const Operation result = operationOf(payload);
        payload.release();
        return result;
    }

    std::size_t inFlight() const { return pool_.inFlight(); }

    std::vector<Seen> seen;
    tlm::tlm_response_status statusBefore = tlm::TLM_OK_RESPONSE;
    tlm::tlm_response_status statusAtResponse = tlm::TLM_INCOMPLETE_RESPONSE;
    tlm::tlm_sync_enum firstAnswer = tlm::TLM_COMPLETED;
    Operation beforeEnd;

private:
    tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay)
    {
        seen.push_back({static_cast<tlm::tlm_phase_enum>(static_cast<unsigned>(phase)), now() + fromSc(delay)});
        if (phase == tlm::BEGIN_RESP) {
            responseAt_[&payload] = now() + fromSc(delay);
            response_.notify();
        }
        return tlm::TLM_ACCEPTED;
    }

    PayloadPool<OperationExtension> pool_;
    sc_core::sc_event response_;
    std::map<tlm::tlm_generic_payload*, Time> responseAt_;
};

// A test body as a process.
class Script : public sc_core::sc_module {
public:
    template <class Body>
    Script(const sc_core::sc_module_name& name, Body body) : sc_module(name), body_(std::move(body))
    {
        SC_THREAD(play);
    }
    SC_HAS_PROCESS(Script);

private:
    void play() { body_(); }

    std::function<void()> body_;
};

} // namespace strobe::nand::test
