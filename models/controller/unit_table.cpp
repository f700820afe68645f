// SPDX-License-Identifier: Apache-2.0
#include "models/controller/unit_table.h"

namespace strobe::controller {

UnitTable::Step UnitTable::fetch(const UnitContext& unit, const FlashDescriptor& descriptor, std::uint32_t offset,
                                 std::uint32_t sectors, Content page, Time now)
{
    const std::uint32_t before = offset / sectorsPerUnit; // units of earlier rows
    words_.resize(sectors / sectorsPerUnit);
    records_.resize(words_.size());
    const std::uint32_t all = descriptor.sectors / sectorsPerUnit;
    recordsAt_ = descriptor.spareAddress + (all * 4 + before * spareRecordBytes);
    Step step;
    step.reason = MalformedReason::UnitTableOutsideMemory;
    step.moved =
        unit.moveControl(descriptor.spareAddress + before * 4, words_.data(), units() * 4, Direction::FromMemory, now);
    if (!step.moved.ok || descriptor.opcode == SuperchipOpcode::Read)
        return step;
    step.moved = moveUnits(unit, page, Direction::FromMemory, step.moved.end, step.reason);
    if (step.moved.ok)
        step.moved = moveRecords(unit, Direction::FromMemory, step.moved.end);
    return step;
}

UnitTable::Step UnitTable::storeUnits(const UnitContext& unit, Content page, Time at) const
{
    Step step;
    step.moved = moveUnits(unit, page, Direction::ToMemory, at, step.reason);
    return step;
}

UnitTable::Step UnitTable::storeRecords(const UnitContext& unit, Time at)
{
    return {moveRecords(unit, Direction::ToMemory, at), MalformedReason::UnitTableOutsideMemory};
}

std::uint32_t UnitTable::endOfRun(std::uint32_t first) const
{
    std::uint32_t end = first + 1;
    while (end < units() && words_[end] != 0 && words_[end] - words_[end - 1] == unitBytes && words_[first] != 0)
        ++end;
    return end;
}

// A burst for each run of units that are neighbours; `reason` is changed if one fails.
Moved UnitTable::moveUnits(const UnitContext& unit, Content page, Direction direction, Time at,
                           MalformedReason& reason) const
{
    Moved moved{at, true};
    for (std::uint32_t first = 0; first < units() && moved.ok;) {
        const std::uint32_t end = endOfRun(first);
        if (words_[first] == 0) {
            if (direction == Direction::FromMemory)
                clearSectors(page.at(std::size_t{first} * sectorsPerUnit), sectorsPerUnit);
            first = end;
            continue;
        }
        const BusAddress address{words_[first]};
        const std::uint32_t bytes = (end - first) * unitBytes;
        const bool isAligned = raw(address) % sectorBytes == 0;
        moved.ok = isAligned && unit.config.dataBuffer.contains(address, bytes);
        if (moved.ok)
            moved =
                unit.memory.move(address, bytes, page.at(std::size_t{first} * sectorsPerUnit), direction, moved.end);
        if (!moved.ok)
            reason = isAligned ? MalformedReason::BufferOutsideMemory : MalformedReason::BufferUnaligned;
        first = end;
    }
    return moved;
}

Moved UnitTable::moveRecords(const UnitContext& unit, Direction direction, Time at)
{
    return unit.moveControl(recordsAt_, records_.data(), units() * spareRecordBytes, direction, at);
}

} // namespace strobe::controller
