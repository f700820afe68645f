// SPDX-License-Identifier: Apache-2.0
#include "models/controller/row_slot.h"

namespace strobe::controller {

namespace {

nand::Opcode lowLevel(SuperchipOpcode opcode)
{
    switch (opcode) {
    case SuperchipOpcode::Read: return nand::Opcode::Read;
    case SuperchipOpcode::Program: return nand::Opcode::Program;
    case SuperchipOpcode::Erase: return nand::Opcode::Erase;
    case SuperchipOpcode::CopyBack: break;
    }
    return nand::Opcode::CopyBack;
}

// A copy-back with a sector table or a new spare record: in halves, or a program if nothing of the source is left.
void shapeMerge(nand::Operation& op, RowSlot& slot, std::uint32_t bus, const PageRun& share)
{
    const FlashDescriptor& descriptor = slot.job->descriptor;
    if (descriptor.commonSpare)
        op.spare = descriptor.spare;
    op.replaced = descriptor.hasSectorTable ? slot.table.replaced(bus) : 0;
    op.data = slot.buffer.lane(bus);
    if (op.replaced == sectorMask(share.firstSector, share.sectors)) {
        op.opcode = nand::Opcode::Program;
        op.sectors = share.sectors;
        op.replaced = 0;
        return;
    }
    op.form = nand::Form::CopyOut;
    op.replacesSpare = descriptor.commonSpare;
}

} // namespace

std::uint32_t RowSlot::placeInRow(const SuperchipMap& map, const RowRun& run, std::uint32_t bus)
{
    if (run.sectors >= map.degrees().bus)
        return bus;
    std::uint32_t place = 0;
    for (std::uint32_t before = 0; before < bus; ++before)
        place += map.pageRun(run, before).sectors != 0 ? 1U : 0U;
    return place;
}

bool needsFlashWithTable(const RowSlot& slot, std::uint32_t bus, const PageRun& share)
{
    const FlashDescriptor& descriptor = slot.job->descriptor;
    switch (descriptor.opcode) {
    case SuperchipOpcode::Read: return !descriptor.isUnmapped() && !slot.table.isWhole(bus, share);
    case SuperchipOpcode::Program: return slot.table.replaced(bus) != 0;
    default: return true;
    }
}

nand::Operation lowLevelOperation(RowSlot& slot, nand::Priority priority, std::uint32_t bus, const PageRun& share)
{
    const UnitJob& job = *slot.job;
    const FlashDescriptor& descriptor = job.descriptor;
    nand::Operation op;
    op.opcode = lowLevel(descriptor.opcode);
    op.priority = priority;
    op.purpose = descriptor.purpose;
    op.pslc = descriptor.isPslc;
    op.isStepped = descriptor.isStepped;
    op.die = slot.map->die(descriptor.superchip, share.chip);
    op.target = {job.targetBlocks[share.chip], slot.run.page};
    if (op.opcode == nand::Opcode::CopyBack) {
        const std::uint32_t pageDistance =
            slot.run.page -
            descriptor.startSector / slot.map->sectorsPerSuperpage(); // rows may start within a superpage
        op.source = {job.sourceBlocks[share.chip],
                     descriptor.sourceSector / slot.map->sectorsPerSuperpage() + pageDistance};
        if (descriptor.hasSectorTable || descriptor.commonSpare)
            shapeMerge(op, slot, bus, share);
        return op;
    }
    op.firstSector = share.firstSector;
    op.sectors = share.sectors;
    op.data = slot.buffer.lane(bus);
    if (descriptor.hasReadOption) {
        op.readOption = static_cast<std::uint8_t>(descriptor.readOption());
        op.senses = static_cast<std::uint8_t>(descriptor.senses());
        op.attempt = static_cast<std::uint8_t>(descriptor.attempt());
    }
    if (descriptor.hasUnitTable)
        op.moreSpares = slot.units.records() + 1;
    if (op.opcode == nand::Opcode::Program) {
        if (descriptor.inlineSpare || descriptor.commonSpare)
            op.spare = descriptor.spare;
        else if (raw(descriptor.spareAddress) != 0 && !descriptor.hasSectorTable)
            op.spare = slot.spareOf(bus);
    }
    return op;
}

Primitive firstPrimitive(const nand::Operation& op)
{
    if (op.opcode == nand::Opcode::Read)
        return Primitive::DataOut;
    return op.form == nand::Form::CopyOut ? Primitive::RecordOut : Primitive::StatusRead;
}

nand::Operation programOfBlankMerge(const RowSlot& slot, const nand::Operation& copyOut)
{
    nand::Operation program;
    program.opcode = nand::Opcode::Program;
    program.priority = copyOut.priority;
    program.purpose = copyOut.purpose;
    program.pslc = copyOut.pslc;
    program.isStepped = copyOut.isStepped;
    program.die = copyOut.die;
    program.target = copyOut.target;
    program.sectors = slot.map->dieGeometry().sectorsPerPage();
    program.data = copyOut.data;
    if (slot.job->descriptor.commonSpare)
        program.spare = slot.job->descriptor.spare;
    return program;
}

} // namespace strobe::controller
