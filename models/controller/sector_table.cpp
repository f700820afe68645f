// SPDX-License-Identifier: Apache-2.0
#include "models/controller/sector_table.h"

namespace strobe::controller {

SectorTable::Fetched SectorTable::fetch(const UnitContext& unit, const SuperchipMap& map, BusAddress table,
                                        const RowRun& run, Time now)
{
    mode_ = unit.config.dataMode;
    words_.resize(unit.map.sectorsPerRow());
    replaced_.resize(unit.buses());
    fed_.resize(unit.map.sectorsPerRow() * stride(mode_));
    Fetched fetched;
    fetched.reason = MalformedReason::TableOutsideMemory;
    fetched.moved = unit.moveControl(table, words_.data(), run.sectors * 4, Direction::FromMemory, now);
    fetched.tableAt = fetched.moved.end;
    if (fetched.moved.ok)
        fetched.moved = feed(unit, run, fetched.tableAt, fetched.reason);
    if (fetched.moved.ok)
        mark(map, run);
    return fetched;
}

Moved SectorTable::feed(const UnitContext& unit, const RowRun& run, Time at, MalformedReason& reason)
{
    Moved moved{at, true};
    for (std::uint32_t first = 0, end = 0; first < run.sectors && moved.ok; first = end) {
        end = endOfRun(first, run.sectors);
        if (words_[first] == 0)
            continue;
        const BusAddress address{words_[first]};
        const auto bytes = static_cast<std::uint32_t>((end - first) * sectorBytes);
        const bool isAligned = raw(address) % sectorBytes == 0;
        reason = isAligned ? MalformedReason::BufferOutsideMemory : MalformedReason::BufferUnaligned;
        moved.ok = isAligned && unit.config.dataBuffer.contains(address, bytes);
        if (moved.ok)
            moved = unit.memory.move(address, bytes, fed().at(first), Direction::FromMemory, moved.end);
    }
    return moved;
}

void SectorTable::mark(const SuperchipMap& map, const RowRun& run)
{
    const std::uint32_t buses = map.degrees().bus;
    for (std::uint32_t bus = 0; bus < buses; ++bus) {
        const PageRun share = map.pageRun(run, bus);
        replaced_[bus] = 0;
        for (std::uint32_t i = 0; i < share.sectors; ++i) {
            if (words_[share.offset + i * buses] != 0)
                replaced_[bus] |= std::uint64_t{1} << (share.firstSector + i);
        }
    }
}

void SectorTable::fill(RowBuffer& buffer, const SuperchipMap& map, const RowRun& run)
{
    const std::uint32_t buses = map.degrees().bus;
    for (std::uint32_t bus = 0; bus < buses; ++bus) {
        const PageRun share = map.pageRun(run, bus);
        const Content page = buffer.lane(bus);
        for (std::uint32_t i = 0; i < share.sectors; ++i) {
            const std::uint32_t place = share.offset + i * buses;
            if (words_[place] != 0)
                copySectors(page.at(i), fed().at(place), 1);
            else
                clearSectors(page.at(i), 1);
        }
    }
}

void SectorTable::replaceIn(Content row, std::uint32_t sectors, bool isUnmapped)
{
    for (std::uint32_t i = 0; i < sectors; ++i) {
        if (words_[i] != 0)
            copySectors(row.at(i), fed().at(i), 1);
        else if (isUnmapped)
            clearSectors(row.at(i), 1);
    }
}

} // namespace strobe::controller
