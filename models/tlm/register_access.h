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

// A debugger's view (transport_dbg), without side effects: reads of whole words; peek(offset, value&) -> Access. Words
// between registers read as zero, unless there are no others. Returns the bytes that were read: all or none. A debugger
// does not write: a doorbell rung by it would start something without an owner.
template <class Peek>
unsigned serveRegisterView(tlm::tlm_generic_payload& payload, Peek peek)
{
    constexpr unsigned wordBytes = sizeof(std::uint32_t);
    const unsigned bytes = payload.get_data_length();
    if (!payload.is_read() || bytes % wordBytes != 0 || payload.get_address() > UINT32_MAX - bytes)
        return 0;
    bool isAny = false;
    for (unsigned at = 0; at < bytes; at += wordBytes) {
        std::uint32_t value = 0;
        const Access access = peek(static_cast<std::uint32_t>(payload.get_address()) + at, value);
        if (access == Access::Misaligned)
            return 0;
        isAny = isAny || access == Access::Ok;
        std::memcpy(payload.get_data_ptr() + at, &value, wordBytes);
    }
    return isAny ? bytes : 0;
}

} // namespace strobe
