// SPDX-License-Identifier: Apache-2.0
#include "models/controller/functional_flash.h"

#include "models/base/check.h"

#include <algorithm>
#include <cstring>

namespace strobe::controller {

namespace layout = regs::flashDescriptor;
namespace registers = regs::flash;

namespace {

// The same configuration, without time.
FlashControllerConfig untimed(FlashControllerConfig config)
{
    config.ecc.encodeLatency = config.ecc.decodeLatency = Time{};
    config.ecc.bytesPerSecond = 0;
    config.ecc.code.iterationTime = Time{};
    return config;
}

} // namespace

FunctionalFlash::FunctionalFlash(const FlashController& controller, Dies dies, memory::FunctionalBuffer& buffer,
                                 HostSink* host, Time now)
    : config_(untimed(controller.config())), dies_(config_, std::move(dies), now), memory_(buffer), now_(now),
      map_(config_.array, config_.die, config_.superchip), oneChip_(config_.array, config_.die, {}),
      ring_(controller.ring().position(), buffer.memory()), okStatus_(statusWord({StatusCode::Ok, 0, false, 0})),
      units_(config_.allUnits()), unitTable_(config_, map_, dies_, memory_),
      untimedUnits_(config_, map_, oneChip_, dies_, memory_, ring_, host, controller.xorEngine(), now)
{
    check(controller.isIdle(), "the flash controller is replaced while it has work");
}

// --- registers -------------------------------------------------------------------------------------------------------

void FunctionalFlash::addList(std::uint16_t number, BusAddress head)
{
    Unit& unit = units_[number];
    if (unit.lists.size() > config_.unitDepth) {
        refuseList(number, head);
        return;
    }
    unit.lists.push(head);
    if (!unit.isActive)
        active_.push_back(number);
    unit.isActive = true;
}

void FunctionalFlash::refuseList(std::uint16_t number, BusAddress head)
{
    Failure failure;
    failure.kind = FailureKind::ListRefused;
    failure.at = now_;
    failure.unit = UnitId{number};
    failure.descriptor = head;
    dies_.note(failure);
}

bool FunctionalFlash::writeOther(std::uint32_t offset, std::uint32_t value)
{
    if (offset != registers::RING_CONSUMER)
        return false;
    if (!ring_.consumed(value)) {
        Failure failure;
        failure.kind = FailureKind::RingConsumerRefused;
        failure.at = now_;
        failure.value = value;
        dies_.note(failure);
    }
    return true;
}

bool FunctionalFlash::readRegister(std::uint32_t offset, std::uint32_t& value) const
{
    const std::uint32_t unit = offset - registers::UNIT_STATUS;
    if (offset >= registers::UNIT_STATUS && unit % registers::UNIT_STATUS_step == 0 &&
        unit / registers::UNIT_STATUS_step < registers::UNIT_STATUS_count) {
        value = 0; // no unit is ever busy
        return true;
    }
    if (offset != registers::RING_PRODUCER)
        return false;
    value = ring_.producer();
    return true;
}

// --- lists -----------------------------------------------------------------------------------------------------------

namespace {

std::uint32_t wordOf(const std::byte* descriptor, std::uint32_t offset)
{
    std::uint32_t value = 0;
    std::memcpy(&value, descriptor + offset, sizeof value);
    return value;
}

} // namespace

// What most descriptors are when a drive is filled: a program of a whole page that holds a run of tags. False: it is
// not one, or the die does not simply accept it; nothing has happened.
inline bool FunctionalFlash::programRun(UnitId unit, BusAddress address, std::byte* place)
{
    constexpr std::uint32_t purposes =
        layout::CONTROL_purpose_mask | layout::CONTROL_one_chip_mask | layout::CONTROL_stepped_mask;
    constexpr std::uint32_t program =
        std::uint32_t{static_cast<std::uint8_t>(SuperchipOpcode::Program)} << layout::CONTROL_opcode_shift |
        layout::CONTROL_report_mask | layout::CONTROL_inline_blocks_mask | layout::CONTROL_inline_spare_mask;
    const std::uint32_t control = wordOf(place, layout::CONTROL);
    const BusAddress buffer{wordOf(place, layout::BUFFER)};
    const std::uint32_t die = wordOf(place, layout::SUPERCHIP);
    const std::uint32_t start = wordOf(place, layout::START_SECTOR);
    const std::uint32_t perPage = memory_.sectorsPerPage(); // a power of two, if it is kept
    const std::uint32_t purpose = (control & layout::CONTROL_purpose_mask) >> layout::CONTROL_purpose_shift;
    const bool isOneDie = (control & layout::CONTROL_one_chip_mask) != 0 || map_.chips() == 1;
    if (config_.die.hasWordLines() || (control & ~purposes) != program || !isOneDie ||
        purpose >= nand::purposeTable.size() || die >= dies_.size() || wordOf(place, layout::SECTORS) != perPage ||
        !memory_.arePieces(buffer, perPage) || (start & (perPage - 1)) != 0)
        return false;
    const SectorTag first = memory_.runAt(buffer, perPage);
    nand::Spare spare;
    std::memcpy(spare.data(), place + layout::SPARE0, sizeof spare);
    if (first == 0 || !dies_[DieId{static_cast<std::uint16_t>(die)}].programRunAtOnce(
                          {wordOf(place, layout::BLOCKS), start >> memory_.pageShift()}, first, spare,
                          static_cast<nand::Purpose>(purpose)))
        return false;
    std::memcpy(place + layout::STATUS, &okStatus_, sizeof okStatus_);
    ring_.push({okStatus_, raw(address), wordOf(place, layout::COOKIE), std::uint32_t{raw(unit)}});
    return true;
}

// The list's descriptors one after the other, as long as they are plain.
inline void FunctionalFlash::execute(UnitId unit, BusAddress head)
{
    ListLoop loop;
    loop.begin(head);
    for (BusAddress address = head; raw(address) != 0;) {
        std::byte* place = isDescriptorAddress(address) ? memory_.memory().bytes(address, descriptorBytes) : nullptr;
        if (place == nullptr)
            return untimedUnits_.execute(unit, address); // which refuses it
        if (loop.isClosedBy(address, BusAddress{wordOf(place, layout::NEXT)}))
            return refuseLoop(unit, address, place);
        if (programRun(unit, address, place)) {
            address = BusAddress{wordOf(place, layout::NEXT)};
            continue;
        }
        DescriptorWords words;
        std::memcpy(words.data(), place, sizeof words);
        if (std::optional<nand::Operation> op = plainOperation(words))
            report(unit, address, place, words, *op, dies_.execute(*op));
        else if (const auto units = unitTable_.execute(words))
            report(unit, address, place, words, units->op, units->outcome);
        else
            return untimedUnits_.execute(unit, address);
        address = BusAddress{words[wordAt(layout::NEXT)]};
    }
}

// As a unit with time does: the descriptor is not executed, and the list ends with it.
void FunctionalFlash::refuseLoop(UnitId unit, BusAddress address, std::byte* place)
{
    Failure failure;
    failure.kind = FailureKind::MalformedDescriptor;
    failure.at = now_;
    failure.unit = unit;
    failure.descriptor = address;
    failure.malformed = MalformedReason::ListLoops;
    dies_.note(failure);
    const std::uint32_t status = statusWord({StatusCode::Malformed, 0, false, 0});
    std::memcpy(place + layout::STATUS, &status, sizeof status);
    ring_.push({status, raw(address), wordOf(place, layout::COOKIE), std::uint32_t{raw(unit)}});
}

// --- turns -----------------------------------------------------------------------------------------------------------

bool FunctionalFlash::step()
{
    turn_.swap(active_);
    active_.clear();
    for (const std::uint16_t number : turn_) {
        Unit& unit = units_[number];
        execute(UnitId{number}, unit.lists.pop());
        unit.isActive = !unit.lists.empty();
        if (unit.isActive)
            active_.push_back(number);
    }
    const bool hasWorked = !turn_.empty();
    turn_.clear();
    return hasWorked;
}

std::vector<FunctionalFlash::List> FunctionalFlash::takeLists()
{
    std::vector<List> lists;
    for (const std::uint16_t number : active_) {
        Unit& unit = units_[number];
        while (!unit.lists.empty())
            lists.push_back({UnitId{number}, unit.lists.pop()});
        unit.isActive = false;
    }
    active_.clear();
    return lists;
}

// --- whole operations of one die -------------------------------------------------------------------------------------

// Sectors of one page of one die between the data buffer, or control memory, and the page; or a block: what most
// descriptors are. Nothing else is wrong with them either. Null: it is not one.
std::optional<nand::Operation> FunctionalFlash::plainOperation(const DescriptorWords& words)
{
    constexpr std::uint32_t others = layout::CONTROL_step_mask | layout::CONTROL_complete_mask |
                                     layout::CONTROL_sector_table_mask | layout::CONTROL_common_spare_mask |
                                     layout::CONTROL_unit_table_mask | layout::CONTROL_read_option_mask |
                                     layout::CONTROL_parity_mask;
    const std::uint32_t control = words[wordAt(layout::CONTROL)];
    const bool isPslc = (control & layout::CONTROL_pslc_mask) != 0;
    const auto opcode =
        static_cast<SuperchipOpcode>((control & layout::CONTROL_opcode_mask) >> layout::CONTROL_opcode_shift);
    const bool isOneDie = (control & layout::CONTROL_one_chip_mask) != 0 || map_.chips() == 1;
    const bool hasBlock = (control & layout::CONTROL_inline_blocks_mask) != 0;
    const std::uint32_t die = words[wordAt(layout::SUPERCHIP)];
    if (!isOneDie || !hasBlock || (control & others) != 0 || die >= dies_.size() || (isPslc && !config_.die.hasPslc()))
        return std::nullopt;
    nand::Operation op;
    op.purpose = static_cast<nand::Purpose>((control & layout::CONTROL_purpose_mask) >> layout::CONTROL_purpose_shift);
    if (static_cast<std::size_t>(op.purpose) >= nand::purposeTable.size())
        return std::nullopt;
    op.pslc = isPslc;
    op.die = DieId{static_cast<std::uint16_t>(die)};
    op.target.block = words[wordAt(layout::BLOCKS)];
    if (opcode == SuperchipOpcode::Erase) {
        op.opcode = nand::Opcode::Erase;
        return op;
    }
    const std::uint32_t perPage = config_.die.sectorsPerPage();
    const std::uint32_t start = words[wordAt(layout::START_SECTOR)];
    const bool hasSpare = (control & layout::CONTROL_inline_spare_mask) != 0;
    const BusAddress buffer{words[wordAt(layout::BUFFER)]};
    op.target.page = start / perPage;
    op.firstSector = start % perPage;
    op.sectors = words[wordAt(layout::SECTORS)];
    const bool isPart = op.sectors != 0 && op.sectors <= perPage - op.firstSector;
    const bool isTransfer = opcode == SuperchipOpcode::Read ||
                            (opcode == SuperchipOpcode::Program && (isPslc || !config_.die.hasWordLines()));
    if (!isTransfer || !isPart || op.target.page >= config_.die.pagesOfBlock(isPslc) ||
        raw(buffer) % sectorBytes != 0 || (!hasSpare && words[wordAt(layout::SPARE_ADDRESS)] != 0))
        return std::nullopt;
    const auto bytes = static_cast<std::uint32_t>(op.sectors * sectorBytes);
    op.data = memory_.memory().isDataBuffer(buffer, bytes)
                  ? memory_.sectors(buffer, op.sectors)
                  : Content{memory_.memory().bytes(buffer, bytes), DataMode::Bytes};
    if (op.data.mode == DataMode::Bytes && op.data.data == nullptr)
        return std::nullopt;
    op.opcode = opcode == SuperchipOpcode::Read ? nand::Opcode::Read : nand::Opcode::Program;
    if (op.opcode == nand::Opcode::Program && hasSpare)
        std::copy_n(words.begin() + wordAt(layout::SPARE0), op.spare.size(), op.spare.begin());
    return op;
}

// The end of a descriptor, of which `op` is the last operation.
void FunctionalFlash::report(UnitId unit, BusAddress address, std::byte* place, const DescriptorWords& words,
                             const nand::Operation& op, const Outcome& outcome)
{
    const std::uint32_t control = words[wordAt(layout::CONTROL)];
    const std::uint32_t status = statusWord(outcome);
    std::memcpy(place + layout::STATUS, &status, sizeof status);
    const bool hasSpare = op.opcode == nand::Opcode::Read && (control & layout::CONTROL_inline_spare_mask) != 0 &&
                          (outcome.code == StatusCode::Ok || outcome.code == StatusCode::Uncorrectable);
    if (hasSpare)
        std::memcpy(place + layout::SPARE0, op.spare.data(), sizeof op.spare);
    const bool hasFailed = outcome.code != StatusCode::Ok;
    if (hasFailed)
        dies_.noteFailure(outcome.code == StatusCode::Illegal ? FailureKind::OperationIllegal
                                                              : FailureKind::OperationFailed,
                          unit, address, op);
    if (hasFailed || (control & layout::CONTROL_report_mask) != 0)
        ring_.push({status, raw(address), words[wordAt(layout::COOKIE)], std::uint32_t{raw(unit)}});
}

} // namespace strobe::controller
