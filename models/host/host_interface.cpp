// SPDX-License-Identifier: Apache-2.0
#include "models/host/host_interface.h"

#include "models/base/check.h"
#include "models/base/strobe_registers.h"

#include <algorithm>
#include <array>

namespace strobe::host {

namespace {

namespace reg = strobe::regs::host;

std::string number(std::uint64_t value)
{
    return std::to_string(value);
}

bool movesData(RequestKind kind)
{
    return kind == RequestKind::Read || kind == RequestKind::Write;
}

template <std::size_t words>
Content bytesOf(std::array<std::uint32_t, words>& data)
{
    return {reinterpret_cast<std::byte*>(data.data()), DataMode::Bytes};
}

} // namespace

HostInterface::HostInterface(const HostInterfaceConfig& config, DmaPort& memory)
    : config_(config), memory_(memory), registers_(reg::table, std::size(reg::table), reg::size),
      ring_([this](BusAddress address, const memory::EventRing::Entry& entry) {
          memory::EventRing::Entry copy = entry;
          const Time end = memory_.move(address, memory::EventRing::entryBytes, bytesOf(copy), true, now_);
          if (end == never)
              reportFault("RING_BASE: the event ring is not in memory", now_);
          else
              announced_.push(end);
      }),
      slots_(config.slots)
{
    attachRegisters();
}

// --- registers -------------------------------------------------------------------------------------------------------

void HostInterface::attachRegisters()
{
    registers_.poke(reg::SLOTS, config_.slots);
    registers_.onRead(reg::RING_PRODUCER, [this](std::uint32_t) { return ring_.producer(); });
    registers_.onWrite(reg::CONTROL, [this](std::uint32_t, std::uint32_t value) {
        effects_.push(writeTime_, {Effect::Kind::Enable, value & reg::CONTROL_enable_mask});
    });
    registers_.onWrite(reg::RING_ENTRIES, [this](std::uint32_t, std::uint32_t value) {
        if (!ring_.configure(BusAddress{registers_.peek(reg::RING_BASE)}, value))
            reportFault("RING_ENTRIES: " + number(value) + " entries at " + number(registers_.peek(reg::RING_BASE)) +
                            " are no power of two or not word-aligned",
                        writeTime_);
        else
            registers_.poke(reg::RING_CONSUMER, 0);
    });
    registers_.onWrite(reg::RING_CONSUMER, [this](std::uint32_t, std::uint32_t value) {
        if (ring_.heldBack() == 0)
            consumed_.push({writeTime_, value});
        else // makes space for events that are held back
            effects_.push(writeTime_, {Effect::Kind::Consume, value});
    });
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
    });
    registers_.onWrite(reg::COMPLETE, [this](std::uint32_t, std::uint32_t value) {
        effects_.push(writeTime_, {Effect::Kind::Complete, value});
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

void HostInterface::advance(Time now)
{
    catchUp(now);
    while (effects_.isDue(now))
        apply(effects_.pop(), now);
}

void HostInterface::apply(const Effect& effect, Time now)
{
    now_ = now;
    switch (effect.kind) {
    case Effect::Kind::Enable: enable(effect.value != 0, now); break;
    case Effect::Kind::Consume:
        consume(effect.value, now);
        raiseLine(now); // for held-back data
        break;
    case Effect::Kind::StartTransfer: startTransfer(effect, now); break;
    case Effect::Kind::Complete:
        complete((effect.value & reg::COMPLETE_slot_mask) >> reg::COMPLETE_slot_shift,
                 (effect.value & reg::COMPLETE_status_mask) >> reg::COMPLETE_status_shift, now);
        break;
    case Effect::Kind::PostCommand: announce(effect.value, now); break;
    case Effect::Kind::Delivered: delivered_(effect.value); break;
    case Effect::Kind::Feed:
        feeder_.add(static_cast<std::uint16_t>(effect.value), slots_[effect.value].command.sectors);
        if (observer_ != nullptr)
            observer_->announced(static_cast<std::uint16_t>(effect.value), now);
        feed(now);
        break;
    case Effect::Kind::Release:
        if (!feeder_.release(effect.value))
            reportFault("FEED_RELEASED: " + number(effect.value) + " sectors, but only " + number(feeder_.taken()) +
                            " were taken",
                        now);
        feed(now);
        break;
    }
}

void HostInterface::enable(bool isEnabled, Time now)
{
    isEnabled_ = isEnabled;
    if (!isEnabled)
        return;
    if (!wasEnabled_) {
        wasEnabled_ = true;
        front_->driveReady(now);
    }
    for (const Command& command : held_)
        deliver(command, now);
    held_.clear();
}

HostInterface::Position HostInterface::position(Time now)
{
    catchUp(now);
    check(activeSlots_ == 0 && effects_.empty(), "the host interface is replaced while it has work");
    return {ring_.position(), feeder_, BusAddress{registers_.peek(reg::COMMANDS)}};
}

void HostInterface::continueAfter(std::uint32_t events, const InboundFeeder& feeder)
{
    check(activeSlots_ == 0 && effects_.empty(), "a host interface with work has no substitute");
    ring_.moveTo(events);
    feeder_ = feeder;
}

// --- events and the line ---------------------------------------------------------------------------------------------

void HostInterface::consume(std::uint32_t count, Time at)
{
    now_ = at; // held back, and now has space
    if (!ring_.consumed(count, at))
        reportFault("RING_CONSUMER: " + number(count) + " events taken, but only " + number(ring_.producer()) +
                        " were put",
                    at);
    if (!ring_.lineAsserted() && isLineHigh_)
        tellLine(false, at);
}

// What firmware has taken by now.
void HostInterface::catchUp(Time now)
{
    while (!consumed_.empty() && consumed_.front().at <= now) {
        const Consumed consumed = consumed_.pop();
        consume(consumed.count, consumed.at);
    }
}

void HostInterface::settle(Time until)
{
    for (std::size_t i = 0; isLineHigh_ && i < consumed_.size() && consumed_[i].at <= until; ++i) {
        if (consumed_[i].count == ring_.producer())
            tellLine(false, consumed_[i].at);
    }
}

void HostInterface::announce(std::uint32_t slot, Time now)
{
    post(eventCommandArrived, slot, 0, 0, now);
    if (observer_ != nullptr) // the newest event, if it was not held back
        observer_->announced(static_cast<std::uint16_t>(slot),
                             announced_.empty() ? now : announced_[announced_.size() - 1]);
}

void HostInterface::post(std::uint32_t kind, std::uint32_t slot, std::uint32_t cookie, std::uint32_t range, Time now)
{
    catchUp(now);
    now_ = now;
    ring_.push({kind, slot, cookie, range}, now);
    while (ring_.heldBack() != 0 && !consumed_.empty()) {
        const Consumed consumed = consumed_.pop();
        effects_.push(consumed.at, {Effect::Kind::Consume, consumed.count});
    }
    raiseLine(now);
}

// The line rises at the end of the next burst of an event, if there is an event to take. A fall scheduled for later
// than now is cancelled.
void HostInterface::raiseLine(Time now)
{
    while (!announced_.empty() && announced_.front() < now)
        announced_.pop();
    if (isLineHigh_ || !ring_.lineAsserted())
        return;
    if (lineChanged_ > now)
        tellLine(true, lineChanged_);
    else if (!announced_.empty())
        tellLine(true, announced_.front());
}

void HostInterface::tellLine(bool asserted, Time at)
{
    isLineHigh_ = asserted;
    lineChanged_ = std::max(at, lineChanged_);
    if (line_)
        line_(asserted, lineChanged_);
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
    check(command.slot < slots_.size(), "a command in a slot that the host interface does not have");
    Slot& slot = slots_[command.slot];
    check(!slot.isActive, "a command arrived in a slot that is in use");
    slot = {};
    slot.command = command;
    slot.isActive = true;
    ++activeSlots_;
    ++counters_.commands;
    if (observer_ != nullptr)
        observer_->arrived(command, at);
    if (isEnabled_ && !(command.kind == RequestKind::Read && reads_ != nullptr && reads_->takeRead(command, at)))
        deliver(command, at);
    else if (!isEnabled_)
        held_.push_back(command);
}

void HostInterface::deliver(const Command& command, Time now)
{
    std::array<std::uint32_t, strobe::regs::hostCommand::size / 4> record{};
    record[strobe::regs::hostCommand::KIND / 4] =
        (static_cast<std::uint32_t>(command.kind) + 1) |
        (command.fua ? strobe::regs::hostCommand::KIND_fua_mask : std::uint32_t{0});
    record[strobe::regs::hostCommand::LBA_LO / 4] = static_cast<std::uint32_t>(command.lba);
    record[strobe::regs::hostCommand::LBA_HI / 4] = static_cast<std::uint32_t>(command.lba >> 32);
    record[strobe::regs::hostCommand::SECTORS / 4] = command.sectors;
    const BusAddress address{registers_.peek(reg::COMMANDS) + strobe::regs::hostCommand::size * command.slot};
    const Time end = memory_.move(address, strobe::regs::hostCommand::size, bytesOf(record), true, now);
    if (end == never)
        reportFault("COMMANDS: the command records are not in memory", now);
    else
        effects_.push(
            end, {feeder_.isOn() && command.kind == RequestKind::Write ? Effect::Kind::Feed : Effect::Kind::PostCommand,
                  command.slot});
}

void HostInterface::handBack(std::uint16_t slot, Time now)
{
    deliver(slots_[slot].command, now);
}

void HostInterface::fail(std::uint16_t slot, Time now)
{
    finish(slot, CommandStatus::Uncorrectable, now);
}

void HostInterface::complete(std::uint32_t slot, std::uint32_t status, Time now)
{
    std::string wrong;
    if (slot >= slots_.size() || !slots_[slot].isActive)
        wrong = "the slot holds no command";
    else if (slots_[slot].isClosing)
        wrong = "the slot's last transfer completes it already";
    else if (slots_[slot].transfers > 0)
        wrong = number(slots_[slot].transfers) + " transfer(s) of the slot are still in progress";
    else if (status >= commandStatusTable.size())
        wrong = "there is no status " + number(status);
    if (wrong.empty())
        finish(static_cast<std::uint16_t>(slot), static_cast<CommandStatus>(status), now);
    else
        reportFault("COMPLETE of slot " + number(slot) + ": " + wrong, now);
}

void HostInterface::finish(std::uint16_t slotNumber, CommandStatus status, Time now)
{
    Slot& slot = slots_[slotNumber];
    if (status == CommandStatus::Ok && movesData(slot.command.kind) && slot.transferred != slot.command.sectors)
        reportFault("COMPLETE of slot " + number(slotNumber) + ": ok, but " + number(slot.transferred) + " of " +
                        number(slot.command.sectors) + " sectors were transferred",
                    now);
    slot.isActive = false;
    --activeSlots_;
    ++counters_.completions;
    if (observer_ != nullptr)
        observer_->ended(slotNumber, now);
    front_->complete(slotNumber, status, now);
}

} // namespace strobe::host
