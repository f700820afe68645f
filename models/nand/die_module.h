#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A die on the NAND wire (models/nand/protocol.h), answering by timing annotation: no process, no event. BEGIN_REQ
// issues the operation at op.requestEnd and is answered TLM_UPDATED, BEGIN_RESP, with the delay up to R/B# rising;
// END_RESP puts data and spare bytes into a read. Response status: TLM_OK_RESPONSE for what the die carried out,
// failed programs and erases included, TLM_COMMAND_ERROR_RESPONSE for what it refused (op.reason says why).
// Only nb_transport_fw is served: a blocking call gets an error response, a debug call moves no byte.

#include "models/nand/die.h"
#include "models/nand/protocol.h"

#include <systemc>

namespace strobe::nand {

// It is the interface that its socket offers: with a convenience socket each call would touch more cache lines of each
// die.
class DieModule : public sc_core::sc_module, private tlm::tlm_fw_transport_if<Protocol> {
    Die& die_; // here: beside the interface

public:
    tlm::tlm_target_socket<32, Protocol> socket{"socket"};

    DieModule(const sc_core::sc_module_name& name, Die& die); // the die must outlive the module

    Die& die() { return die_; }
    const Die& die() const { return die_; }

private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned int transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
};

// The steps that every die on the wire shares, however it answers.
// At op.requestEnd; sets the response status of the payload, whose operation it is.
void issueTo(Die& die, Operation& op, tlm::tlm_generic_payload& payload);
void completeFrom(const Die& die, Operation& op); // at END_RESP: data out

} // namespace strobe::nand
