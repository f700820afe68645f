// SPDX-License-Identifier: Apache-2.0
//
// Descriptors with a unit table, without time.
#include "models/controller/functional_flash.h"

#include <algorithm>
#include <cstring>

namespace strobe::controller {

namespace layout = regs::flashDescriptor;

// The unit table, if it can be executed without a look at anything else: in control memory, with units in the data
// buffer. Null: it cannot.
std::byte* FunctionalFlash::unitTable(const DescriptorWords& words, std::uint32_t units)
{
    const BusAddress address{words[wordAt(layout::SPARE_ADDRESS)]};
    const std::uint32_t bytes = units * (4 + spareRecordBytes);
    std::byte* table =
        raw(address) % 4 == 0 && raw(address) <= UINT32_MAX - bytes ? memory_.memory().bytes(address, bytes) : nullptr;
    if (table == nullptr)
        return nullptr;
    unitWords_.resize(units);
    std::memcpy(unitWords_.data(), table, std::size_t{units} * 4);
    const bool areUnits = std::all_of(unitWords_.begin(), unitWords_.end(), [this](std::uint32_t word) {
        return word == 0 || (word % sectorBytes == 0 && memory_.memory().isDataBuffer(BusAddress{word}, unitBytes));
    });
    return areUnits ? table : nullptr;
}

// The units of a page, of which `first` is the first in the table.
void FunctionalFlash::moveUnits(const nand::Operation& op, std::uint32_t first, Direction direction)
{
    const std::uint32_t* words = unitWords_.data() + first;
    for (std::size_t i = 0; i < op.sectors / sectorsPerUnit; ++i) {
        const Content inPage = op.data.at(i * sectorsPerUnit);
        const BusAddress inMemory{words[i]};
        if (direction == Direction::ToMemory && words[i] != 0)
            copySectors(memory_.sectors(inMemory, sectorsPerUnit), inPage, sectorsPerUnit);
        else if (direction == Direction::FromMemory && words[i] != 0)
            memory_.copyTo(inPage, inMemory, sectorsPerUnit);
        else if (direction == Direction::FromMemory)
            clearSectors(inPage, sectorsPerUnit);
    }
}

// The die accepts the word line that begins with this page, and its program does not fail: otherwise the outcome
// depends on all pages, and is left to a flash unit.
bool FunctionalFlash::takesWordLine(const nand::Operation& first) const
{
    const nand::Die& die = *dies_[first.die];
    const std::uint32_t block = first.target.block;
    if (block >= config_.die.blocks() || first.target.page >= config_.die.pagesPerBlock)
        return false;
    const nand::DieCells::Block& state = die.block(block);
    return !state.factoryBad && !state.wornOut && !state.failed && state.nextPage <= first.target.page;
}

// Units of one page, or of one word line, of one die: its first operation. Null: it is something else.
std::optional<nand::Operation> FunctionalFlash::firstOfUnits(const DescriptorWords& words) const
{
    constexpr std::uint32_t variable = layout::CONTROL_opcode_mask | layout::CONTROL_purpose_mask |
                                       layout::CONTROL_one_chip_mask | layout::CONTROL_report_mask;
    const std::uint32_t control = words[wordAt(layout::CONTROL)];
    const auto opcode =
        static_cast<SuperchipOpcode>((control & layout::CONTROL_opcode_mask) >> layout::CONTROL_opcode_shift);
    const std::uint32_t purpose = (control & layout::CONTROL_purpose_mask) >> layout::CONTROL_purpose_shift;
    const bool isOneDie = (control & layout::CONTROL_one_chip_mask) != 0 || map_.chips() == 1;
    const std::uint32_t die = words[wordAt(layout::SUPERCHIP)];
    const std::uint32_t start = words[wordAt(layout::START_SECTOR)];
    const std::uint32_t sectors = words[wordAt(layout::SECTORS)];
    const std::uint32_t perPage = config_.die.sectorsPerPage();
    const bool isProgram = opcode == SuperchipOpcode::Program;
    if ((control & ~variable) != (layout::CONTROL_inline_blocks_mask | layout::CONTROL_unit_table_mask) ||
        !(isProgram || opcode == SuperchipOpcode::Read) || !isOneDie || die >= dies_.size() ||
        purpose >= nand::purposeTable.size() || config_.die.spareRecords() * sectorsPerUnit != perPage ||
        start % sectorsPerUnit != 0 || sectors % sectorsPerUnit != 0 || sectors == 0)
        return std::nullopt;
    nand::Operation op;
    op.opcode = isProgram ? nand::Opcode::Program : nand::Opcode::Read;
    op.purpose = static_cast<nand::Purpose>(purpose);
    op.die = DieId{static_cast<std::uint16_t>(die)};
    op.target = {words[wordAt(layout::BLOCKS)], start / perPage};
    op.firstSector = start % perPage;
    const std::uint32_t perProgram = config_.die.pagesPerProgram;
    const bool isWordLine = isProgram && perProgram != 1;
    op.sectors = isWordLine ? perPage : sectors;
    const bool fits = isWordLine ? sectors == perPage * perProgram && start % sectors == 0 && takesWordLine(op)
                                 : sectors <= perPage - op.firstSector && op.target.page < config_.die.pagesPerBlock;
    return fits ? std::optional(op) : std::nullopt;
}

// False: it is not one that firstOfUnits() finds, or something is wrong with its table; nothing has happened.
bool FunctionalFlash::executeUnits(UnitId unit, BusAddress address, std::byte* place, const DescriptorWords& words)
{
    std::optional<nand::Operation> first = firstOfUnits(words);
    const std::uint32_t units = words[wordAt(layout::SECTORS)] / sectorsPerUnit;
    std::byte* table = first ? unitTable(words, units) : nullptr;
    if (table == nullptr)
        return false;
    nand::Operation& op = *first;
    const bool isProgram = op.opcode == nand::Opcode::Program;
    std::byte* records = table + std::size_t{units} * 4;
    unitRecords_.resize(units);
    if (isProgram)
        std::memcpy(unitRecords_.data(), records, units * sizeof(nand::Spare));
    unitPage_.resize(op.sectors * stride(config_.dataMode));
    op.data = unitPage_.empty() ? Content{} : Content{unitPage_.data(), config_.dataMode};
    for (std::uint32_t done = 0;;) {
        const std::uint32_t next = done + op.sectors / sectorsPerUnit;
        op.moreSpares = unitRecords_.data() + done + 1;
        if (isProgram) {
            moveUnits(op, done, Direction::FromMemory);
            op.spare = unitRecords_[done];
        }
        const Outcome outcome = executeOnDie(op);
        if (next == units || outcome.code != StatusCode::Ok) {
            report(unit, address, place, words, op, outcome);
            break;
        }
        done = next;
        ++op.target.page;
    }
    if (!isProgram && op.status == nand::Status::Ok)
        moveUnits(op, 0, Direction::ToMemory);
    if (!isProgram && op.status != nand::Status::Illegal) {
        unitRecords_[0] = op.spare;
        std::memcpy(records, unitRecords_.data(), units * sizeof(nand::Spare));
    }
    return true;
}

// --- without a descriptor --------------------------------------------------------------------------------------------

bool FunctionalFlash::isPage(const Page& page) const
{
    return raw(page.die) < dies_.size() && page.at.block < config_.die.blocks() &&
           page.at.page < config_.die.pagesPerBlock;
}

bool FunctionalFlash::programAtOnce(const Page& page, SectorTag first)
{
    return dies_[page.die]->programRunAtOnce(page.at, first, *page.records, nand::Purpose::Host,
                                             page.hasOne ? nullptr : page.records + 1);
}

StatusCode FunctionalFlash::programAtOnce(const Page& page, Content data)
{
    nand::Operation op;
    op.opcode = nand::Opcode::Program;
    op.purpose = nand::Purpose::Host;
    op.die = page.die;
    op.target = page.at;
    op.sectors = config_.die.sectorsPerPage();
    op.spare = *page.records;
    op.moreSpares = page.hasOne ? nullptr : page.records + 1;
    op.data = data;
    const Outcome outcome = executeOnDie(op);
    if (outcome.code != StatusCode::Ok)
        noteFailure(FailureKind::OperationFailed, UnitId{0}, BusAddress{0}, op);
    return outcome.code;
}

} // namespace strobe::controller
