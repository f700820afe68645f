// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_events.h"

namespace strobe::host::nvme {

bool AsyncEvents::request(std::uint16_t id)
{
    if (requests_.size() >= requestLimit)
        return false;
    requests_.push_back(id);
    return true;
}

void AsyncEvents::raise(std::uint32_t event)
{
    if (events_.size() < eventLimit)
        events_.push_back(event);
}

std::optional<AsyncEvents::Report> AsyncEvents::next()
{
    if (events_.empty() || requests_.empty() || isMasked_)
        return std::nullopt;
    const Report report{requests_.front(), events_.front()};
    requests_.erase(requests_.begin());
    events_.erase(events_.begin());
    isMasked_ = true;
    return report;
}

} // namespace strobe::host::nvme
