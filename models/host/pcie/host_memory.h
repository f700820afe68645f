#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The host's memory as a device accesses it: queues, lists and tables as real bytes, user data as sector contents in
// the data mode of the run. A host with an operating system implements it over its own memory (bytes); DriverMemory
// serves the drivers that come with Strobe. Addresses are bus addresses. No timing: the caller accounts for the time.

#include "models/base/content.h"
#include "models/host/command_port.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace strobe::host {

class HostMemory {
public:
    virtual ~HostMemory() = default;
    // Real bytes. False: there is no memory at some of these addresses; nothing was moved.
    virtual bool read(std::uint64_t address, void* destination, std::uint32_t bytes) = 0;
    virtual bool write(std::uint64_t address, const void* source, std::uint32_t bytes) = 0;
    // Whole sectors of user data, contiguous from `address` on. Contents are empty in DataMode::None.
    virtual bool readSectors(std::uint64_t address, std::uint32_t sectors, Content destination) = 0;
    virtual bool writeSectors(std::uint64_t address, std::uint32_t sectors, Content source) = 0;
};

// Memory of Strobe's drivers: sparse pages of real bytes in its lower part, and above, one window per command slot
// that represents the slot's data buffer: reads from it return HostSide::fillWriteData, writes to it are passed to
// HostSide::takeReadData. As an operating system's pages do, those of a buffer are scattered (in descending order), so
// that a device that does not follow the page list moves wrong data.
class DriverMemory final : public HostMemory {
public:
    static constexpr std::uint32_t pageBytes = 4096;
    static constexpr std::uint64_t windowBytes = std::uint64_t{1} << 25; // 65,536 sectors
    static constexpr std::uint64_t firstWindow = std::uint64_t{1} << 44;

    void connect(HostSide& host) { host_ = &host; }

    bool read(std::uint64_t address, void* destination, std::uint32_t bytes) override;
    bool write(std::uint64_t address, const void* source, std::uint32_t bytes) override;
    bool readSectors(std::uint64_t address, std::uint32_t sectors, Content destination) override;
    bool writeSectors(std::uint64_t address, std::uint32_t sectors, Content source) override;

    // The given number of bytes from a page boundary on, zeroed.
    std::uint64_t allocate(std::uint64_t bytes);
    // The address of page `page` of a slot's data buffer.
    static std::uint64_t dataPage(std::uint32_t slot, std::uint32_t page)
    {
        return firstWindow + slot * windowBytes + (windowBytes / pageBytes - 1 - page) * pageBytes;
    }

private:
    using Page = std::array<std::byte, pageBytes>;
    Page* pageAt(std::uint64_t address);
    template <class Move>
    bool eachPart(std::uint64_t address, std::uint32_t bytes, Move move);
    template <class Move>
    bool eachSectorRun(std::uint64_t address, std::uint32_t sectors, Move move);

    HostSide* host_ = nullptr;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_; // by page number
    std::uint64_t lastNumber_ = 0;                                   // of the page that was used last
    Page* lastPage_ = nullptr;
    std::uint64_t next_ = std::uint64_t{1} << 32; // above the addresses of a 32-bit header
};

} // namespace strobe::host
