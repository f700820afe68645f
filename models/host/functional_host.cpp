// SPDX-License-Identifier: Apache-2.0
#include "models/host/functional_host.h"

#include "models/base/check.h"

#include <algorithm>
#include <array>

namespace strobe::host {

namespace reg = strobe::regs::host;
namespace record = strobe::regs::hostCommand;

FunctionalHost::FunctionalHost(const HostInterface::Position& position, std::uint32_t slots,
                               memory::FunctionalBuffer& buffer, HostSide& host, Time now, Fault fault)
    : memory_(buffer), host_(host), now_(now), fault_(std::move(fault)), ring_(position.ring, buffer.memory()),
      feeder_(position.feeder), commands_(position.commands), slots_(slots)
{
}

// --- registers -------------------------------------------------------------------------------------------------------

bool FunctionalHost::writeOther(std::uint32_t offset, std::uint32_t value)
{
    switch (offset) {
    case reg::COMPLETE: complete(value); return true;
    case reg::PLACE_SECTOR: placeSector_ = value; return true;
    case reg::PLACE: place(value & reg::PLACE_slot_mask); return true;
    case reg::RING_CONSUMER:
        if (!ring_.consumed(value))
            fault_("RING_CONSUMER: " + std::to_string(value) + " events taken, but only " +
                   std::to_string(ring_.producer()) + " were put");
        return true;
    case reg::FEED_RELEASED:
        if (!feeder_.release(value))
            fault_("FEED_RELEASED: " + std::to_string(value) + " sectors, but only " + std::to_string(feeder_.taken()) +
                   " were taken");
        feed();
        return true;
    default: return false;
    }
}

bool FunctionalHost::readRegister(std::uint32_t offset, std::uint32_t& value) const
{
    switch (offset) {
    case reg::RING_PRODUCER: value = ring_.producer(); return true;
    case reg::FEED_TAKEN: value = feeder_.taken(); return true;
    default: return false;
    }
}

// --- commands --------------------------------------------------------------------------------------------------------

void FunctionalHost::issue(const Command& command, Time)
{
    issued_.push(command);
}

bool FunctionalHost::step()
{
    bool hasPosted = false;
    while (!issued_.empty() && activeSlots_ < slots_.size()) {
        post(issued_.pop());
        hasPosted = true;
    }
    return hasPosted;
}

// The host's own number where that is possible. REQUIRES: a slot is free.
std::uint16_t FunctionalHost::freeSlot(std::uint16_t preferred) const
{
    if (preferred < slots_.size() && !slots_[preferred].isActive)
        return preferred;
    const auto free = std::find_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return !slot.isActive; });
    return static_cast<std::uint16_t>(free - slots_.begin());
}

void FunctionalHost::post(const Command& command)
{
    const std::uint16_t number = freeSlot(command.slot);
    slots_[number] = {command, true, 0, {}};
    ++activeSlots_;
    std::array<std::uint32_t, record::size / 4> words{};
    words[record::KIND / 4] = (static_cast<std::uint32_t>(command.kind) + 1) |
                              (command.fua ? record::KIND_fua_mask : std::uint32_t{0}) |
                              std::uint32_t{command.placement.value_or(0)} << record::KIND_placement_shift;
    words[record::LBA_LO / 4] = static_cast<std::uint32_t>(command.lba);
    words[record::LBA_HI / 4] = static_cast<std::uint32_t>(command.lba >> 32);
    words[record::SECTORS / 4] = command.sectors;
    if (!memory_.memory().move(commands_ + record::size * number, record::size,
                               {reinterpret_cast<std::byte*>(words.data()), DataMode::Bytes}, true))
        fault_("COMMANDS: the command records are not in memory");
    if (feeder_.isOn() && command.kind == RequestKind::Write) {
        feeder_.add(number, command.sectors);
        feed();
    } else {
        ring_.push({eventCommandArrived, number, 0, 0});
    }
}

