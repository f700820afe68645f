#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Transfers between the host and the SSD that have been ordered and have not ended, by handle, and where their sectors
// are: in the data buffer, or held by the flash controller. Owns no clock; a handle is free again when its transfer has
// ended.

#include "models/host/dma_port.h"
#include "models/memory/region.h"

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::host {

struct HostTransfer {
    std::uint16_t slot = 0;
    bool toHost = false;
    bool notify = false;   // its end is an event
    bool complete = false; // its end completes the command
    std::uint32_t buffer = 0;
    std::uint32_t cookie = 0;
    bool isDirect = false;
    Content direct;          // with isDirect: the sectors, and the token in `cookie`
    bool isFed = false;      // by the inbound feeder
    std::uint32_t range = 0; // with isFed: of the command, as XFER_RANGE
};

class HostTransfers {
public:
    // `dataBuffer`: allowed addresses.
    HostTransfers(const memory::Region& dataBuffer, HostDmaPort& memory) : dataBuffer_(dataBuffer), memory_(memory) {}

    // Why sectors at the address cannot be transferred. Empty: they can.
    std::string bufferFault(std::uint32_t address, std::uint32_t sectors) const;

    std::uint64_t add(const HostTransfer& transfer);
    // Sectors of a transfer cross between `content` and their place from `at` on. Returns when the memory is done.
    Time access(std::uint64_t handle, std::uint32_t firstSector, std::uint32_t sectors, Content content, Time at);
    HostTransfer remove(std::uint64_t handle);

private:
    memory::Region dataBuffer_;
    HostDmaPort& memory_;
    std::vector<HostTransfer> transfers_; // by handle
    std::vector<std::uint64_t> free_;
};

} // namespace strobe::host
