#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The NAND wire in TLM-2.0: one operation is one base-protocol transaction, flash unit -> channel -> die and back.
//
// Between channel and die:
//   BEGIN_REQ … END_REQ     the request holds the bus: command, address and data-in segments
//   END_REQ   … BEGIN_RESP  array time; the bus is free (this is what way interleaving uses)
//   BEGIN_RESP … END_RESP   the response holds the bus: status and data-out segments
//
// Unit -> channel: BEGIN_REQ is answered TLM_UPDATED with END_REQ: the operation is queued (it arrives at now() +
// delay) and the socket is free for the next one, so that many may be outstanding without breaking the exclusion rule
// of the base protocol. BEGIN_RESP comes on the backward path at op.done; it means that the operation is finished and
// its outcome valid; the unit answers TLM_COMPLETED and keeps its reference to the payload until then. Channel -> die:
// BEGIN_REQ is sent when the request starts on the bus, with op.requestEnd filled in. The die either
//   - answers TLM_UPDATED with phase BEGIN_RESP and a delay up to R/B# rising (timing annotation: fast, no events), or
//   - answers TLM_ACCEPTED, sends END_REQ at op.requestEnd and BEGIN_RESP when R/B# rises, on the backward path.
// Both give the same times. The channel answers BEGIN_RESP with TLM_ACCEPTED and sends END_RESP when the response has
// left the bus; at END_RESP the die puts data and spare bytes into the operation.
//
// An operation that is stepped (Operation::isStepped) is suspended at the end of each of its primitives: when R/B# has
// risen, and when the spare record of a copy-out is out. The channel tells the unit with PRIMITIVE_ENDED, whose delay
// says when; it is answered TLM_ACCEPTED. Then the die waits until the unit sends NEXT_PRIMITIVE, not before that time
// and without a delay, answered TLM_ACCEPTED too.
//
// A program or erase in progress is suspended and resumed on its own payload: BEGIN_REQ again, with op.form saying
// which, answered by annotation. Only dies that annotate get such requests.
//
// With its own protocol type a NAND socket cannot be bound to a memory socket: that does not compile.

#include "models/nand/operation.h"

#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace strobe::nand {

struct Protocol {
    using tlm_payload_type = tlm::tlm_generic_payload;
    using tlm_phase_type = tlm::tlm_phase;
};

DECLARE_EXTENDED_PHASE(PRIMITIVE_ENDED);
DECLARE_EXTENDED_PHASE(NEXT_PRIMITIVE);

// The operation is the extension: clone and copy are one assignment.
struct OperationExtension : tlm::tlm_extension<OperationExtension>, Operation {
    tlm::tlm_extension_base* clone() const override { return new OperationExtension(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override
    {
        *this = static_cast<const OperationExtension&>(other);
    }
};

// The operation of a payload. REQUIRES: the payload came over a NAND socket.
inline Operation& operationOf(tlm::tlm_generic_payload& payload)
{
    return *payload.get_extension<OperationExtension>();
}

template <class Module>
using InitiatorSocketTagged = tlm_utils::simple_initiator_socket_tagged<Module, 32, Protocol>;
template <class Module>
using InitiatorSocket = tlm_utils::simple_initiator_socket<Module, 32, Protocol>;
template <class Module>
using TargetSocket = tlm_utils::simple_target_socket<Module, 32, Protocol>;

} // namespace strobe::nand
