// SPDX-License-Identifier: Apache-2.0
#include "models/controller/functional_unit_table.h"

#include "models/base/strobe_registers.h"

#include <algorithm>
#include <cstring>

namespace strobe::controller {

namespace layout = regs::flashDescriptor;

// The unit table, if it can be executed without a look at anything else: in control memory, with units in the data
// buffer. Null: it cannot.
std::byte* FunctionalUnitTable::table(const DescriptorWords& words, std::uint32_t units)
{
    const BusAddress address{words[wordAt(layout::SPARE_ADDRESS)]};
    const std::uint32_t bytes = units * (4 + spareRecordBytes);
    std::byte* found =
        raw(address) % 4 == 0 && raw(address) <= UINT32_MAX - bytes ? memory_.memory().bytes(address, bytes) : nullptr;
    if (found == nullptr)
        return nullptr;
    words_.resize(units);
    std::memcpy(words_.data(), found, std::size_t{units} * 4);
    const bool areUnits = std::all_of(words_.begin(), words_.end(), [this](std::uint32_t word) {
        return word == 0 || (word % sectorBytes == 0 && memory_.memory().isDataBuffer(BusAddress{word}, unitBytes));
    });
    return areUnits ? found : nullptr;
}

// The units of a page, of which `first` is the first in the table.
void FunctionalUnitTable::moveUnits(const nand::Operation& op, std::uint32_t first, Direction direction)
{
    const std::uint32_t* words = words_.data() + first;
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
bool FunctionalUnitTable::takesWordLine(const nand::Operation& first) const
{
    const nand::Die& die = dies_[first.die];
    const std::uint32_t block = first.target.block;
    if (block >= config_.die.blocks() || first.target.page >= config_.die.pagesPerBlock)
        return false;
    const nand::DieCells::Block& state = die.block(block);
    return !state.factoryBad && !state.wornOut && !state.failed && state.nextPage <= first.target.page;
}

// Units of one page, or of one word line, of one die: its first operation. Null: it is something else.
std::optional<nand::Operation> FunctionalUnitTable::firstOf(const DescriptorWords& words) const
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

std::optional<FunctionalUnitTable::Executed> FunctionalUnitTable::execute(const DescriptorWords& words)
{
    std::optional<nand::Operation> first = firstOf(words);
    const std::uint32_t units = words[wordAt(layout::SECTORS)] / sectorsPerUnit;
    std::byte* const place = first ? table(words, units) : nullptr;
    if (place == nullptr)
        return std::nullopt;
    nand::Operation& op = *first;
    const bool isProgram = op.opcode == nand::Opcode::Program;
    std::byte* records = place + std::size_t{units} * 4;
    records_.resize(units);
    if (isProgram)
        std::memcpy(records_.data(), records, units * sizeof(nand::Spare));
    page_.resize(op.sectors * stride(config_.dataMode));
    op.data = page_.empty() ? Content{} : Content{page_.data(), config_.dataMode};
    Outcome outcome;
    for (std::uint32_t done = 0;;) {
        const std::uint32_t next = done + op.sectors / sectorsPerUnit;
        op.moreSpares = records_.data() + done + 1;
        if (isProgram) {
            moveUnits(op, done, Direction::FromMemory);
            op.spare = records_[done];
        }
        outcome = dies_.execute(op);
        if (next == units || outcome.code != StatusCode::Ok)
            break;
        done = next;
        ++op.target.page;
    }
    if (!isProgram && op.status == nand::Status::Ok)
        moveUnits(op, 0, Direction::ToMemory);
    if (!isProgram && op.status != nand::Status::Illegal) {
        records_[0] = op.spare;
        std::memcpy(records, records_.data(), units * sizeof(nand::Spare));
    }
    return Executed{op, outcome};
}

} // namespace strobe::controller
