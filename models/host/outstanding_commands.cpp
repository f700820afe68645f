// SPDX-License-Identifier: Apache-2.0
#include "models/host/outstanding_commands.h"

#include "models/base/check.h"

#include <algorithm>
#include <limits>

namespace strobe::host {

void OutstandingCommands::resize(std::uint32_t slots)
{
    check(slots > 0 && slots <= std::numeric_limits<std::uint16_t>::max(), "a drive has 1 to 65,535 command slots");
    table_.resize(slots);
    for (std::uint32_t slot = slots; slot-- > 0;)
        free_.push_back(static_cast<std::uint16_t>(slot));
}

std::uint16_t OutstandingCommands::add(const OutstandingCommand& command)
{
    const std::uint16_t slot = free_.back();
    free_.pop_back();
    table_[slot] = {command, true};
    table_[slot].command.order = order_++;
    return slot;
}

void OutstandingCommands::remove(std::uint16_t slot)
{
    table_[slot].isUsed = false;
    free_.push_back(slot);
}

std::vector<OutstandingCommand> OutstandingCommands::removeAll()
{
    std::vector<OutstandingCommand> removed;
    for (std::size_t slot = 0; slot < table_.size(); ++slot) {
        if (!table_[slot].isUsed)
            continue;
        removed.push_back(table_[slot].command);
        remove(static_cast<std::uint16_t>(slot));
    }
    std::sort(removed.begin(), removed.end(),
              [](const OutstandingCommand& a, const OutstandingCommand& b) { return a.order < b.order; });
    return removed;
}

} // namespace strobe::host
