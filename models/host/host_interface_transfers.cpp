// SPDX-License-Identifier: Apache-2.0
//
// Transfers: those ordered by firmware, sectors directly from flash, and those of the inbound feeder.
#include "models/base/check.h"
#include "models/base/strobe_registers.h"
#include "models/host/host_interface.h"

namespace strobe::host {

namespace {

namespace reg = strobe::regs::host;

std::string number(std::uint64_t value)
{
    return std::to_string(value);
}

} // namespace

std::string HostInterface::transferFault(const Effect& effect) const
{
    const std::uint32_t slotNumber = effect.value & reg::XFER_START_slot_mask;
    const bool toHost = (effect.value & reg::XFER_START_to_host_mask) != 0;
    std::string wrong = rangeFault(slotNumber, toHost, effect.first, effect.count);
    if (!wrong.empty())
        return wrong;
    const std::uint64_t bytes = std::uint64_t{effect.count} * sectorBytes;
    if (effect.buffer % sectorBytes != 0)
        return "the buffer address " + number(effect.buffer) + " is not a multiple of 512";
    if (bytes > config_.dataBuffer.size ||
        !config_.dataBuffer.contains(BusAddress{effect.buffer}, static_cast<std::uint32_t>(bytes)))
        return number(effect.count) + " sectors at address " + number(effect.buffer) + " leave the data buffer";
    return {};
}

std::string HostInterface::rangeFault(std::uint32_t slotNumber, bool toHost, std::uint32_t first,
                                      std::uint32_t count) const
{
    if (slotNumber >= slots_.size() || !slots_[slotNumber].isActive)
        return "the slot holds no command";
    const Slot& slot = slots_[slotNumber];
    if (slot.isClosing)
        return "the slot's last transfer completes it already";
    if (slot.command.kind != (toHost ? RequestKind::Read : RequestKind::Write))
        return std::string(toHost ? "to" : "from") + " the host does not suit a " +
               std::string(enumName(slot.command.kind)) + " command";
    if (std::uint64_t{first} + count > slot.command.sectors)
        return "sectors " + number(first) + " to " + number(std::uint64_t{first} + count - 1) + " of a command of " +
               number(slot.command.sectors);
    return {};
}

void HostInterface::startTransfer(const Effect& effect, Time now)
{
    const auto slotNumber = static_cast<std::uint16_t>(effect.value & reg::XFER_START_slot_mask);
    const std::string wrong = transferFault(effect);
    if (!wrong.empty()) {
        reportFault("XFER_START of slot " + number(slotNumber) + ": " + wrong, now);
        return;
    }
    Transfer transfer;
    transfer.slot = slotNumber;
    transfer.toHost = (effect.value & reg::XFER_START_to_host_mask) != 0;
    transfer.notify = (effect.value & reg::XFER_START_notify_mask) != 0;
    transfer.complete = (effect.value & reg::XFER_START_complete_mask) != 0;
    transfer.buffer = effect.buffer;
    transfer.cookie = effect.cookie;
    order(transfer, effect.first, effect.count, now);
}

bool HostInterface::deliver(const DirectRead& read, Time now)
{
    const std::string wrong = rangeFault(read.slot, true, read.first, read.sectors);
    if (!wrong.empty()) {
        reportFault("read of slot " + number(read.slot) + " from flash: " + wrong, now);
        return false;
    }
    Transfer transfer;
    transfer.slot = read.slot;
    transfer.toHost = true;
    const Slot& slot = slots_[read.slot];
    transfer.complete = read.completes && slot.transferred + read.sectors == slot.command.sectors;
    transfer.cookie = read.token;
    transfer.isDirect = true;
    transfer.direct = read.content;
    order(transfer, read.first, read.sectors, now);
    return true;
}

void HostInterface::order(const Transfer& transfer, std::uint32_t first, std::uint32_t count, Time now)
{
    if (freeTransfers_.empty()) {
        freeTransfers_.push_back(transfers_.size());
        transfers_.emplace_back();
    }
    const std::uint64_t handle = freeTransfers_.back();
    freeTransfers_.pop_back();
    transfers_[handle] = transfer;
    Slot& slot = slots_[transfer.slot];
    slot.isClosing = transfer.complete;
    slot.transferred += count;
    ++slot.transfers;
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
        reportFault("FEED_SECTORS: " + number(sectors) + " sectors at " + number(registers_.peek(reg::FEED_BASE)) +
                        " in pieces of " + number(registers_.peek(reg::FEED_PIECE)) +
                        ": no power of two, not in the data buffer, or pieces that are not 1 to all of them",
                    writeTime_);
    registers_.poke(reg::FEED_RELEASED, 0);
}

// As much as there is space for.
void HostInterface::feed(Time now)
{
    while (const auto piece = feeder_.next()) {
        Transfer transfer;
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
    const Transfer& transfer = transfers_[handle];
    if (transfer.isDirect) {
        copySectors(content, transfer.direct.at(firstSector), sectors);
        return at;
    }
    const BusAddress address{transfer.buffer + firstSector * std::uint32_t{sectorBytes}};
    const Time end = memory_.move(address, sectors * std::uint32_t{sectorBytes}, content, !transfer.toHost, at);
    check(end != never, "the data buffer of the host interface is not the memory's");
    return end;
}

void HostInterface::transferDone(std::uint64_t handle, Time at)
{
    const Transfer transfer = transfers_[handle];
    freeTransfers_.push_back(handle);
    --slots_[transfer.slot].transfers;
    if (observer_ != nullptr)
        observer_->moved(handle, transfer.slot, at);
    if (transfer.isDirect)
        effects_.push(at, {Effect::Kind::Delivered, transfer.cookie});
    if (transfer.notify)
        post(transfer.isFed ? eventSectorsBuffered : eventTransferDone, transfer.slot, transfer.cookie, transfer.range,
             at);
    if (!transfer.complete)
        return;
    // Transfers are done in order, so those of the slot that were ordered before have ended, too.
    check(slots_[transfer.slot].transfers == 0, "a transfer ended out of order");
    finish(transfer.slot, CommandStatus::Ok, at);
}

} // namespace strobe::host