void FunctionalHost::place(std::uint32_t slot)
{
    if (slot >= slots_.size() || !slots_[slot].isActive || slots_[slot].command.kind != RequestKind::Append)
        fault_("PLACE of slot " + std::to_string(slot) + ": the slot holds no append");
    else
        host_.placed(slots_[slot].command.slot, slots_[slot].command.lba + placeSector_);
}

void FunctionalHost::complete(std::uint32_t value)
{
    const std::uint32_t slot = (value & reg::COMPLETE_slot_mask) >> reg::COMPLETE_slot_shift;
    const std::uint32_t status = (value & reg::COMPLETE_status_mask) >> reg::COMPLETE_status_shift;
    if (slot >= slots_.size() || !slots_[slot].isActive)
        fault_("COMPLETE of slot " + std::to_string(slot) + ": the slot holds no command");
    else if (status >= commandStatusTable.size())
        fault_("COMPLETE of slot " + std::to_string(slot) + ": there is no status " + std::to_string(status));
    else
        finish(static_cast<std::uint16_t>(slot), static_cast<CommandStatus>(status));
}

void FunctionalHost::finish(std::uint16_t number, CommandStatus status)
{
    Slot& slot = slots_[number];
    if (status == CommandStatus::Ok && movesData(slot.command.kind) && slot.transferred != slot.command.sectors)
        fault_("COMPLETE of slot " + std::to_string(number) + ": ok, but " + std::to_string(slot.transferred) + " of " +
               std::to_string(slot.command.sectors) + " sectors were transferred");
    endRun(slot);
    slot.isActive = false;
    --activeSlots_;
    host_.completed(slot.command.slot, status, now_); // which may issue the next one
}

// --- data ------------------------------------------------------------------------------------------------------------

bool FunctionalHost::fits(std::uint32_t slot, bool toHost, std::uint32_t first, std::uint32_t count) const
{
    if (slot >= slots_.size() || !slots_[slot].isActive)
        return false;
    const Command& command = slots_[slot].command;
    return (toHost ? command.kind == RequestKind::Read : takesData(command.kind)) &&
           std::uint64_t{first} + count <= command.sectors;
}

bool FunctionalHost::isAllowed(std::uint32_t slot, bool toHost, std::uint32_t first, std::uint32_t count,
                               const char* what)
{
    if (fits(slot, toHost, first, count))
        return true;
    const RequestKind kind = toHost ? RequestKind::Read : RequestKind::Write;
    fault_(std::string(what) + " of slot " + std::to_string(slot) + ": no such " + std::string(enumName(kind)) +
           " command, or sectors beyond it");
    return false;
}

void FunctionalHost::take(Slot& slot, std::uint32_t first, std::uint32_t count, Content content)
{
    slot.transferred += count;
    host_.takeReadData(slot.command.slot, first, count, content);
}

void FunctionalHost::fill(Slot& slot, std::uint32_t first, std::uint32_t count, BusAddress address)
{
    const std::uint32_t perPage = memory_.sectorsPerPage();
    const std::uint32_t piece = memory_.sectorsPerPiece();
    const std::uint32_t step = !memory_.arePieces(address, count) ? count : count % perPage == 0 ? perPage : piece;
    for (std::uint32_t done = 0; done < count; done += step) {
        const BusAddress place = address + static_cast<std::uint32_t>(done * sectorBytes);
        if (fillPieces(slot, first + done, step, place))
            continue;
        slot.transferred += step;
        host_.fillWriteData(slot.command.slot, first + done, step, memory_.sectors(place, step));
    }
}

// Whole pieces that hold a run of tags: what most are when a drive is filled. False: they do not, and nothing has
// happened.
bool FunctionalHost::fillPieces(Slot& slot, std::uint32_t first, std::uint32_t count, BusAddress address)
{
    return continueRun(slot, first, count, address) ||
           (memory_.arePieces(address, count) && beginRun(slot, first, count) &&
            continueRun(slot, first, count, address));
}

