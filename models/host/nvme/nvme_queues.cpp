// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_queues.h"

#include <algorithm>
#include <limits>

namespace strobe::host::nvme {

void Arbiter::setFeature(std::uint32_t value)
{
    constexpr std::uint32_t noLimit = 7;
    feature_ = value;
    const std::uint32_t burst = value & 7U;
    burst_ = burst == noLimit ? std::numeric_limits<std::uint32_t>::max() : 1U << burst;
    const auto weight = [value](std::uint32_t shift) { return (value >> shift & 0xFFU) + 1; };
    weights_ = {0, weight(24), weight(16), weight(8)};
    credits_ = {};
}

bool Arbiter::isInGroup(const SubmissionQueue& queue, std::size_t group) const
{
    return arbitration_ == Arbitration::RoundRobin ? group == groups - 1
                                                   : static_cast<std::size_t>(queue.priority) == group;
}

std::optional<std::uint16_t> Arbiter::nextOf(const std::vector<SubmissionQueue>& queues, std::size_t group)
{
    const std::size_t count = queues.size() - 1; // without the admin queue
    for (std::size_t step = 0; step < count; ++step) {
        const std::size_t index = 1 + (last_[group] + step) % count;
        const SubmissionQueue& queue = queues[index];
        if (queue.exists && queue.waiting() > 0 && isInGroup(queue, group))
            return static_cast<std::uint16_t>(index);
    }
    return std::nullopt;
}

std::optional<Arbiter::Grant> Arbiter::next(const std::vector<SubmissionQueue>& queues, std::uint32_t limit)
{
    const auto grant = [&](std::uint16_t queue, std::size_t group, std::uint32_t most) {
        last_[group] = queue;
        return Grant{queue, std::min({burst_, limit, most, queues[queue].waiting()})};
    };
    constexpr auto all = std::numeric_limits<std::uint32_t>::max();
    if (queues.size() < 2)
        return std::nullopt;
    if (arbitration_ == Arbitration::RoundRobin) {
        const auto queue = nextOf(queues, groups - 1);
        return queue ? std::optional(grant(*queue, groups - 1, all)) : std::nullopt;
    }
    constexpr auto urgent = static_cast<std::size_t>(QueuePriority::Urgent);
    if (const auto queue = nextOf(queues, urgent))
        return grant(*queue, urgent, all);
    for (int round = 0; round < 2; ++round) { // of the second, all credits are there
        for (std::size_t group = urgent + 1; group < groups; ++group) {
            const auto queue = credits_[group] > 0 ? nextOf(queues, group) : std::nullopt;
            if (!queue)
                continue;
            const Grant granted = grant(*queue, group, credits_[group]);
            credits_[group] -= granted.commands;
            return granted;
        }
        credits_ = weights_;
    }
    return std::nullopt;
}

} // namespace strobe::host::nvme
