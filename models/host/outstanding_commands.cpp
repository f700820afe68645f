// SPDX-License-Identifier: Apache-2.0
#include "models/host/outstanding_commands.h"

#include "models/base/check.h"

#include <algorithm>
#include <limits>

namespace strobe::host {

namespace {

std::uint64_t bitOf(std::size_t queue)
{
    return std::uint64_t{1} << queue;
}

} // namespace

void OutstandingCommands::resize(std::uint32_t slots, std::uint32_t queues)
{
    check(slots > 0 && slots <= std::numeric_limits<std::uint16_t>::max(), "a drive has 1 to 65,535 command slots");
    check(queues > 0 && queues <= mostQueues && queues <= slots, "each of up to 64 queues has a command slot");
    table_.resize(slots);
    free_.resize(queues);
    for (std::uint32_t slot = slots; slot-- > 0;)
        free_[slot % queues].push_back(static_cast<std::uint16_t>(slot));
}

// Free slots, not commands, are compared: the slots of two queues differ by one at most.
std::size_t OutstandingCommands::queueFor(std::uint64_t allowed) const
{
    std::size_t best = 0;
    std::size_t room = 0;
    for (std::size_t queue = 0; queue < free_.size(); ++queue) {
        const bool isAllowed = allowed == 0 || (allowed & bitOf(queue)) != 0;
        if (isAllowed && free_[queue].size() > room) {
            best = queue;
            room = free_[queue].size();
        }
    }
    check(room != 0, "a command was issued while its queues were full");
    return best;
}

std::uint16_t OutstandingCommands::add(const OutstandingCommand& command)
{
    const bool hasQueues = free_.size() > 1;
    const std::size_t queue = hasQueues ? queueFor(command.queues) : 0;
    std::vector<std::uint16_t>& free = free_[queue];
    const std::uint16_t slot = free.back();
    free.pop_back();
    ++used_;
    table_[slot] = {command, true};
    table_[slot].command.order = order_++;
    if (hasQueues)
        table_[slot].command.queues = bitOf(queue);
    if (free.empty())
        full_ |= bitOf(queue);
    return slot;
}

void OutstandingCommands::remove(std::uint16_t slot)
{
    const std::size_t queue = free_.size() == 1 ? 0 : slot % free_.size();
    table_[slot].isUsed = false;
    free_[queue].push_back(slot);
    full_ &= ~bitOf(queue);
    --used_;
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
