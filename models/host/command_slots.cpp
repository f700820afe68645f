// SPDX-License-Identifier: Apache-2.0
#include "models/host/command_slots.h"

#include "models/base/check.h"

namespace strobe::host {

namespace {

constexpr const char* closingFault = "the slot's last transfer completes it already";
constexpr const char* emptyFault = "the slot holds no command";

} // namespace

void CommandSlots::add(const Command& command)
{
    check(command.slot < slots_.size(), "a command in a slot that the host interface does not have");
    Slot& slot = slots_[command.slot];
    check(!slot.isActive, "a command arrived in a slot that is in use");
    slot = {};
    slot.command = command;
    slot.isActive = true;
    ++active_;
}

std::string CommandSlots::rangeFault(std::uint32_t slotNumber, bool toHost, std::uint32_t first,
                                     std::uint32_t count) const
{
    if (slotNumber >= slots_.size() || !slots_[slotNumber].isActive)
        return emptyFault;
    const Slot& slot = slots_[slotNumber];
    if (slot.isClosing)
        return closingFault;
    if (toHost ? slot.command.kind != RequestKind::Read : !takesData(slot.command.kind))
        return std::string(toHost ? "to" : "from") + " the host does not suit a " +
               std::string(enumName(slot.command.kind)) + " command";
    if (std::uint64_t{first} + count > slot.command.sectors)
        return "sectors " + std::to_string(first) + " to " + std::to_string(std::uint64_t{first} + count - 1) +
               " of a command of " + std::to_string(slot.command.sectors);
    return {};
}

std::string CommandSlots::placeFault(std::uint32_t slot) const
{
    if (slot >= slots_.size() || !slots_[slot].isActive)
        return emptyFault;
    if (slots_[slot].command.kind != RequestKind::Append)
        return "a " + std::string(enumName(slots_[slot].command.kind)) + " has a place already";
    if (slots_[slot].ordered != 0)
        return "its data is on its way already";
    return {};
}

std::string CommandSlots::completionFault(std::uint32_t slot, std::uint32_t status) const
{
    if (slot >= slots_.size() || !slots_[slot].isActive)
        return emptyFault;
    if (slots_[slot].isClosing)
        return closingFault;
    if (slots_[slot].transfers > 0)
        return std::to_string(slots_[slot].transfers) + " transfer(s) of the slot are still in progress";
    if (status >= commandStatusTable.size())
        return "there is no status " + std::to_string(status);
    return {};
}

void CommandSlots::order(std::uint16_t slotNumber, std::uint32_t sectors, bool completes)
{
    Slot& slot = slots_[slotNumber];
    slot.isClosing = completes;
    slot.ordered += sectors;
    ++slot.transfers;
}

bool CommandSlots::isComplete(std::uint16_t slot) const
{
    const Command& command = slots_[slot].command;
    return !movesData(command.kind) || slots_[slot].ordered == command.sectors;
}

void CommandSlots::free(std::uint16_t slot)
{
    slots_[slot].isActive = false;
    --active_;
}

} // namespace strobe::host
