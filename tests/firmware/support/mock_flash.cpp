// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/mock_flash.h"

#include "models/base/strobe_registers.h"
#include "tests/firmware/support/mock_drive.h"
#include "tests/firmware/support/mock_superchips.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace strobe::test {

namespace descriptor = regs::flashDescriptor;

namespace {

constexpr std::size_t word(std::uint32_t offset)
{
    return offset / 4;
}

bool hasUnitTable(const std::uint32_t* words)
{
    return (words[word(descriptor::CONTROL)] & descriptor::CONTROL_unit_table_mask) != 0;
}

bool hasParity(const std::uint32_t* words)
{
    return (words[word(descriptor::CONTROL)] & descriptor::CONTROL_parity_mask) != 0;
}

[[noreturn]] void refuse(const std::string& what)
{
    throw std::runtime_error("flash: " + what);
}

} // namespace

MockFlash::MockFlash(MockDrive& drive, std::uint32_t dies, nand::Part part, std::uint32_t badBlocks,
                     std::uint32_t units, std::uint32_t depth, MockFaults faults, std::uint64_t seed)
    : drive_(drive), part_(std::move(part)), units_(units), depth_(depth), faults_(faults), rng_(seed, "mock flash")
{
    dies_.reserve(dies);
    for (std::uint32_t die = 0; die < dies; ++die)
        dies_.emplace_back(DieId{static_cast<std::uint16_t>(die)}, part_, badBlocks,
                           Rng(seed, "die " + std::to_string(die)));
    superchips_ = std::make_unique<MockSuperchips>(*this, drive);
}

MockFlash::~MockFlash() = default;

void MockFlash::powerOff(Time now)
{
    for (Unit& unit : units_)
        unit = {};
    for (nand::Die& die : dies_)
        die.powerOff(now);
    superchips_ = std::make_unique<MockSuperchips>(*this, drive_);
    xorEngine_ = {};
}

nand::DieCounters MockFlash::counters() const
{
    nand::DieCounters sum;
    for (const nand::Die& die : dies_) {
        sum.reads += die.counters().array.reads;
        sum.programs += die.counters().array.programs;
        sum.erases += die.counters().array.erases;
        sum.copyBacks += die.counters().array.copyBacks;
    }
    return sum;
}

void MockFlash::submit(std::uint32_t number, std::uint32_t address)
{
    Unit& unit = units_.at(number);
    if (address % 64 != 0)
        refuse("a descriptor is not aligned to 64 bytes");
    if (unit.busy && unit.lists.size() >= depth_)
        refuse("unit " + std::to_string(number) + " has no room for another list");
    unit.lists.push_back(address);
    if (!unit.busy)
        start(number);
}

void MockFlash::issuePrimitive(std::uint32_t unit, std::uint32_t primitive)
{
    superchips_->issuePrimitive(unit, primitive);
}

void MockFlash::start(std::uint32_t number)
{
    Unit& unit = units_[number];
    unit.busy = !unit.lists.empty();
    if (!unit.busy)
        return;
    const std::uint32_t address = unit.lists.front();
    unit.lists.pop_front();
    drive_.at(Time{}, [this, number, address] { execute(number, address); });
}

// The operation on page `page` of those of the descriptor.
nand::Operation MockFlash::operationOf(const std::uint32_t* words, std::uint32_t page)
{
    constexpr nand::Opcode opcodes[] = {nand::Opcode::Read, nand::Opcode::Program, nand::Opcode::Erase,
                                        nand::Opcode::CopyBack};
    const std::uint32_t opcode = words[word(descriptor::CONTROL)] & descriptor::CONTROL_opcode_mask;
    const bool hasUnits = hasUnitTable(words);
    const bool isPslc = (words[word(descriptor::CONTROL)] & descriptor::CONTROL_pslc_mask) != 0;
    const bool isWordLine = opcode == 2 && !isPslc && part_.geometry.hasWordLines();
    const std::uint32_t records = hasUnits     ? 0
                                  : isWordLine ? descriptor::CONTROL_common_spare_mask
                                               : descriptor::CONTROL_inline_spare_mask;
    const std::uint32_t wanted = descriptor::CONTROL_inline_blocks_mask | records;
    const std::uint32_t asked = wanted | descriptor::CONTROL_inline_spare_mask | descriptor::CONTROL_common_spare_mask |
                                descriptor::CONTROL_sector_table_mask;
    if (opcode < 1 || opcode > 4 || (words[word(descriptor::CONTROL)] & asked) != wanted)
        refuse("malformed descriptor");
    const std::uint32_t perPage = part_.geometry.sectorsPerPage();
    nand::Operation op;
    op.opcode = opcodes[opcode - 1];
    op.pslc = isPslc;
    op.die = DieId{static_cast<std::uint16_t>(words[word(descriptor::SUPERCHIP)])};
    op.target = {words[word(descriptor::BLOCKS)], words[word(descriptor::START_SECTOR)] / perPage + page};
    op.source = {words[word(descriptor::SOURCE_BLOCKS)], words[word(descriptor::SOURCE_SECTOR)] / perPage};
    op.firstSector = words[word(descriptor::START_SECTOR)] % perPage;
    op.sectors = isWordLine ? perPage : words[word(descriptor::SECTORS)];
    if (hasUnits) {
        gather(words, op, page);
        return op;
    }
    if (op.opcode == nand::Opcode::Read || op.opcode == nand::Opcode::Program)
        op.data = drive_.content(words[word(descriptor::BUFFER)] + page * part_.geometry.pageBytes, op.sectors);
    if (op.opcode == nand::Opcode::Read && hasParity(words)) {
        unitTags_.assign(op.sectors, 0);
        op.data = {reinterpret_cast<std::byte*>(unitTags_.data()), DataMode::Tags};
    }
    if (op.opcode == nand::Opcode::Program)
        std::memcpy(op.spare.data(), &words[word(descriptor::SPARE0)], sizeof op.spare);
    return op;
}

