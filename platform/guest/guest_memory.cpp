// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/guest_memory.h"

#include "models/base/check.h"

#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>

namespace strobe::platform::guest {

GuestMemory::~GuestMemory()
{
    clear();
}

void GuestMemory::clear()
{
    for (const Region& region : regions_)
        ::munmap(region.data, region.bytes);
    regions_.clear();
}

bool GuestMemory::add(std::uint64_t address, std::uint64_t bytes, const FileDescriptor& file, std::uint64_t offset)
{
    struct stat status {};
    if (bytes == 0 || address + bytes < address || offset + bytes < offset || ::fstat(file.get(), &status) != 0 ||
        static_cast<std::uint64_t>(status.st_size) < offset + bytes)
        return false;
    void* const data =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), static_cast<off_t>(offset));
    if (data == MAP_FAILED)
        return false;
    regions_.push_back({address, bytes, static_cast<std::byte*>(data)});
    return true;
}

std::byte* GuestMemory::at(std::uint64_t address, std::uint64_t bytes)
{
    for (const Region& region : regions_) {
        const std::uint64_t offset = address - region.address;
        if (address >= region.address && offset < region.bytes && bytes <= region.bytes - offset)
            return region.data + offset;
    }
    return nullptr;
}

bool GuestMemory::read(std::uint64_t address, void* destination, std::uint32_t bytes)
{
    const std::byte* const data = at(address, bytes);
    if (data != nullptr && bytes != 0) // an empty descriptor has no place for its bytes
        std::memcpy(destination, data, bytes);
    return data != nullptr;
}

bool GuestMemory::write(std::uint64_t address, const void* source, std::uint32_t bytes)
{
    std::byte* const data = at(address, bytes);
    if (data != nullptr && bytes != 0)
        std::memcpy(data, source, bytes);
    return data != nullptr;
}

bool GuestMemory::readSectors(std::uint64_t address, std::uint32_t sectors, Content destination)
{
    check(destination.mode == DataMode::Bytes, "a guest's memory holds real bytes");
    return read(address, destination.data, sectors * std::uint32_t{sectorBytes});
}

bool GuestMemory::writeSectors(std::uint64_t address, std::uint32_t sectors, Content source)
{
    check(source.mode == DataMode::Bytes, "a guest's memory holds real bytes");
    return write(address, source.data, sectors * std::uint32_t{sectorBytes});
}

} // namespace strobe::platform::guest
