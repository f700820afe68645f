// SPDX-License-Identifier: Apache-2.0
#include "models/memory/plain_access_module.h"

#include <cstring>

namespace strobe::memory {

namespace {
void copyBytes(tlm::tlm_generic_payload& payload, std::byte* bytes)
{
    if (payload.is_read())
        std::memcpy(payload.get_data_ptr(), bytes, payload.get_data_length());
    else if (payload.is_write())
        std::memcpy(bytes, payload.get_data_ptr(), payload.get_data_length());
}
} // namespace

void accessPlain(tlm::tlm_generic_payload& payload, std::byte* bytes)
{
    if (bytes == nullptr) {
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    } else if (payload.get_byte_enable_ptr() != nullptr) {
        payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    } else if (payload.get_streaming_width() < payload.get_data_length()) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    } else {
        copyBytes(payload, bytes);
        payload.set_dmi_allowed(true);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
}

unsigned int accessPlainDebug(tlm::tlm_generic_payload& payload, std::byte* bytes)
{
    if (bytes == nullptr || !(payload.is_read() || payload.is_write()))
        return 0;
    copyBytes(payload, bytes);
    return payload.get_data_length();
}

} // namespace strobe::memory