std::uint32_t* MockFlash::unitTable(const std::uint32_t* words, std::uint32_t units)
{
    const std::uint32_t address = words[word(descriptor::SPARE_ADDRESS)];
    void* table = drive_.memory(address, units * (4 + nand::recordBytes));
    if (table == nullptr || address % 4 != 0)
        refuse("a unit table is not in memory");
    return static_cast<std::uint32_t*>(table);
}

// Places for the units of an operation with a unit table and for their records; those of a program are filled. `page`:
// of those of the descriptor.
void MockFlash::gather(const std::uint32_t* words, nand::Operation& op, std::uint32_t page)
{
    const std::uint32_t perPage = part_.geometry.sectorsPerPage();
    const bool isWhole = op.firstSector % nand::sectorsPerRecord == 0 && op.sectors % nand::sectorsPerRecord == 0 &&
                         op.sectors != 0 && op.firstSector + op.sectors <= perPage;
    if (!isWhole || part_.geometry.spareRecords() * nand::sectorsPerRecord != perPage)
        refuse("a unit table for anything else than units of one page");
    if (op.opcode != nand::Opcode::Read && op.opcode != nand::Opcode::Program)
        refuse("a unit table for an erase or a copy-back");
    const std::uint32_t units = op.sectors / nand::sectorsPerRecord;
    const std::uint32_t all = words[word(descriptor::SECTORS)] / nand::sectorsPerRecord;
    const std::uint32_t* records = unitTable(words, all) + all + std::size_t{page} * units * nand::recordBytes / 4;
    const std::uint32_t* table = unitTable(words, all) + std::size_t{page} * units;
    unitTags_.assign(op.sectors, 0);
    unitRecords_.assign(units, nand::Spare{});
    op.data = {reinterpret_cast<std::byte*>(unitTags_.data()), DataMode::Tags};
    op.moreSpares = unitRecords_.data() + 1;
    if (op.opcode == nand::Opcode::Read)
        return;
    for (std::uint32_t i = 0; i < units; ++i) {
        if (table[i] != 0)
            std::copy_n(drive_.tags(table[i], nand::sectorsPerRecord), nand::sectorsPerRecord,
                        &unitTags_[std::size_t{i} * nand::sectorsPerRecord]);
    }
    std::memcpy(unitRecords_.data(), records, units * sizeof(nand::Spare));
    op.spare = unitRecords_[0];
}

// What a read has fetched: the units, unless it failed, and their records.
void MockFlash::distribute(const std::uint32_t* words, const nand::Operation& op)
{
    const std::uint32_t units = op.sectors / nand::sectorsPerRecord;
    std::uint32_t* table = unitTable(words, units);
    for (std::uint32_t i = 0; i < units && op.status == nand::Status::Ok; ++i) {
        if (table[i] != 0)
            std::copy_n(&unitTags_[std::size_t{i} * nand::sectorsPerRecord], nand::sectorsPerRecord,
                        drive_.tags(table[i], nand::sectorsPerRecord));
    }
    unitRecords_[0] = op.spare;
    std::memcpy(table + units, unitRecords_.data(), units * sizeof(nand::Spare));
}

