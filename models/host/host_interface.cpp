// SPDX-License-Identifier: Apache-2.0
#include "models/host/host_interface.h"

#include "models/base/check.h"
#include "models/base/strobe_registers.h"

#include <algorithm>
#include <array>

namespace strobe::host {

namespace {

namespace reg = strobe::regs::host;

} // namespace

HostInterface::HostInterface(const HostInterfaceConfig& config, HostDmaPort& memory)
    : config_(config), memory_(memory), registers_(reg::table, std::size(reg::table), reg::size),
      events_(
          memory, [this](const std::string& text, Time at) { reportFault(text, at); },
          [this](std::uint32_t count, Time at) {
              effects_.push(at, {Effect::Kind::Consume, count});
          }),
      slots_(config.slots), handling_(config.slots), transfers_(config.dataBuffer, memory)
{
    attachRegisters();
}

// --- registers -------------------------------------------------------------------------------------------------------

void HostInterface::attachRegisters()
{
    registers_.poke(reg::SLOTS, config_.slots);
    registers_.onRead(reg::RING_PRODUCER, [this](std::uint32_t) { return ring().producer(); });
    registers_.onWrite(reg::CONTROL, [this](std::uint32_t, std::uint32_t value) {
        effects_.push(writeTime_, {Effect::Kind::Control, value});
    });
    registers_.onWrite(reg::RING_ENTRIES, [this](std::uint32_t, std::uint32_t value) {
        pickup_.restart(ring().producer());
        if (events_.configure(BusAddress{registers_.peek(reg::RING_BASE)}, value, writeTime_))
            registers_.poke(reg::RING_CONSUMER, 0);
    });
    registers_.onWrite(reg::RING_CONSUMER, [this](std::uint32_t, std::uint32_t value) { take(value); });
    registers_.onRead(reg::FEED_TAKEN, [this](std::uint32_t) { return feeder_.taken(); });
    registers_.onWrite(reg::FEED_SECTORS, [this](std::uint32_t, std::uint32_t value) { configureFeeder(value); });
    registers_.onWrite(reg::FEED_RELEASED, [this](std::uint32_t, std::uint32_t value) {
        effects_.push(writeTime_, {Effect::Kind::Release, value});
    });
    registers_.onWrite(reg::XFER_START, [this](std::uint32_t, std::uint32_t value) {
        const std::uint32_t range = registers_.peek(reg::XFER_RANGE);
        effects_.push(writeTime_, {Effect::Kind::StartTransfer, value, range & reg::XFER_RANGE_first_mask,
                                   (range >> reg::XFER_RANGE_more_shift) + 1, registers_.peek(reg::XFER_BUFFER),
                                   registers_.peek(reg::XFER_COOKIE)});
        if ((value & reg::XFER_START_complete_mask) != 0)
            handled(value & reg::XFER_START_slot_mask);
    });
    registers_.onWrite(reg::PLACE, [this](std::uint32_t, std::uint32_t value) {
        effects_.push(writeTime_,
                      {Effect::Kind::Place, value & reg::PLACE_slot_mask, registers_.peek(reg::PLACE_SECTOR)});
    });
    registers_.onWrite(reg::COMPLETE, [this](std::uint32_t, std::uint32_t value) {
        effects_.push(writeTime_, {Effect::Kind::Complete, value});
        handled((value & reg::COMPLETE_slot_mask) >> reg::COMPLETE_slot_shift);
    });
}

std::uint32_t HostInterface::registerBytes()
{
    return reg::size;
}

Access HostInterface::writeRegister(std::uint32_t offset, std::uint32_t value, Time at)
{
    writeTime_ = at;
    return registers_.write(offset, value);
}

std::uint64_t HostInterface::capacitySectors() const
{
    return std::uint64_t{registers_.peek(reg::CAPACITY_HI)} << 32 | registers_.peek(reg::CAPACITY_LO);
}

ZoneShape HostInterface::zones() const
{
    const std::uint32_t limits = registers_.peek(reg::ZONE_LIMITS);
    return {registers_.peek(reg::ZONE_SECTORS), registers_.peek(reg::ZONE_CAPACITY),
            limits & reg::ZONE_LIMITS_open_mask,
            (limits & reg::ZONE_LIMITS_active_mask) >> reg::ZONE_LIMITS_active_shift};
}

HostPort::ZoneList HostInterface::zoneStates(std::uint32_t first, std::uint32_t count, Time at)
{
    namespace entry = strobe::regs::zoneEntry;
    std::vector<std::uint32_t> words(std::size_t{count} * entry::size / sizeof(std::uint32_t));
    ZoneList list{{}, at};
    const BusAddress address{registers_.peek(reg::ZONE_TABLE) + first * entry::size};
    const Time end = memory_.move(address, count * entry::size,
                                  {reinterpret_cast<std::byte*>(words.data()), DataMode::Bytes}, false, at);
    if (end == never)
        reportFault("ZONE_TABLE: the zone table is not in memory", at);
    else
        list.at = end;
    for (std::size_t zone = 0; zone < count; ++zone) {
        const std::uint32_t* zoneWords = &words[zone * entry::size / sizeof(std::uint32_t)];
        list.zones.push_back({static_cast<std::uint8_t>(zoneWords[entry::STATE / 4] & entry::STATE_state_mask),
                              zoneWords[entry::POINTER / 4]});
    }
    return list;
}

PlacementShape HostInterface::placement() const
{
    const std::uint32_t word = registers_.peek(reg::PLACEMENT);
    return {word & reg::PLACEMENT_handles_mask, (word & reg::PLACEMENT_isolation_mask) != 0,
            registers_.peek(reg::PLACEMENT_UNIT)};
}

std::vector<PlacementEntry> HostInterface::placementEntries(Time at)
{
    namespace entry = strobe::regs::placementEntry;
    const std::uint32_t handles = placement().handles;
    std::vector<std::uint32_t> words(std::size_t{handles} * entry::size / sizeof(std::uint32_t));
    if (memory_.move(BusAddress{registers_.peek(reg::PLACEMENT_TABLE)}, handles * entry::size,
                     {reinterpret_cast<std::byte*>(words.data()), DataMode::Bytes}, false, at) == never)
        reportFault("PLACEMENT_TABLE: the placement table is not in memory", at);
    std::vector<PlacementEntry> entries;
    for (std::size_t handle = 0; handle < handles; ++handle) {
        const std::uint32_t* of = &words[handle * entry::size / sizeof(std::uint32_t)];
        entries.push_back({of[entry::AVAILABLE / 4], of[entry::MOVED / 4]});
    }
    return entries;
}

void HostInterface::advance(Time now)
{
    catchUp(now);
    while (effects_.isDue(now))
        apply(effects_.pop(), now);
}

void HostInterface::apply(const Effect& effect, Time now)
{
    switch (effect.kind) {
    case Effect::Kind::Control: control(effect.value, now); break;
    case Effect::Kind::Consume: events_.takeHeldBack(effect.value, now); break;
    case Effect::Kind::StartTransfer: startTransfer(effect, now); break;
    case Effect::Kind::Place: place(effect.value, effect.first, now); break;
    case Effect::Kind::Complete:
        complete((effect.value & reg::COMPLETE_slot_mask) >> reg::COMPLETE_slot_shift,
                 (effect.value & reg::COMPLETE_status_mask) >> reg::COMPLETE_status_shift, now);
        break;
    case Effect::Kind::PostCommand: announce(effect.value, now); break;
    case Effect::Kind::Delivered: delivered_(effect.value); break;
    case Effect::Kind::Feed:
        feeder_.add(static_cast<std::uint16_t>(effect.value), slots_.command(effect.value).sectors);
        if (observer_ != nullptr)
            observer_->announced(static_cast<std::uint16_t>(effect.value), now);
        feed(now);
        break;
    case Effect::Kind::Release:
        if (!feeder_.release(effect.value))
            reportFault("FEED_RELEASED: " + std::to_string(effect.value) + " sectors, but only " +
                            std::to_string(feeder_.taken()) + " were taken",
                        now);
        feed(now);
        break;
    }
}

void HostInterface::supplyFails(Time now, std::function<void(Time)> saved)
{
    saved_ = std::move(saved);
    held_.clear();
    events_.post({eventSupplyFails, 0, 0, 0}, now);
}

void HostInterface::control(std::uint32_t value, Time now)
{
    if (!isHostGone())
        enable((value & reg::CONTROL_enable_mask) != 0, now);
    else if ((value & reg::CONTROL_saved_mask) != 0)
        saved_(now);
}

void HostInterface::enable(bool isEnabled, Time now)
{
    if (isEnabled && capacitySectors() == 0) {
        reportFault("the port is enabled with a capacity of 0 sectors: it stays disabled", now);
        return;
    }
    isEnabled_ = isEnabled;
    if (!isEnabled)
        return;
    if (!wasEnabled_) {
        wasEnabled_ = true;
        front_->driveReady(now);
    }
    for (const Command& command : held_)
        writeRecord(command, now);
    held_.clear();
}

bool HostInterface::holds(RequestKind kind, std::uint64_t lba) const
{
    return std::any_of(held_.begin(), held_.end(),
                       [&](const Command& command) { return command.kind == kind && command.lba == lba; });
}

HostInterface::Position HostInterface::position(Time now)
{
    catchUp(now);
    check(activeSlots() == 0 && effects_.empty(), "the host interface is replaced while it has work");
    return {ring().position(), feeder_, BusAddress{registers_.peek(reg::COMMANDS)}};
}

void HostInterface::continueAfter(std::uint32_t events, const InboundFeeder& feeder)
{
    check(activeSlots() == 0 && effects_.empty(), "a host interface with work has no substitute");
    events_.moveTo(events);
    feeder_ = feeder;
}

void HostInterface::reportFault(const std::string& text, Time now)
{
    ++counters_.faults;
    if (fault_)
        fault_(text, now);
}

// --- commands --------------------------------------------------------------------------------------------------------

void HostInterface::submit(const Command& command, Time at)
{
    if (isHostGone())
        return;
    slots_.add(command);
    ++counters_.commands;
    if (observer_ != nullptr)
        observer_->arrived(command, at);
    if (!isEnabled_)
        held_.push_back(command);
    else if (command.kind != RequestKind::Read || reads_ == nullptr || !reads_->takeRead(command, at))
        writeRecord(command, at);
}

void HostInterface::writeRecord(const Command& command, Time now)
{
    std::array<std::uint32_t, strobe::regs::hostCommand::size / 4> record{};
    record[strobe::regs::hostCommand::KIND / 4] =
        (static_cast<std::uint32_t>(command.kind) + 1) |
        (command.fua ? strobe::regs::hostCommand::KIND_fua_mask : std::uint32_t{0}) |
        std::uint32_t{command.placement.value_or(0)} << strobe::regs::hostCommand::KIND_placement_shift;
    record[strobe::regs::hostCommand::LBA_LO / 4] = static_cast<std::uint32_t>(command.lba);
    record[strobe::regs::hostCommand::LBA_HI / 4] = static_cast<std::uint32_t>(command.lba >> 32);
    record[strobe::regs::hostCommand::SECTORS / 4] = command.sectors;
    const std::uint32_t records = registers_.peek(reg::COMMANDS);
    const BusAddress address{records + strobe::regs::hostCommand::size * command.slot};
    const Content bytes{reinterpret_cast<std::byte*>(record.data()), DataMode::Bytes};
    const Time end = memory_.move(address, strobe::regs::hostCommand::size, bytes, true, now);
    if (end == never)
        reportFault("COMMANDS: the command records are not in memory", now);
    else if (records % strobe::regs::hostCommand::size != 0)
        reportFault("COMMANDS: the command records are not at a multiple of 32", now);
    else
        effects_.push(
            end, {feeder_.isOn() && command.kind == RequestKind::Write ? Effect::Kind::Feed : Effect::Kind::PostCommand,
                  command.slot});
}

void HostInterface::announce(std::uint32_t slot, Time now)
{
    const std::uint32_t event = ring().producer() + static_cast<std::uint32_t>(ring().heldBack());
    const Time seen = events_.post({eventCommandArrived, slot, 0, 0}, now);
    pickup_.announced(event, slots_.command(slot), seen);
    if (observer_ != nullptr)
        observer_->announced(static_cast<std::uint16_t>(slot), seen);
}

// Firmware cannot have seen more events than were put by now; what it writes beyond them is refused later.
void HostInterface::take(std::uint32_t events)
{
    if (static_cast<std::int32_t>(ring().producer() - events) >= 0 && pickup_.taken(events, writeTime_, handling_) &&
        firmwarePc_)
        pickup_.locate(firmwarePc_());
    events_.take(events, writeTime_);
}

void HostInterface::resetRingCounters(Time now)
{
    events_.resetCounters(now);
    pickup_.reset();
    handling_.reset();
}

void HostInterface::handBack(std::uint16_t slot, Time now)
{
    writeRecord(slots_.command(slot), now);
}

void HostInterface::fail(std::uint16_t slot, Time now)
{
    finish(slot, CommandStatus::Uncorrectable, now);
}

// Firmware is at the instruction that completes the command.
void HostInterface::handled(std::uint32_t slot)
{
    if (handling_.isOpen(slot) && handling_.completed(slots_.command(slot), writeTime_) && firmwarePc_)
        handling_.locate(firmwarePc_());
}

void HostInterface::place(std::uint32_t slot, std::uint32_t sector, Time now)
{
    if (isHostGone())
        return;
    const std::string wrong = slots_.placeFault(slot);
    if (wrong.empty())
        front_->placed(static_cast<std::uint16_t>(slot), slots_.command(slot).lba + sector, now);
    else
        reportFault("PLACE of slot " + std::to_string(slot) + ": " + wrong, now);
}

void HostInterface::complete(std::uint32_t slot, std::uint32_t status, Time now)
{
    const std::string wrong = slots_.completionFault(slot, status);
    if (wrong.empty())
        finish(static_cast<std::uint16_t>(slot), static_cast<CommandStatus>(status), now);
    else
        reportFault("COMPLETE of slot " + std::to_string(slot) + ": " + wrong, now);
}

void HostInterface::finish(std::uint16_t slot, CommandStatus status, Time now)
{
    if (isHostGone())
        return;
    if (status == CommandStatus::Ok && !slots_.isComplete(slot))
        reportFault("COMPLETE of slot " + std::to_string(slot) + ": ok, but " + std::to_string(slots_.ordered(slot)) +
                        " of " + std::to_string(slots_.command(slot).sectors) + " sectors were transferred",
                    now);
    if (handling_.isOpen(slot)) // hardware completes it
        handling_.completed(slots_.command(slot), now);
    slots_.free(slot);
    ++counters_.completions;
    if (observer_ != nullptr)
        observer_->ended(slot, now);
    front_->complete(slot, status, now);
}

// --- transfers -------------------------------------------------------------------------------------------------------

void HostInterface::startTransfer(const Effect& effect, Time now)
{
    HostTransfer transfer;
    transfer.slot = static_cast<std::uint16_t>(effect.value & reg::XFER_START_slot_mask);
    transfer.toHost = (effect.value & reg::XFER_START_to_host_mask) != 0;
    transfer.notify = (effect.value & reg::XFER_START_notify_mask) != 0;
    transfer.complete = (effect.value & reg::XFER_START_complete_mask) != 0;
    transfer.buffer = effect.buffer;
    transfer.cookie = effect.cookie;
    std::string wrong = slots_.rangeFault(transfer.slot, transfer.toHost, effect.first, effect.count);
    if (wrong.empty())
        wrong = transfers_.bufferFault(effect.buffer, effect.count);
    if (wrong.empty())
        order(transfer, effect.first, effect.count, now);
    else
        reportFault("XFER_START of slot " + std::to_string(transfer.slot) + ": " + wrong, now);
}

bool HostInterface::deliver(const DirectRead& read, Time now)
{
    const std::string wrong = slots_.rangeFault(read.slot, true, read.first, read.sectors);
    if (!wrong.empty()) {
        reportFault("read of slot " + std::to_string(read.slot) + " from flash: " + wrong, now);
        return false;
    }
    HostTransfer transfer;
    transfer.slot = read.slot;
    transfer.toHost = true;
    transfer.complete = read.completes && slots_.ordered(read.slot) + read.sectors == slots_.command(read.slot).sectors;
    transfer.cookie = read.token;
    transfer.isDirect = true;
    transfer.direct = read.content;
    order(transfer, read.first, read.sectors, now);
    return true;
}

void HostInterface::order(const HostTransfer& transfer, std::uint32_t first, std::uint32_t count, Time now)
{
    if (isHostGone())
        return;
    const std::uint64_t handle = transfers_.add(transfer);
    slots_.order(transfer.slot, count, transfer.complete);
    ++counters_.transfers;
    if (observer_ != nullptr)
        observer_->ordered(
            {handle, transfer.slot, transfer.toHost, transfer.isDirect, transfer.cookie, transfer.buffer, count}, now);
    front_->transfer({transfer.slot, transfer.toHost, first, count, handle}, now);
}

void HostInterface::configureFeeder(std::uint32_t sectors)
{
    if (!feeder_.configure(BusAddress{registers_.peek(reg::FEED_BASE)}, sectors, registers_.peek(reg::FEED_PIECE),
                           config_.dataBuffer))
        reportFault("FEED_SECTORS: " + std::to_string(sectors) + " sectors at " +
                        std::to_string(registers_.peek(reg::FEED_BASE)) + " in pieces of " +
                        std::to_string(registers_.peek(reg::FEED_PIECE)) +
                        ": no power of two, not in the data buffer, or pieces that are not 1 to all of them",
                    writeTime_);
    registers_.poke(reg::FEED_RELEASED, 0);
}

// As much as there is space for.
void HostInterface::feed(Time now)
{
    while (const auto piece = feeder_.next()) {
        HostTransfer transfer;
        transfer.slot = piece->slot;
        transfer.notify = transfer.isFed = true;
        transfer.buffer = raw(piece->address);
        transfer.cookie = piece->number;
        transfer.range = piece->first | (piece->sectors - 1) << reg::XFER_RANGE_more_shift;
        order(transfer, piece->first, piece->sectors, now);
    }
}

Time HostInterface::accessBuffer(std::uint64_t handle, std::uint32_t firstSector, std::uint32_t sectors,
                                 Content content, Time at)
{
    if (isHostGone())
        return at;
    return transfers_.access(handle, firstSector, sectors, content, at);
}

void HostInterface::transferDone(std::uint64_t handle, Time at)
{
    if (isHostGone())
        return;
    const HostTransfer transfer = transfers_.remove(handle);
    slots_.transferEnded(transfer.slot);
    if (observer_ != nullptr)
        observer_->moved(handle, transfer.slot, at);
    if (transfer.isDirect)
        effects_.push(at, {Effect::Kind::Delivered, transfer.cookie});
    if (transfer.notify)
        events_.post(
            {transfer.isFed ? eventSectorsBuffered : eventTransferDone, transfer.slot, transfer.cookie, transfer.range},
            at);
    if (!transfer.complete)
        return;
    // Transfers are done in order, so those of the slot that were ordered before have ended, too.
    check(!slots_.hasTransfers(transfer.slot), "a transfer ended out of order");
    finish(transfer.slot, CommandStatus::Ok, at);
}

} // namespace strobe::host
