// SPDX-License-Identifier: Apache-2.0
#include "models/host/command_pickup.h"

namespace strobe::host {

bool CommandPickup::taken(std::uint32_t count, Time at, CommandHandling& handling)
{
    bool isLongest = false;
    while (!waiting_.empty() && static_cast<std::int32_t>(count - waiting_.front().event) > 0) {
        const Waiting first = waiting_.pop();
        handling.taken(first.command.slot, at);
        if (times_.pickup.note(first.since, at)) {
            times_.pickup.pc.reset();
            times_.longestOf = first.command;
            isLongest = true;
        }
    }
    return isLongest;
}

void CommandPickup::restart(std::uint32_t producer)
{
    for (std::size_t left = waiting_.size(); left > 0; --left) {
        Waiting command = waiting_.pop();
        command.event -= producer;
        if (static_cast<std::int32_t>(command.event) >= 0)
            waiting_.push(command);
    }
}

} // namespace strobe::host