// Page `page` of a program that takes part in the parity of a stripe.
void MockFlash::addParity(const std::uint32_t* words, nand::Operation& op, std::uint32_t page)
{
    if (op.opcode != nand::Opcode::Program || !hasParity(words))
        return;
    const bool hasUnits = hasUnitTable(words);
    if (!hasUnits) { // not in place: the data may be the zeros of the data buffer
        unitTags_.resize(op.sectors);
        copySectors({reinterpret_cast<std::byte*>(unitTags_.data()), DataMode::Tags}, op.data, op.sectors);
        op.data = {reinterpret_cast<std::byte*>(unitTags_.data()), DataMode::Tags};
    }
    const std::uint32_t records = hasUnits ? op.sectors / nand::sectorsPerRecord : 1;
    xorEngine_.program(
        controller::XorEngine::order(words[word(descriptor::SOURCE_SECTOR)]),
        {op.data, page * op.sectors, op.sectors, hasUnits ? unitRecords_.data() : &op.spare, page * records, records});
    if (hasUnits)
        op.spare = unitRecords_[0];
}

bool MockFlash::isUnreadable(const nand::Operation& op)
{
    if (faults_.unreadableDie != 0xFFFFFFFF && raw(op.die) != faults_.unreadableDie)
        return false;
    return op.data.mode == DataMode::Tags && drive_.isReady() && !op.blank && op.sectors != 0 &&
           happens(faults_.uncorrectable);
}

// Whether the block is worn out from now on.
bool MockFlash::wears(nand::Die& die, std::uint32_t block)
{
    if (wornOut_ >= faults_.most || !happens(faults_.wearOut) || die.block(block).factoryBad)
        return false;
    ++wornOut_;
    die.wearOut(block);
    return true;
}

// The pages of a word line, one after the other into the registers; the last one starts the array.
void MockFlash::executeWordLine(std::uint32_t number, std::uint32_t address)
{
    const std::uint32_t* words = drive_.words(address);
    const nand::DieGeometry& geometry = part_.geometry;
    const std::uint32_t pages = geometry.pagesPerProgram;
    const std::uint32_t start = words[word(descriptor::START_SECTOR)];
    if (words[word(descriptor::SECTORS)] != pages * geometry.sectorsPerPage() ||
        start % (pages * geometry.sectorsPerPage()) != 0)
        refuse("a program of anything else than a word line");
    nand::Operation op = operationOf(words, 0);
    nand::Die& die = dies_.at(raw(op.die));
    wears(die, op.target.block);
    if (!die.isReady(drive_.now_))
        refuse("two operations of a die at a time");
    programOrder.push_back(raw(op.die));
    programmed.push_back({op.spare[0] - 1, drive_.transfers()});
    Time at = drive_.now_;
    for (std::uint32_t page = 0; page < pages; ++page, at = op.ready) {
        op = operationOf(words, page);
        addParity(words, op, page);
        op.form = page + 1 == pages ? nand::Form::WordLineEnd : nand::Form::WordLinePage;
        die.issue(op, at);
        if (op.status == nand::Status::Illegal)
            refuse("illegal program of a word line of die " + std::to_string(raw(op.die)) + " block " +
                   std::to_string(op.target.block) + " page " + std::to_string(op.target.page) + ": " +
                   std::string(enumName(op.reason)));
    }
    drive_.at(op.ready - drive_.now_ + drive_.someTime(100), [this, number, address, op] { end(number, address, op); });
}

bool MockFlash::fails(const hal_strip& strip)
{
    nand::Die& die = dies_.at(strip.die);
    return wears(die, strip.block) || die.block(strip.block).wornOut;
}

std::uint32_t MockFlash::store(const hal_strip& strip, std::vector<SectorTag>& tags)
{
    const std::uint32_t perPage = part_.geometry.sectorsPerPage();
    nand::Die& die = dies_.at(strip.die);
    if (!die.isReady(drive_.now_))
        refuse("a strip is stored while its die is busy");
    if (strip.sectors != perPage * part_.geometry.pagesPerProgram || strip.sector % strip.sectors != 0)
        refuse("a strip is not what a program writes");
    ++stored_;
    bool isOk = true;
    for (std::uint32_t done = 0; done < strip.sectors; done += perPage) {
        nand::Operation op;
        op.opcode = nand::Opcode::Program;
        op.die = DieId{static_cast<std::uint16_t>(strip.die)};
        op.target = {strip.block, (strip.sector + done) / perPage};
        op.sectors = perPage;
        op.data = {reinterpret_cast<std::byte*>(&tags[done]), DataMode::Tags};
        unitRecords_.resize(strip.records_per_page);
        std::memcpy(unitRecords_.data(),
                    strip.records + done / perPage * strip.records_per_page * std::size_t{HAL_RECORD_WORDS},
                    unitRecords_.size() * sizeof(nand::Spare));
        op.spare = unitRecords_[0];
        op.moreSpares = strip.records_per_page == 1 ? nullptr : unitRecords_.data() + 1;
        die.executeAtOnce(op);
        if (op.status == nand::Status::Illegal)
            refuse("illegal program of a stored strip: " + std::string(enumName(op.reason)));
        isOk &= op.status == nand::Status::Ok;
    }
    return isOk ? 1 : 2; // FLASH_OK, FLASH_PROGRAM_FAILED
}

