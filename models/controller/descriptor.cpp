// SPDX-License-Identifier: Apache-2.0
#include "models/controller/descriptor.h"

#include "models/base/strobe_registers.h"

#include <algorithm>

namespace strobe::controller {

namespace layout = regs::flashDescriptor;

namespace {

constexpr std::uint32_t flag(bool isSet, std::uint32_t mask)
{
    return isSet ? mask : 0;
}

bool isCopyBackAligned(const FlashDescriptor& descriptor, const SuperchipMap& map)
{
    const std::uint32_t row = map.sectorsPerRow();
    const std::uint32_t page = map.sectorsPerSuperpage();
    return descriptor.startSector % row == 0 && descriptor.sectors % row == 0 && descriptor.sourceSector % row == 0 &&
           descriptor.startSector % page == descriptor.sourceSector % page;
}

bool fitsSuperblock(std::uint32_t first, const FlashDescriptor& descriptor, const SuperchipMap& map)
{
    const std::uint32_t pages = map.dieGeometry().pagesOfBlock(descriptor.isPslc);
    return std::uint64_t{first} + descriptor.sectors <= std::uint64_t{map.sectorsPerSuperpage()} * pages;
}

MalformedReason checkBuffer(const FlashDescriptor& descriptor, const memory::Region& dataBuffer, bool hasHost)
{
    if (descriptor.hasUnitTable || (descriptor.opcode == SuperchipOpcode::Program && descriptor.hasSectorTable))
        return MalformedReason::None;
    if (descriptor.buffer == hostInterfaceBuffer)
        return descriptor.isToHost() && hasHost ? MalformedReason::None : MalformedReason::HostBuffer;
    if (raw(descriptor.buffer) % sectorBytes != 0)
        return MalformedReason::BufferUnaligned;
    // Sectors in the data buffer, or firmware's tables elsewhere in memory, whose address is checked when it is used.
    const std::uint64_t first = raw(descriptor.buffer);
    const std::uint64_t end = first + descriptor.bufferSectors() * sectorBytes;
    const std::uint64_t bufferFirst = raw(dataBuffer.base);
    const std::uint64_t bufferEnd = bufferFirst + dataBuffer.size;
    const bool isInside = first >= bufferFirst && end <= bufferEnd;
    const bool isOutside = end <= bufferFirst || first >= bufferEnd;
    return isInside || isOutside ? MalformedReason::None : MalformedReason::BufferOutsideMemory;
}

// An unknown purpose is not a reason to refuse a descriptor: it counts as metadata.
nand::Purpose purposeOf(std::uint32_t field)
{
    return field < nand::purposeTable.size() ? static_cast<nand::Purpose>(field) : nand::Purpose::Metadata;
}

MalformedReason checkSpare(const FlashDescriptor& descriptor, const SuperchipMap& map)
{
    if (descriptor.inlineSpare)
        return map.pagesTouched(descriptor.startSector, descriptor.endSector()) > 1 ? MalformedReason::InlineSpare
                                                                                    : MalformedReason::None;
    if (descriptor.hasSectorTable || descriptor.hasUnitTable)
        return MalformedReason::None;
    return raw(descriptor.spareAddress) % 4 != 0 ? MalformedReason::SpareUnaligned : MalformedReason::None;
}

// The XOR engine takes a strip of one die as it is: a program with records inside the descriptor or in a unit table, a
// read of one page.
bool isForXorEngine(const FlashDescriptor& d, const SuperchipMap& map)
{
    if (map.chips() != 1 || d.hasSectorTable || d.commonSpare || d.isStepped || d.isToHost() || d.step != 1)
        return false;
    if (d.opcode == SuperchipOpcode::Program)
        return d.hasUnitTable || d.inlineSpare;
    return d.opcode == SuperchipOpcode::Read && !d.hasUnitTable && d.sectors != 0 &&
           map.pagesTouched(d.startSector, d.endSector()) == 1;
}

// Options that do not suit the operation, or each other.
bool hasWrongOption(const FlashDescriptor& d, const SuperchipMap& map)
{
    const bool isRead = d.opcode == SuperchipOpcode::Read;
    const bool isErase = d.opcode == SuperchipOpcode::Erase;
    if (d.commonSpare && (isRead || isErase || d.inlineSpare))
        return true;
    if (d.hasSectorTable && (isErase || (isRead && d.inlineSpare)))
        return true;
    if (d.hasParity && !isForXorEngine(d, map))
        return true;
    const bool movesSectors = isRead || (d.opcode == SuperchipOpcode::Program && !d.hasSectorTable);
    if (d.step != 1 && (!d.isOneChip || !movesSectors || d.isToHost()))
        return true;
    if ((d.hasSectorTable || d.commonSpare) && map.dieGeometry().sectorsPerPage() > maxTableSectorsPerPage)
        return true;
    return d.completes && !d.isToHost();
}

MalformedReason checkUnitTable(const FlashDescriptor& d, const SuperchipMap& map)
{
    const nand::DieGeometry& die = map.dieGeometry();
    const bool movesData = d.opcode == SuperchipOpcode::Read || d.opcode == SuperchipOpcode::Program;
    if (!movesData || d.hasSectorTable || d.inlineSpare || d.commonSpare || d.step != 1 || d.completes || d.isToHost())
        return MalformedReason::UnitTableOption;
    if (map.chips() > 1)
        return MalformedReason::UnitTableSuperchip;
    if (die.pageBytes % unitBytes != 0 || die.spareRecords() != die.pageBytes / unitBytes)
        return MalformedReason::UnitTablePage;
    if (raw(d.spareAddress) % 4 != 0)
        return MalformedReason::UnitTableUnaligned;
    if (d.startSector % sectorsPerUnit != 0 || d.sectors % sectorsPerUnit != 0)
        return MalformedReason::UnitTableSectors;
    return MalformedReason::None;
}

MalformedReason checkBlocks(const FlashDescriptor& descriptor, const SuperchipMap& map)
{
    if (descriptor.inlineBlocks)
        return map.chips() > 1 ? MalformedReason::InlineBlocks : MalformedReason::None;
    const bool hasSource = descriptor.opcode == SuperchipOpcode::CopyBack;
    const bool isAligned = descriptor.blocks % 4 == 0 && (!hasSource || descriptor.sourceBlocks % 4 == 0);
    return isAligned ? MalformedReason::None : MalformedReason::BlocksUnaligned;
}

// A program of a part of a word line, or one that the word lines of a part do not allow at all.
bool breaksWordLines(const FlashDescriptor& descriptor, const SuperchipMap& map)
{
    const nand::DieGeometry& die = map.dieGeometry();
    if (!die.hasWordLines() || descriptor.isPslc)
        return false;
    const std::uint32_t sectors = die.sectorsPerPage() * die.pagesPerProgram;
    return descriptor.opcode == SuperchipOpcode::CopyBack || descriptor.hasSectorTable || map.chips() != 1 ||
           descriptor.startSector % sectors != 0 || descriptor.sectors % sectors != 0;
}

bool isSteppable(const FlashDescriptor& d, const SuperchipMap& map)
{
    const bool isPart = d.opcode == SuperchipOpcode::Program && !d.isPslc && map.dieGeometry().hasWordLines();
    const bool isOnePage = d.opcode == SuperchipOpcode::Erase || map.pagesTouched(d.startSector, d.endSector()) == 1;
    return d.isOneChip && isOnePage && !d.hasUnitTable && !d.isToHost() && !isPart;
}

} // namespace

FlashDescriptor parseDescriptor(const DescriptorWords& words)
{
    const std::uint32_t control = words[wordAt(layout::CONTROL)];
    FlashDescriptor d;
    d.next = BusAddress{words[wordAt(layout::NEXT)]};
    d.opcode = static_cast<SuperchipOpcode>((control & layout::CONTROL_opcode_mask) >> layout::CONTROL_opcode_shift);
    d.report = (control & layout::CONTROL_report_mask) != 0;
    d.inlineBlocks = (control & layout::CONTROL_inline_blocks_mask) != 0;
    d.inlineSpare = (control & layout::CONTROL_inline_spare_mask) != 0;
    d.commonSpare = (control & layout::CONTROL_common_spare_mask) != 0;
    d.hasSectorTable = (control & layout::CONTROL_sector_table_mask) != 0;
    d.hasUnitTable = (control & layout::CONTROL_unit_table_mask) != 0;
    d.isPslc = (control & layout::CONTROL_pslc_mask) != 0;
    d.hasReadOption = (control & layout::CONTROL_read_option_mask) != 0;
    d.isOneChip = (control & layout::CONTROL_one_chip_mask) != 0;
    d.isStepped = (control & layout::CONTROL_stepped_mask) != 0;
    d.hasParity = (control & layout::CONTROL_parity_mask) != 0;
    d.completes = (control & layout::CONTROL_complete_mask) != 0;
    d.purpose = purposeOf((control & layout::CONTROL_purpose_mask) >> layout::CONTROL_purpose_shift);
    d.step = std::max((control & layout::CONTROL_step_mask) >> layout::CONTROL_step_shift, 1U);
    d.superchip = words[wordAt(layout::SUPERCHIP)];
    d.startSector = words[wordAt(layout::START_SECTOR)];
    d.sectors = words[wordAt(layout::SECTORS)];
    d.buffer = BusAddress{words[wordAt(layout::BUFFER)]};
    d.blocks = words[wordAt(layout::BLOCKS)];
    d.sourceBlocks = words[wordAt(layout::SOURCE_BLOCKS)];
    d.sourceSector = words[wordAt(layout::SOURCE_SECTOR)];
    d.spareAddress = BusAddress{words[wordAt(layout::SPARE_ADDRESS)]};
    d.cookie = words[wordAt(layout::COOKIE)];
    for (std::size_t i = 0; i < d.spare.size(); ++i)
        d.spare[i] = words[wordAt(layout::SPARE0) + i];
    return d;
}

DescriptorWords toWords(const FlashDescriptor& d)
{
    DescriptorWords words{};
    words[wordAt(layout::NEXT)] = raw(d.next);
    words[wordAt(layout::CONTROL)] =
        (std::uint32_t{static_cast<std::uint8_t>(d.opcode)} << layout::CONTROL_opcode_shift) |
        flag(d.report, layout::CONTROL_report_mask) | flag(d.inlineBlocks, layout::CONTROL_inline_blocks_mask) |
        flag(d.inlineSpare, layout::CONTROL_inline_spare_mask) |
        flag(d.commonSpare, layout::CONTROL_common_spare_mask) |
        flag(d.hasSectorTable, layout::CONTROL_sector_table_mask) |
        flag(d.hasUnitTable, layout::CONTROL_unit_table_mask) | flag(d.isPslc, layout::CONTROL_pslc_mask) |
        flag(d.hasReadOption, layout::CONTROL_read_option_mask) | flag(d.isOneChip, layout::CONTROL_one_chip_mask) |
        flag(d.completes, layout::CONTROL_complete_mask) | flag(d.isStepped, layout::CONTROL_stepped_mask) |
        flag(d.hasParity, layout::CONTROL_parity_mask) |
        (std::uint32_t{static_cast<std::uint8_t>(d.purpose)} << layout::CONTROL_purpose_shift) |
        ((d.step == 1 ? 0 : d.step) << layout::CONTROL_step_shift & layout::CONTROL_step_mask);
    words[wordAt(layout::SUPERCHIP)] = d.superchip;
    words[wordAt(layout::START_SECTOR)] = d.startSector;
    words[wordAt(layout::SECTORS)] = d.sectors;
    words[wordAt(layout::BUFFER)] = raw(d.buffer);
    words[wordAt(layout::BLOCKS)] = d.blocks;
    words[wordAt(layout::SOURCE_BLOCKS)] = d.sourceBlocks;
    words[wordAt(layout::SOURCE_SECTOR)] = d.sourceSector;
    words[wordAt(layout::SPARE_ADDRESS)] = raw(d.spareAddress);
    words[wordAt(layout::COOKIE)] = d.cookie;
    for (std::size_t i = 0; i < d.spare.size(); ++i)
        words[wordAt(layout::SPARE0) + i] = d.spare[i];
    return words;
}

StatusCode statusCode(nand::Status status)
{
    switch (status) {
    case nand::Status::Ok: return StatusCode::Ok;
    case nand::Status::ProgramFailed: return StatusCode::ProgramFailed;
    case nand::Status::EraseFailed: return StatusCode::EraseFailed;
    case nand::Status::Uncorrectable: return StatusCode::Uncorrectable;
    case nand::Status::Illegal: return StatusCode::Illegal;
    case nand::Status::Pending: break;
    }
    return StatusCode::Pending;
}

std::uint32_t statusWord(const Outcome& outcome)
{
    return (std::uint32_t{static_cast<std::uint8_t>(outcome.code)} << layout::STATUS_code_shift) |
           (std::uint32_t{outcome.chip} << layout::STATUS_chip_shift) | flag(outcome.blank, layout::STATUS_blank_mask) |
           (std::uint32_t{outcome.page} << layout::STATUS_page_shift & layout::STATUS_page_mask);
}

Outcome parseStatus(std::uint32_t word)
{
    return {static_cast<StatusCode>((word & layout::STATUS_code_mask) >> layout::STATUS_code_shift),
            static_cast<std::uint8_t>((word & layout::STATUS_chip_mask) >> layout::STATUS_chip_shift),
            (word & layout::STATUS_blank_mask) != 0,
            static_cast<std::uint16_t>((word & layout::STATUS_page_mask) >> layout::STATUS_page_shift)};
}

MalformedReason validate(const FlashDescriptor& descriptor, const SuperchipMap& map, const memory::Region& dataBuffer,
                         bool hasHost)
{
    const SuperchipOpcode opcode = descriptor.opcode;
    const bool isErase = opcode == SuperchipOpcode::Erase;
    const bool movesData = opcode == SuperchipOpcode::Read || opcode == SuperchipOpcode::Program;
    const bool isCopyBack = opcode == SuperchipOpcode::CopyBack;
    if (!isErase && !movesData && !isCopyBack)
        return MalformedReason::UnknownOpcode;
    if (descriptor.isPslc && !map.dieGeometry().hasPslc())
        return MalformedReason::PslcMode;
    if (descriptor.hasUnitTable) {
        if (const auto reason = checkUnitTable(descriptor, map); reason != MalformedReason::None)
            return reason;
    }
    constexpr std::uint32_t maxSenses = 7;
    if (descriptor.hasReadOption && (opcode != SuperchipOpcode::Read || descriptor.senses() > maxSenses))
        return MalformedReason::ReadOption;
    if (hasWrongOption(descriptor, map))
        return MalformedReason::Option;
    if (descriptor.hasSectorTable && raw(descriptor.spareAddress) % 4 != 0)
        return MalformedReason::TableUnaligned;
    if (descriptor.superchip >= map.superchips())
        return MalformedReason::SuperchipOutOfRange;
    if (!isErase) {
        if (descriptor.sectors == 0)
            return MalformedReason::ZeroSectors;
        if (!fitsSuperblock(descriptor.startSector, descriptor, map))
            return MalformedReason::SectorsOutOfRange;
    }
    if (descriptor.isStepped && !isSteppable(descriptor, map))
        return MalformedReason::Stepped;
    if (isCopyBack) {
        if (!fitsSuperblock(descriptor.sourceSector, descriptor, map))
            return MalformedReason::SectorsOutOfRange;
        if (!isCopyBackAligned(descriptor, map))
            return MalformedReason::CopyBackUnaligned;
    }
    if (opcode == SuperchipOpcode::Program || isCopyBack) {
        if (breaksWordLines(descriptor, map))
            return MalformedReason::WordLine;
    }
    if (movesData) {
        if (const auto reason = checkBuffer(descriptor, dataBuffer, hasHost); reason != MalformedReason::None)
            return reason;
        if (const auto reason = checkSpare(descriptor, map); reason != MalformedReason::None)
            return reason;
    }
    return checkBlocks(descriptor, map);
}

} // namespace strobe::controller
