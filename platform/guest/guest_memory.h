#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The guest's memory as its device sees it: regions of files that the guest shares (vhost-user SET_MEM_TABLE), by
// guest-physical address. An access that is not wholly within one region fails; nothing outside the regions can be
// reached. Sectors are real bytes.

#include "models/host/pcie/host_memory.h"
#include "platform/guest/socket.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::platform::guest {

class GuestMemory final : public host::HostMemory {
public:
    GuestMemory() = default;
    ~GuestMemory() override;
    GuestMemory(const GuestMemory&) = delete;
    GuestMemory& operator=(const GuestMemory&) = delete;

    // Maps `bytes` of the file from `offset` on. False: the file is shorter than that, or cannot be mapped.
    bool add(std::uint64_t address, std::uint64_t bytes, const FileDescriptor& file, std::uint64_t offset);
    void clear();
    bool isEmpty() const { return regions_.empty(); }

    // Null: not within one region.
    std::byte* at(std::uint64_t address, std::uint64_t bytes);

    bool read(std::uint64_t address, void* destination, std::uint32_t bytes) override;
    bool write(std::uint64_t address, const void* source, std::uint32_t bytes) override;
    bool readSectors(std::uint64_t address, std::uint32_t sectors, Content destination) override;
    bool writeSectors(std::uint64_t address, std::uint32_t sectors, Content source) override;

private:
    struct Region {
        std::uint64_t address;
        std::uint64_t bytes;
        std::byte* data;
    };
    std::vector<Region> regions_;
};

} // namespace strobe::platform::guest