void MockFlash::execute(std::uint32_t number, std::uint32_t address)
{
    const std::uint32_t control = drive_.words(address)[word(descriptor::CONTROL)];
    const bool isOneChip = (control & descriptor::CONTROL_one_chip_mask) != 0;
    if (isOneChip || (control & descriptor::CONTROL_inline_blocks_mask) == 0) {
        superchips_->execute(number, address);
        return;
    }
    const bool isPslc = (control & descriptor::CONTROL_pslc_mask) != 0;
    if ((control & descriptor::CONTROL_opcode_mask) == 2 && !isPslc && part_.geometry.hasWordLines()) {
        executeWordLine(number, address);
        return;
    }
    nand::Operation op = operationOf(drive_.words(address), 0);
    if (raw(op.die) >= dies_.size())
        refuse("no such die");
    addParity(drive_.words(address), op, 0);
    nand::Die& die = dies_[raw(op.die)];
    const bool changes = op.opcode != nand::Opcode::Read;
    if (changes)
        wears(die, op.target.block);
    if (!die.isReady(drive_.now_))
        refuse("two operations of a die at a time");
    if (op.opcode == nand::Opcode::Program || op.opcode == nand::Opcode::CopyBack)
        programOrder.push_back(raw(op.die));
    if (op.opcode == nand::Opcode::Program)
        programmed.push_back({op.spare[0] - 1, drive_.transfers()});
    die.issue(op, drive_.now_);
    if (op.status == nand::Status::Illegal)
        refuse("illegal " + std::string(enumName(op.opcode)) + " of die " + std::to_string(raw(op.die)) + " block " +
               std::to_string(op.target.block) + " page " + std::to_string(op.target.page) + ": " +
               std::string(enumName(op.reason)));
    drive_.at(op.ready - drive_.now_ + drive_.someTime(100), [this, number, address, op] { end(number, address, op); });
}

void MockFlash::end(std::uint32_t number, std::uint32_t address, nand::Operation op)
{
    std::uint32_t* words = drive_.words(address);
    if (op.opcode == nand::Opcode::Read) {
        const bool hasUnits = hasUnitTable(words);
        if (hasUnits)
            gather(words, op, 0); // others may have used the places
        if (hasParity(words)) {
            unitTags_.assign(op.sectors, 0);
            op.data = {reinterpret_cast<std::byte*>(unitTags_.data()), DataMode::Tags};
        }
        dies_[raw(op.die)].fetch(op);
        if (!hasUnits)
            std::memcpy(&words[word(descriptor::SPARE0)], op.spare.data(), sizeof op.spare);
        if (op.torn)
            op.status = nand::Status::Uncorrectable;
        if (isUnreadable(op)) {
            op.status = nand::Status::Uncorrectable;
            for (std::uint32_t i = 0; i < op.sectors && !hasUnits; ++i)
                drive_.tags(words[word(descriptor::BUFFER)], op.sectors)[i] = 0xDEADDEADDEADDEADull;
        }
        if (hasUnits)
            distribute(words, op);
        if (hasParity(words) && op.status == nand::Status::Ok &&
            xorEngine_.read(controller::XorEngine::order(words[word(descriptor::SOURCE_SECTOR)]), op.data, op.sectors,
                            op.blank))
            copySectors(drive_.content(words[word(descriptor::BUFFER)], op.sectors), op.data, op.sectors);
    }
    endDescriptor(number, address,
                  static_cast<std::uint32_t>(op.status) | (op.blank ? descriptor::STATUS_blank_mask : 0));
}

void MockFlash::endDescriptor(std::uint32_t number, std::uint32_t address, std::uint32_t status)
{
    std::uint32_t* words = drive_.words(address);
    words[word(descriptor::STATUS)] = status;
    drive_.put(drive_.flashRing_, status, address, words[word(descriptor::COOKIE)], number);
    if (words[word(descriptor::NEXT)] != 0)
        refuse("chained lists are not expected here");
    start(number);
}

} // namespace strobe::test
