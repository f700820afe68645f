#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a host has sent through one pair of I/O queues since power-on, and with which interrupts it was answered: shows
// how a driver spreads its commands over queues. Two queues with the same vector both show its messages.

#include "models/base/statistics.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::host {

struct QueueUse {
    std::uint32_t queue = 0;             // from 1
    std::optional<std::uint32_t> vector; // of MSI-X; nothing: the host polls the queue
    std::uint64_t reads = 0;
    std::uint64_t writes = 0; // with zeroes and appends
    std::uint64_t others = 0; // flush, trim, …
    std::uint64_t messages = 0;

    void declare(Statistics& stats)
    {
        stats.add("reads", Unit::Count, "reads that the host has put into the queue", reads);
        stats.add("writes", Unit::Count, "writes, also of zeros", writes);
        stats.add("others", Unit::Count, "other commands: flush, trim and so on", others);
        stats.add("interrupts", Unit::Count, "messages of the queue's MSI-X vector", messages);
        if (vector)
            stats.derive("vector", Unit::Count, "MSI-X vector of its completions; missing: the host polls",
                         std::uint64_t{*vector});
    }
};

// Of another power cycle of the same drive; the vectors of the later one hold.
void addQueues(std::vector<QueueUse>& sums, const std::vector<QueueUse>& cycle);

} // namespace strobe::host
