#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The interface of a base-protocol target that serves b_transport, and nothing else unless a derived module overrides
// it. Such a module binds its socket to itself, so each register access is one call; the convenience sockets of
// tlm_utils would add a call each. A non-blocking call gets an error response.

#include <tlm>

namespace strobe {

class BlockingTarget : public tlm::tlm_fw_transport_if<> {
protected:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&, sc_core::sc_time&) override
    {
        payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned int transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

    tlm::tlm_fw_transport_if<>& interface() { return *this; } // to bind the socket to
};

} // namespace strobe
