#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The data-mover wire of the bulk memory: DMA engines (host interface, flash units) move sectors and descriptors
// through a port of the SDRAM with b_transport, loosely timed: the memory adds port waiting, latency and transfer time
// to the delay and never waits, so SC_METHODs may call it. The payload is a Burst instead of TLM's generic payload:
// some five bursts per page operation need none of its further attributes, and a sector may be 0, 8 or 512 host bytes.
// CPUs reach the same memory through the fabric by ordinary base-protocol b_transport and DMI.

#include "models/base/content.h"
#include "models/base/ids.h"

#include <cstdint>
#include <tlm>

namespace strobe::memory {

struct Burst {
    BusAddress address{};
    std::uint32_t bytes = 0; // on the bus
    // What is moved. In the data buffer area: sectors in the platform's data mode. Elsewhere: plain bytes (descriptors,
    // tables), as DataMode::Bytes. Empty content: timing only.
    Content content;
    bool isWrite = false; // to memory
    bool isOk = false;    // the answer; false: not an address of this memory, or not whole sectors
};

struct Protocol {
    using tlm_payload_type = Burst;
    using tlm_phase_type = tlm::tlm_phase;
};

} // namespace strobe::memory
