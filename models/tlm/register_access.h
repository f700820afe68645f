#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A base-protocol access to a block of 32-bit registers, addresses from 0: checked, answered and given its response
// status in one place for all blocks. 32-bit accesses only: other lengths get a burst error, byte enables theirs, an
// offset that is misaligned or has no register an address error; an ignored command touches nothing.

#include "models/base/register_bank.h"
#include "models/tlm/time_bridge.h"

#include <cstring>
#include <tlm>

namespace strobe {

// read(offset, value&) -> Access and write(offset, value, at) -> Access; a write happens at `at` = now() + delay, which
// may lie ahead because CPUs run ahead of simulated time.
template <class Read, class Write>
void serveRegisterAccess(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay, Read read, Write write)
{
    std::uint32_t value = 0;
    if (payload.get_data_length() != sizeof value || payload.get_streaming_width() < sizeof value) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return;
    }
    if (payload.get_byte_enable_ptr() != nullptr) {
        payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        return;
    }
    const auto offset = static_cast<std::uint32_t>(payload.get_address());
    Access access = payload.get_address() > UINT32_MAX ? Access::Unmapped : Access::Ok;
    if (access == Access::Ok && payload.is_read()) {
        access = read(offset, value);
        std::memcpy(payload.get_data_ptr(), &value, sizeof value);
    } else if (access == Access::Ok && payload.is_write()) {
        std::memcpy(&value, payload.get_data_ptr(), sizeof value);
        access = write(offset, value, now() + fromSc(delay));
    }
    payload.set_response_status(access == Access::Ok ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

} // namespace strobe
