// SPDX-License-Identifier: Apache-2.0
#include "models/host/ahci/ahci_regions.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::host::ahci {

bool RegionList::read(HostMemory& memory, const CommandHeader& header)
{
    const std::uint32_t entries = header.flags >> 16U;
    regions_.clear();
    entries_.resize(entries);
    if (entries > 0 && !memory.read(header.table + tableEntries, entries_.data(), entries * entryBytes))
        return false;
    std::uint64_t at = 0;
    for (const RegionEntry& entry : entries_) {
        const std::uint64_t bytes = (entry.length & 0x3F'FFFFU) + std::uint64_t{1};
        regions_.push_back({entry.address, at, at + bytes});
        at += bytes;
    }
    return true;
}

// The pieces of sectors [first, first + sectors) in host memory: address, bytes before, bytes.
template <class Each>
void RegionList::eachPiece(std::uint32_t first, std::uint32_t sectors, Each each) const
{
    const std::uint64_t begin = std::uint64_t{first} * sectorBytes;
    const std::uint64_t end = begin + std::uint64_t{sectors} * sectorBytes;
    auto region = std::upper_bound(regions_.begin(), regions_.end(), begin,
                                   [](std::uint64_t at, const Region& r) { return at < r.end; });
    for (std::uint64_t at = begin; at < end && region != regions_.end(); ++region) {
        const std::uint64_t part = std::min(end, region->end) - at;
        each(region->address + at - region->begin, at - begin, part);
        at += part;
    }
}

template <class MoveSectors, class MoveBytes>
void RegionList::move(std::uint32_t first, std::uint32_t sectors, Content content, MoveSectors moveSectors,
                      MoveBytes moveBytes) const
{
    eachPiece(first, sectors, [&](std::uint64_t address, std::uint64_t done, std::uint64_t bytes) {
        if (done % sectorBytes == 0 && bytes % sectorBytes == 0) {
            moveSectors(address, static_cast<std::uint32_t>(bytes / sectorBytes), content.at(done / sectorBytes));
        } else {
            check(content.mode != DataMode::Tags,
                  "a sector's tag cannot be torn: its buffer is not made of whole sectors");
            if (!content.empty())
                moveBytes(address, content.data + done, static_cast<std::uint32_t>(bytes));
        }
    });
}

void RegionList::fetch(HostMemory& memory, std::uint32_t first, std::uint32_t sectors, Content destination) const
{
    move(
        first, sectors, destination,
        [&memory](std::uint64_t address, std::uint32_t run, Content content) {
            memory.readSectors(address, run, content);
        },
        [&memory](std::uint64_t address, std::byte* data, std::uint32_t bytes) { memory.read(address, data, bytes); });
}

void RegionList::store(HostMemory& memory, std::uint32_t first, std::uint32_t sectors, Content source) const
{
    move(
        first, sectors, source,
        [&memory](std::uint64_t address, std::uint32_t run, Content content) {
            memory.writeSectors(address, run, content);
        },
        [&memory](std::uint64_t address, const std::byte* data, std::uint32_t bytes) {
            memory.write(address, data, bytes);
        });
}

void RegionList::storeSector(HostMemory& memory, const void* source) const
{
    eachPiece(0, 1, [&](std::uint64_t address, std::uint64_t done, std::uint64_t bytes) {
        memory.write(address, static_cast<const std::byte*>(source) + done, static_cast<std::uint32_t>(bytes));
    });
}

bool RegionList::readTrim(HostMemory& memory, std::uint32_t blocks, Command& trim) const
{
    trim.kind = RequestKind::Trim;
    std::uint64_t total = 0;
    std::uint64_t left = std::uint64_t{blocks} * sectorBytes / sizeof(std::uint64_t);
    for (const Region& region : regions_) {
        for (std::uint64_t at = region.begin; at < region.end && left > 0; at += sizeof(std::uint64_t), --left) {
            std::uint64_t range = 0;
            if (!memory.read(region.address + at - region.begin, &range, sizeof range))
                return false;
            const std::uint64_t lba = range & 0xFFFF'FFFF'FFFF;
            const std::uint64_t sectors = range >> 48U;
            if (sectors == 0)
                continue;
            if (total != 0 && lba != trim.lba + total)
                return false;
            trim.lba = total == 0 ? lba : trim.lba;
            total += sectors;
        }
    }
    trim.sectors = static_cast<std::uint32_t>(total);
    return left == 0 && total != 0 && total == trim.sectors;
}

} // namespace strobe::host::ahci
