// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/mock_flash.h"

#include "models/base/strobe_registers.h"
#include "tests/firmware/support/mock_drive.h"
#include "tests/firmware/support/mock_superchips.h"

#include <string>

namespace strobe::test {

namespace descriptor = regs::flashDescriptor;

namespace {

constexpr std::size_t word(std::uint32_t offset)
{
    return offset / 4;
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
}

nand::DieCounters MockFlash::counters() const
{
    nand::DieCounters sum;
    for (const nand::Die& die : dies_) {
        sum.reads += die.counters().reads;
        sum.programs += die.counters().programs;
        sum.erases += die.counters().erases;
        sum.copyBacks += die.counters().copyBacks;
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

nand::Operation MockFlash::operationOf(const std::uint32_t* words)
{
    constexpr nand::Opcode opcodes[] = {nand::Opcode::Read, nand::Opcode::Program, nand::Opcode::Erase,
                                        nand::Opcode::CopyBack};
    const std::uint32_t opcode = words[word(descriptor::CONTROL)] & descriptor::CONTROL_opcode_mask;
    const std::uint32_t wanted = descriptor::CONTROL_inline_blocks_mask | descriptor::CONTROL_inline_spare_mask;
    if (opcode < 1 || opcode > 4 || (words[word(descriptor::CONTROL)] & wanted) != wanted)
        refuse("malformed descriptor");
    const std::uint32_t perPage = part_.geometry.sectorsPerPage();
    nand::Operation op;
    op.opcode = opcodes[opcode - 1];
    op.die = DieId{static_cast<std::uint16_t>(words[word(descriptor::SUPERCHIP)])};
    op.target = {words[word(descriptor::BLOCKS)], words[word(descriptor::START_SECTOR)] / perPage};
    op.source = {words[word(descriptor::SOURCE_BLOCKS)], words[word(descriptor::SOURCE_SECTOR)] / perPage};
    op.firstSector = words[word(descriptor::START_SECTOR)] % perPage;
    op.sectors = words[word(descriptor::SECTORS)];
    if (op.opcode == nand::Opcode::Read || op.opcode == nand::Opcode::Program)
        op.data = drive_.content(words[word(descriptor::BUFFER)], op.sectors);
    if (op.opcode == nand::Opcode::Program)
        std::memcpy(op.spare.data(), &words[word(descriptor::SPARE0)], sizeof op.spare);
    return op;
}

// Whether the block is worn out from now on.
bool MockFlash::wears(nand::Die& die, std::uint32_t block)
{
    if (wornOut_ >= faults_.most || !happens(faults_.wearOut) || die.isFactoryBad(block))
        return false;
    ++wornOut_;
    die.wearOut(block);
    return true;
}

void MockFlash::execute(std::uint32_t number, std::uint32_t address)
{
    const std::uint32_t control = drive_.words(address)[word(descriptor::CONTROL)];
    const bool isOneChip = (control & descriptor::CONTROL_one_chip_mask) != 0;
    if (isOneChip || (control & descriptor::CONTROL_inline_blocks_mask) == 0) {
        superchips_->execute(number, address);
        return;
    }
    nand::Operation op = operationOf(drive_.words(address));
    if (raw(op.die) >= dies_.size())
        refuse("no such die");
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
        dies_[raw(op.die)].fetch(op);
        std::memcpy(&words[word(descriptor::SPARE0)], op.spare.data(), sizeof op.spare);
        if (op.torn)
            op.status = nand::Status::Uncorrectable;
        const bool isData = op.data.mode == DataMode::Tags && drive_.isReady();
        if (isData && !op.blank && op.sectors != 0 && happens(faults_.uncorrectable)) {
            op.status = nand::Status::Uncorrectable;
            for (std::uint32_t i = 0; i < op.sectors; ++i)
                drive_.tags(words[word(descriptor::BUFFER)], op.sectors)[i] = 0xDEADDEADDEADDEADull;
        }
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
