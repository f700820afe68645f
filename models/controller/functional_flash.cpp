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
    : config_(untimed(controller.config())), dies_(std::move(dies)), memory_(buffer), host_(host), now_(now),
      map_(config_.array, config_.die, config_.superchip), oneChip_(config_.array, config_.die, {}),
      ring_(controller.ring().position(), buffer.memory()), okStatus_(statusWord({StatusCode::Ok, 0, false, 0})),
      units_(config_.allUnits())
{
    check(controller.isIdle(), "the flash controller is replaced while it has work");
    for (std::uint32_t i = 0; i < config_.array.channels; ++i)
        ecc_.emplace_back(config_.ecc, config_.die.pageBytes,
                          Rng(config_.seed, "functional ecc of channel " + std::to_string(i)));
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
    failures_.note(failure);
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
        failures_.note(failure);
    }
    return true;
}

bool FunctionalFlash::readRegister(std::uint32_t offset, std::uint32_t& value) const
{
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
    constexpr std::uint32_t purposes = layout::CONTROL_purpose_mask | layout::CONTROL_one_chip_mask;
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
    if (first == 0 || !dies_[DieId{static_cast<std::uint16_t>(die)}]->programRunAtOnce(
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
    for (BusAddress address = head; raw(address) != 0;) {
        std::byte* place = isDescriptorAddress(address) ? memory_.memory().bytes(address, descriptorBytes) : nullptr;
        if (place == nullptr)
            return executeByUnit(unit, address); // which refuses it
        if (programRun(unit, address, place)) {
            address = BusAddress{wordOf(place, layout::NEXT)};
            continue;
        }
        DescriptorWords words;
        std::memcpy(words.data(), place, sizeof words);
        if (std::optional<nand::Operation> op = plainOperation(words))
            executePlain(unit, address, place, words, *op);
        else if (!executeUnits(unit, address, place, words))
            return executeByUnit(unit, address);
        address = BusAddress{words[wordAt(layout::NEXT)]};
    }
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
                                     layout::CONTROL_unit_table_mask | layout::CONTROL_read_option_mask;
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

void FunctionalFlash::executePlain(UnitId unit, BusAddress address, std::byte* place, const DescriptorWords& words,
                                   nand::Operation& op)
{
    const Outcome outcome = executeOnDie(op);
    report(unit, address, place, words, op, outcome);
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
        noteFailure(outcome.code == StatusCode::Illegal ? FailureKind::OperationIllegal : FailureKind::OperationFailed,
                    unit, address, op);
    if (hasFailed || (control & layout::CONTROL_report_mask) != 0)
        ring_.push({status, raw(address), words[wordAt(layout::COOKIE)], std::uint32_t{raw(unit)}});
}

Outcome FunctionalFlash::executeOnDie(nand::Operation& op)
{
    nand::Die& die = *dies_[op.die];
    die.executeAtOnce(op);
    if (op.opcode == nand::Opcode::Read && op.status == nand::Status::Ok) {
        die.fetch(op);
        const auto correction = [&] { return ecc_[config_.array.channelOf(op.die)].decode(op, now_).correction; };
        if (op.torn || (op.bitErrors != 0 && correction() == Correction::Uncorrectable))
            op.status = nand::Status::Uncorrectable;
    }
    Outcome outcome;
    outcome.code = statusCode(op.status);
    outcome.blank = op.opcode == nand::Opcode::Read && op.blank;
    outcome.page = static_cast<std::uint16_t>(op.status != nand::Status::Ok     ? op.target.page
                                              : op.opcode == nand::Opcode::Read ? correctedBits(op)
                                                                                : 0);
    return outcome;
}

void FunctionalFlash::noteFailure(FailureKind kind, UnitId unit, BusAddress descriptor, const nand::Operation& op)
{
    Failure failure;
    failure.kind = kind;
    failure.at = now_;
    failure.unit = unit;
    failure.descriptor = descriptor;
    failure.opcode = op.opcode;
    failure.die = op.die;
    failure.target = op.target;
    failure.status = op.status;
    failure.illegal = op.reason;
    failures_.note(failure);
}

// --- all others ------------------------------------------------------------------------------------------------------

void FunctionalFlash::executeByUnit(UnitId number, BusAddress head)
{
    if (full_.empty())
        full_.resize(units_.size());
    std::unique_ptr<FlashUnit>& unit = full_[raw(number)];
    if (unit == nullptr) {
        const FlashUnitConfig config{config_.unitDepth, config_.unitOperations, nand::Priority::Background,
                                     config_.dataMode,  config_.dataBuffer,     config_.hasHost};
        unit = std::make_unique<FlashUnit>(number, config, map_, oneChip_, ecc_, static_cast<FlashDmaPort&>(*this),
                                           static_cast<UnitPort&>(*this));
    }
    unit->submit(head, now_);
    finishWork();
    check(!unit->isBusy(), "a flash unit without time has not finished");
}

void FunctionalFlash::finishWork()
{
    while (!done_.empty() || !wakes_.empty() || !taken_.empty()) {
        if (!done_.empty()) {
            const Done done = done_.front();
            done_.pop_front();
            full_[raw(done.ticket.unit)]->operationDone(done.ticket.lane, done.op, now_);
        } else if (!wakes_.empty()) {
            const Wake wake = wakes_.front();
            wakes_.pop_front();
            full_[raw(wake.unit)]->wake(wake.token, now_);
        } else {
            const Ticket ticket = taken_.front();
            taken_.pop_front();
            full_[raw(ticket.unit)]->hostTook(ticket.lane, now_);
        }
    }
}

void FunctionalFlash::wakeUnit(UnitId unit, std::uint32_t token, Time)
{
    wakes_.push_back({unit, token});
}

void FunctionalFlash::sendOperation(Ticket ticket, const nand::Operation& op, Time)
{
    Done done{ticket, op};
    nand::Die& die = *dies_[op.die];
    die.executeAtOnce(done.op);
    if (done.op.opcode == nand::Opcode::Read && done.op.status == nand::Status::Ok)
        die.fetch(done.op);
    done_.push_back(done);
}

Time FunctionalFlash::reportEvent(const FlashEvent& event, Time at)
{
    ring_.push({statusWord(event.outcome), raw(event.descriptor), event.cookie, std::uint32_t{raw(event.unit)}});
    return at;
}

bool FunctionalFlash::sendToHost(const HostRun& run, Time now)
{
    check(host_ != nullptr, "a read goes to the host interface, but none is connected");
    const bool isTaken = host_->deliver(run, now);
    if (isTaken)
        taken_.push_back(run.ticket);
    return isTaken;
}

void FunctionalFlash::synthesizedDone(std::uint32_t, bool, Time)
{
    checkFailed("a synthesized read without a synthesizer", __FILE__, __LINE__);
}

Moved FunctionalFlash::move(BusAddress address, std::uint32_t bytes, Content content, Direction direction, Time)
{
    return {now_, memory_.move(address, bytes, content, direction == Direction::ToMemory)};
}

} // namespace strobe::controller
