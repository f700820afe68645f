#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A die that answers on the backward path, as a die model from elsewhere may: BEGIN_REQ is accepted, END_REQ comes at
// op.requestEnd (only then the operation is issued), BEGIN_RESP when R/B# rises, and END_RESP is waited for. It
// contains the same Die, so a channel must get the same times as from nand::DieModule. Several operations may be in
// progress (status or reset while the array works). A test that uses it adds tests/support/backward_die.cpp to its
// sources and depends on nand_module.

#include "models/base/event_heap.h"
#include "models/nand/die.h"
#include "models/nand/protocol.h"

#include <cstddef>
#include <systemc>

namespace strobe::test {

class BackwardDieModule : public sc_core::sc_module {
public:
    nand::TargetSocket<BackwardDieModule> socket{"socket"};

    BackwardDieModule(const sc_core::sc_module_name& name, nand::Die& die);
    SC_HAS_PROCESS(BackwardDieModule);

    std::size_t inFlight() const { return inFlight_; } // BEGIN_REQ without END_RESP so far

private:
    struct Event {
        tlm::tlm_generic_payload* payload;
        tlm::tlm_phase_enum phase; // END_REQ or BEGIN_RESP
    };

    tlm::tlm_sync_enum transport(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    void refuseBlocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    void step();
    void endRequest(tlm::tlm_generic_payload& payload);
    void beginResponse(tlm::tlm_generic_payload& payload);
    void finish(tlm::tlm_generic_payload& payload);
    void sleep();

    nand::Die& die_;
    EventHeap<Event> events_;
    sc_core::sc_event wakeUp_;
    std::size_t inFlight_ = 0;
};

} // namespace strobe::test
