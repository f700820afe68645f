#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Host memory behind a TLM-2.0 initiator socket, as the NVMe controller sees it: one b_transport per access. The
// annotated delay is ignored, because the PCI Express link has already timed the access. Sectors are real bytes.
// REQUIRES: calls from a thread process, since the target may wait.

#include "models/host/pcie/host_memory.h"

#include <tlm>

namespace strobe::platform {

class DmaMemory final : public host::HostMemory {
public:
    explicit DmaMemory(tlm::tlm_initiator_socket<>& socket) : socket_(socket) {}

    // False: the target returned an error.
    bool read(std::uint64_t address, void* destination, std::uint32_t bytes) override;
    bool write(std::uint64_t address, const void* source, std::uint32_t bytes) override;
    bool readSectors(std::uint64_t address, std::uint32_t sectors, Content destination) override;
    bool writeSectors(std::uint64_t address, std::uint32_t sectors, Content source) override;

private:
    bool access(tlm::tlm_command command, std::uint64_t address, unsigned char* data, std::uint32_t bytes);

    tlm::tlm_initiator_socket<>& socket_;
};

} // namespace strobe::platform
