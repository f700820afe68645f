#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The data-mover wire of the bulk memory: DMA engines (host interface, flash units) move sectors and descriptors
// through a port of the SDRAM with b_transport, loosely timed: the memory adds port waiting, latency and transfer time
// to the delay and never waits, so SC_METHODs may call it. Address and length are true byte counts on the bus; the
// payload's own data pointer stays null, and the contents are in the mandatory extension, because a sector may be 0, 8
// or 512 host bytes. CPUs reach the same memory through the fabric by ordinary base-protocol b_transport and DMI.

#include "models/base/content.h"

#include <tlm>

namespace strobe::memory {

struct Protocol {
    using tlm_payload_type = tlm::tlm_generic_payload;
    using tlm_phase_type = tlm::tlm_phase;
};

// The contents moved. In the data buffer area: sectors in the platform's data mode. Elsewhere: plain bytes
// (descriptors, tables), as DataMode::Bytes with the payload's length in bytes. Empty content: timing only.
struct Transfer : tlm::tlm_extension<Transfer> {
    Content content;

    tlm::tlm_extension_base* clone() const override { return new Transfer(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const Transfer&>(other); }
};

} // namespace strobe::memory