// False: the sectors are not a run.
bool FunctionalHost::beginRun(Slot& slot, std::uint32_t first, std::uint32_t count)
{
    endRun(slot);
    const TagRun run = host_.writeRunAt(slot.command.slot, first);
    if (run.sectors < count)
        return false;
    slot.run = {run.lba - first, run.version, first, first, first + run.sectors};
    return true;
}

void FunctionalHost::endRun(Slot& slot)
{
    if (slot.run.next != slot.run.first)
        host_.tookWriteRun(slot.command.slot, slot.run.first, slot.run.next - slot.run.first);
    slot.run = {};
}

SectorTag FunctionalHost::takeRun(std::uint32_t number, std::uint32_t first, std::uint32_t count)
{
    if (!isAllowed(number, false, first, count, "program"))
        return 0;
    Slot& slot = slots_[number];
    const bool continues = first == slot.run.next && count <= slot.run.end - first;
    if (!continues && !beginRun(slot, first, count))
        return 0;
    slot.run.next += count;
    slot.transferred += count;
    return makeTag(slot.run.lba + first, slot.run.version);
}

void FunctionalHost::takeSectors(std::uint32_t number, std::uint32_t first, std::uint32_t count, Content to)
{
    if (!isAllowed(number, false, first, count, "program"))
        return;
    slots_[number].transferred += count;
    host_.fillWriteData(slots_[number].command.slot, first, count, to);
}

void FunctionalHost::startTransfer(std::uint32_t start)
{
    const std::uint32_t number = (start & reg::XFER_START_slot_mask) >> reg::XFER_START_slot_shift;
    const bool toHost = (start & reg::XFER_START_to_host_mask) != 0;
    const std::uint32_t first = range_ & reg::XFER_RANGE_first_mask;
    const std::uint32_t count = (range_ >> reg::XFER_RANGE_more_shift) + 1;
    const bool isDone =
        !toHost && number < slots_.size() && continueRun(slots_[number], first, count, BusAddress{buffer_});
    if (!isDone && !moveSectors(number, toHost, first, count))
        return;
    if ((start & reg::XFER_START_notify_mask) != 0)
        ring_.push({eventTransferDone, number, cookie_, 0});
    if ((start & reg::XFER_START_complete_mask) != 0)
        finish(static_cast<std::uint16_t>(number), CommandStatus::Ok);
}

// Between host and data buffer. False: that is not allowed.
bool FunctionalHost::moveSectors(std::uint32_t number, bool toHost, std::uint32_t first, std::uint32_t count)
{
    if (!isAllowed(number, toHost, first, count, "transfer"))
        return false;
    const auto bytes = static_cast<std::uint32_t>(count * sectorBytes);
    if (buffer_ % sectorBytes != 0 || !memory_.memory().isDataBuffer(BusAddress{buffer_}, bytes)) {
        fault_("transfer of slot " + std::to_string(number) + ": not sectors of the data buffer");
        return false;
    }
    if (toHost)
        take(slots_[number], first, count, memory_.sectors(BusAddress{buffer_}, count));
    else
        fill(slots_[number], first, count, BusAddress{buffer_});
    return true;
}

bool FunctionalHost::deliver(const DirectRead& read)
{
    if (!isAllowed(read.slot, true, read.first, read.sectors, "read from flash"))
        return false;
    Slot& slot = slots_[read.slot];
    take(slot, read.first, read.sectors, read.content);
    if (read.completes && slot.transferred == slot.command.sectors)
        finish(read.slot, CommandStatus::Ok);
    return true;
}

void FunctionalHost::feed()
{
    while (const auto piece = feeder_.next()) {
        fill(slots_[piece->slot], piece->first, piece->sectors, piece->address);
        ring_.push({eventSectorsBuffered, piece->slot, piece->number,
                    piece->first | (piece->sectors - 1) << reg::XFER_RANGE_more_shift});
    }
}

} // namespace strobe::host
