// SPDX-License-Identifier: Apache-2.0
#include "models/nand/die_module.h"

#include "models/base/check.h"
#include "models/tlm/time_bridge.h"

namespace strobe::nand {

void issueTo(Die& die, Operation& op, tlm::tlm_generic_payload& payload)
{
    die.issue(op, op.requestEnd);
    payload.set_response_status(op.status == Status::Illegal ? tlm::TLM_COMMAND_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
}

void completeFrom(const Die& die, Operation& op)
{
    const bool hasDataOut = op.opcode == Opcode::Read || op.opcode == Opcode::ReadId;
    if (hasDataOut && op.status != Status::Illegal)
        die.fetch(op);
}

DieModule::DieModule(const sc_core::sc_module_name& name, Die& die) : sc_module(name), die_(die)
{
    socket.bind(static_cast<tlm::tlm_fw_transport_if<Protocol>&>(*this));
}

tlm::tlm_sync_enum DieModule::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                              sc_core::sc_time& delay)
{
    Operation& op = operationOf(payload);
    if (phase == tlm::BEGIN_REQ) {
        check(op.requestEnd >= now() + fromSc(delay), "a NAND request ends before it has begun");
        issueTo(die_, op, payload);
        phase = tlm::BEGIN_RESP;
        delay = toSc(op.ready - now());
        return tlm::TLM_UPDATED;
    }
    check(phase == tlm::END_RESP, "a die that answers by annotation expects only BEGIN_REQ and END_RESP");
    completeFrom(die_, op);
    return tlm::TLM_COMPLETED;
}

void DieModule::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&)
{
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
}

} // namespace strobe::nand
