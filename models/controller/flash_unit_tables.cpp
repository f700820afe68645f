// SPDX-License-Identifier: Apache-2.0
//
// Row runs with a sector table: the outbound feeder brings the buffered sectors of the row, then
//   read        what is not buffered comes from flash, the selective replacer puts the rest into its place
//   program     pages with buffered sectors are programmed, zeros where there is none
//   copy-back   the merge: pages are copied back in halves, with the buffered sectors put in between; pages that are
//               buffered whole are programmed
#include "models/base/check.h"
#include "models/controller/flash_unit.h"

#include <algorithm>

namespace strobe::controller {

namespace {

std::uint64_t sectorMask(std::uint32_t first, std::uint32_t sectors)
{
    const std::uint64_t low = sectors >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << sectors) - 1;
    return low << first;
}

} // namespace

// The words of the row, then the sectors they name; returns when these are there.
Time FlashUnit::fetchBuffered(Slot& slot, Job& job, Time now)
{
    const std::uint32_t sectors = slot.run.sectors;
    slot.table.resize(map_.sectorsPerRow());
    slot.replaced.resize(buses());
    slot.fed.resize(map_.sectorsPerRow() * stride(config_.dataMode));
    MalformedReason reason = MalformedReason::TableOutsideMemory;
    Moved moved = moveControl(job.descriptor.spareAddress + slot.offset * 4, slot.table.data(), sectors * 4,
                              Direction::FromMemory, now);
    const Time tableAt = moved.end;
    if (moved.ok)
        moved = feed(slot, tableAt, reason);
    if (!moved.ok) {
        refuse(job, reason, now);
        slot.hasFailed = true;
        return now;
    }
    markReplaced(slot);
    spend(Stage::FetchingData, moved.end - now);
    if (job.descriptor.opcode != SuperchipOpcode::Read) {
        fillFromFed(slot);
        return moved.end;
    }
    slot.decoded = moved.end; // the row is not whole before
    return tableAt;
}

// Neighbouring sectors in one burst.
Moved FlashUnit::feed(Slot& slot, Time at, MalformedReason& reason)
{
    Moved moved{at, true};
    const Content fed{slot.fed.empty() ? nullptr : slot.fed.data(), config_.dataMode};
    for (std::uint32_t first = 0; first < slot.run.sectors && moved.ok;) {
        if (slot.table[first] == 0) {
            ++first;
            continue;
        }
        std::uint32_t end = first + 1;
        while (end < slot.run.sectors && slot.table[end] == slot.table[end - 1] + sectorBytes)
            ++end;
        const BusAddress address{slot.table[first]};
        const auto bytes = static_cast<std::uint32_t>((end - first) * sectorBytes);
        reason =
            raw(address) % sectorBytes != 0 ? MalformedReason::BufferUnaligned : MalformedReason::BufferOutsideMemory;
        moved.ok = raw(address) % sectorBytes == 0 && config_.dataBuffer.contains(address, bytes);
        if (moved.ok)
            moved = memory_.move(address, bytes, fed.at(first), Direction::FromMemory, moved.end);
        first = end;
    }
    return moved;
}

void FlashUnit::markReplaced(Slot& slot)
{
    for (std::uint32_t bus = 0; bus < slot.buses(); ++bus) {
        const PageRun share = slot.map->pageRun(slot.run, bus);
        slot.replaced[bus] = 0;
        for (std::uint32_t i = 0; i < share.sectors; ++i) {
            if (slot.table[share.offset + i * slot.buses()] != 0)
                slot.replaced[bus] |= std::uint64_t{1} << (share.firstSector + i);
        }
    }
}

// Into the speed-matching buffers, zeros where nothing is buffered.
void FlashUnit::fillFromFed(Slot& slot)
{
    const Content fed{slot.fed.empty() ? nullptr : slot.fed.data(), config_.dataMode};
    for (std::uint32_t bus = 0; bus < slot.buses(); ++bus) {
        const PageRun share = slot.map->pageRun(slot.run, bus);
        const Content page = lane(slot, bus);
        for (std::uint32_t i = 0; i < share.sectors; ++i) {
            const std::uint32_t place = share.offset + i * slot.buses();
            if (slot.table[place] != 0)
                copySectors(page.at(i), fed.at(place), 1);
            else
                clearSectors(page.at(i), 1);
        }
    }
}

bool FlashUnit::needsFlash(const Slot& slot, const Job& job, const PageRun& share, std::uint32_t bus) const
{
    switch (job.descriptor.opcode) {
    case SuperchipOpcode::Read:
        return !job.descriptor.isUnmapped() && slot.replaced[bus] != sectorMask(share.firstSector, share.sectors);
    case SuperchipOpcode::Program: return slot.replaced[bus] != 0;
    default: return true;
    }
}

// A copy-back of the page on `bus`: in halves, or a program if nothing of the source is left.
void FlashUnit::shapeOperation(nand::Operation& op, Slot& slot, const Job& job, std::uint32_t bus,
                               const PageRun& share) const
{
    const FlashDescriptor& descriptor = job.descriptor;
    if (descriptor.commonSpare)
        op.spare = descriptor.spare;
    op.replaced = descriptor.hasSectorTable ? slot.replaced[bus] : 0;
    op.data = lane(slot, bus);
    if (op.replaced == sectorMask(share.firstSector, share.sectors)) {
        op.opcode = nand::Opcode::Program;
        op.sectors = share.sectors;
        op.replaced = 0;
        return;
    }
    op.form = nand::Form::CopyOut;
    op.replacesSpare = descriptor.commonSpare;
}

// The source is blank: with sectors to put into it the page is programmed, without it stays blank.
bool FlashUnit::programsInstead(const Slot& slot, const Job& job, const nand::Operation& op, std::uint16_t laneNumber,
                                Time now)
{
    if (op.status != nand::Status::Ok || op.replaced == 0)
        return false;
    nand::Operation program;
    program.opcode = nand::Opcode::Program;
    program.priority = op.priority;
    program.purpose = op.purpose;
    program.die = op.die;
    program.target = op.target;
    program.sectors = slot.map->dieGeometry().sectorsPerPage();
    program.data = op.data;
    if (job.descriptor.commonSpare)
        program.spare = job.descriptor.spare;
    const Time at = ecc_[slot.map->array().channelOf(op.die)].encode(
        static_cast<std::uint32_t>(program.sectors * sectorBytes), now);
    port_.sendOperation({id_, laneNumber}, program, at);
    return true;
}

// The selective replacer.
void FlashUnit::replaceFed(Slot& slot, const Job& job, Content destination)
{
    const Content fed{slot.fed.empty() ? nullptr : slot.fed.data(), config_.dataMode};
    for (std::uint32_t i = 0; i < slot.run.sectors; ++i) {
        if (slot.table[i] != 0)
            copySectors(destination.at(i), fed.at(i), 1);
        else if (job.descriptor.isUnmapped())
            clearSectors(destination.at(i), 1);
    }
}

} // namespace strobe::controller
