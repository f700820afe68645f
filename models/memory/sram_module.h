#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// On-chip memory on the fabric: SRAM, and the block from which firmware boots. Base protocol, addresses counted
// from its start, a fixed latency per access and no contention; DMI for all of it. Contents start as zeros.

#include "models/base/time.h"

#include <cstddef>
#include <cstdint>
#include <systemc>
#include <tlm_utils/simple_target_socket.h>
#include <vector>

namespace strobe::memory {

class SramModule : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<SramModule> fabric{"fabric"};

    // `size` in bytes; `latency` of an access that does not go through DMI.
    SramModule(const sc_core::sc_module_name& name, std::uint32_t size, Time latency);

    const std::byte* bytes() const { return bytes_.data(); }
    std::byte* bytes() { return bytes_.data(); } // size() of them, for the platform to fill before the run
    std::uint32_t size() const { return static_cast<std::uint32_t>(bytes_.size()); }

private:
    void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    bool directMemory(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
    unsigned int debug(tlm::tlm_generic_payload& payload);
    std::byte* at(const tlm::tlm_generic_payload& payload); // null: not all of it is here

    sc_core::sc_time latency_;
    std::vector<std::byte> bytes_;
};

} // namespace strobe::memory
