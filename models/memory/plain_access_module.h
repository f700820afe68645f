#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Handling of a payload by every memory target of the base protocol once its address is decoded: shared by SRAM and
// SDRAM. Plain reads and writes of any length; byte enables and streaming are refused with their TLM-2.0 responses.

#include <cstddef>
#include <tlm>

namespace strobe::memory {

// Moves the payload's bytes from or to `bytes` and sets the response; null `bytes`: the address is not memory.
void accessPlain(tlm::tlm_generic_payload& payload, std::byte* bytes);

// The same for transport_dbg: returns the number of bytes moved.
unsigned int accessPlainDebug(tlm::tlm_generic_payload& payload, std::byte* bytes);

} // namespace strobe::memory
