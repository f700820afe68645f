// SPDX-License-Identifier: Apache-2.0
#include "models/host/queue_use.h"

#include <algorithm>

namespace strobe::host {

void addQueues(std::vector<QueueUse>& sums, const std::vector<QueueUse>& cycle)
{
    for (const QueueUse& use : cycle) {
        const auto found =
            std::find_if(sums.begin(), sums.end(), [&use](const QueueUse& sum) { return sum.queue == use.queue; });
        if (found == sums.end()) {
            sums.push_back(use);
            continue;
        }
        found->vector = use.vector;
        accumulate(*found, use);
    }
}

} // namespace strobe::host
