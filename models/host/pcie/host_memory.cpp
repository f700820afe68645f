// SPDX-License-Identifier: Apache-2.0
#include "models/host/pcie/host_memory.h"

#include "models/base/check.h"

#include <algorithm>
#include <cstring>

namespace strobe::host {

std::uint64_t DriverMemory::allocate(std::uint64_t bytes)
{
    const std::uint64_t address = next_;
    for (std::uint64_t done = 0; done < bytes; done += pageBytes, next_ += pageBytes)
        pages_.emplace(next_ / pageBytes, std::make_unique<Page>());
    return address;
}

DriverMemory::Page* DriverMemory::pageAt(std::uint64_t address)
{
    const std::uint64_t number = address / pageBytes;
    if (lastPage_ == nullptr || number != lastNumber_) {
        const auto found = pages_.find(number);
        if (found == pages_.end())
            return nullptr;
        lastNumber_ = number;
        lastPage_ = found->second.get();
    }
    return lastPage_;
}

template <class Move>
bool DriverMemory::eachPart(std::uint64_t address, std::uint32_t bytes, Move move)
{
    for (std::uint64_t at = address; at < address + bytes; at = (at / pageBytes + 1) * pageBytes) {
        if (pageAt(at) == nullptr)
            return false;
    }
    for (std::uint32_t done = 0; done < bytes;) {
        const auto offset = static_cast<std::uint32_t>((address + done) % pageBytes);
        const std::uint32_t part = std::min(bytes - done, pageBytes - offset);
        move(pageAt(address + done)->data() + offset, done, part);
        done += part;
    }
    return true;
}

bool DriverMemory::read(std::uint64_t address, void* destination, std::uint32_t bytes)
{
    return eachPart(address, bytes, [&](const std::byte* page, std::uint32_t done, std::uint32_t part) {
        std::memcpy(static_cast<std::byte*>(destination) + done, page, part);
    });
}

bool DriverMemory::write(std::uint64_t address, const void* source, std::uint32_t bytes)
{
    return eachPart(address, bytes, [&](std::byte* page, std::uint32_t done, std::uint32_t part) {
        std::memcpy(page, static_cast<const std::byte*>(source) + done, part);
    });
}

// Runs within a page: (slot, sector within the slot's buffer, sectors before this run, sectors of it).
template <class Move>
bool DriverMemory::eachSectorRun(std::uint64_t address, std::uint32_t sectors, Move move)
{
    constexpr std::uint32_t perPage = pageBytes / sectorBytes;
    constexpr std::uint64_t pagesPerWindow = windowBytes / pageBytes;
    if (address < firstWindow || address % sectorBytes != 0)
        return false;
    for (std::uint32_t done = 0; done < sectors;) {
        const std::uint64_t at = address - firstWindow + std::uint64_t{done} * sectorBytes;
        const std::uint64_t page = pagesPerWindow - 1 - at % windowBytes / pageBytes;
        const auto within = static_cast<std::uint32_t>(at % pageBytes / sectorBytes);
        const std::uint32_t run = std::min(sectors - done, perPage - within);
        move(static_cast<std::uint16_t>(at / windowBytes), static_cast<std::uint32_t>(page) * perPage + within, done,
             run);
        done += run;
    }
    return true;
}

bool DriverMemory::readSectors(std::uint64_t address, std::uint32_t sectors, Content destination)
{
    return eachSectorRun(address, sectors,
                         [&](std::uint16_t slot, std::uint32_t first, std::uint32_t done, std::uint32_t run) {
                             host_->fillWriteData(slot, first, run, destination.at(done));
                         });
}

bool DriverMemory::writeSectors(std::uint64_t address, std::uint32_t sectors, Content source)
{
    return eachSectorRun(address, sectors,
                         [&](std::uint16_t slot, std::uint32_t first, std::uint32_t done, std::uint32_t run) {
                             host_->takeReadData(slot, first, run, source.at(done));
                         });
}

} // namespace strobe::host
