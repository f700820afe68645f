#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The time of the host's CPUs that its software takes for commands. Each pair of I/O queues belongs to one CPU, which
// does one thing after the other: half of the time of a command before it is in its queue, half after its completion
// has been read. So a CPU limits the commands per second of its queue; what only delays a command (interrupt delivery,
// say) is not in it. Pure.

#include "models/base/time.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace strobe::host::nvme {

class QueueCpus {
public:
    QueueCpus(std::uint32_t queues, Time perCommand) : half_(perCommand / 2), freeAt_(queues + 1) {}

    // The end of half a command's work for that queue, which can begin now.
    Time work(std::uint32_t queue, Time now)
    {
        if (half_ == Time{})
            return now;
        freeAt_[queue] = std::max(freeAt_[queue], now) + half_;
        return freeAt_[queue];
    }

private:
    Time half_;
    std::vector<Time> freeAt_; // by queue
};

} // namespace strobe::host::nvme
