// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_events.h"

#include <algorithm>

namespace strobe::host::nvme {

bool AsyncEvents::request(std::uint16_t id)
{
    if (requests_.size() >= requestLimit)
        return false;
    requests_.push_back(id);
    return true;
}

bool AsyncEvents::raise(std::uint32_t event)
{
    if (events_.size() >= eventLimit)
        return false;
    events_.push_back(event);
    return true;
}

std::optional<AsyncEvents::Report> AsyncEvents::next()
{
    const auto event = std::find_if(events_.begin(), events_.end(),
                                    [this](std::uint32_t candidate) { return !isMasked_[candidate & eventTypeMask]; });
    if (event == events_.end() || requests_.empty())
        return std::nullopt;
    const Report report{requests_.front(), *event};
    requests_.erase(requests_.begin());
    events_.erase(event);
    isMasked_[report.event & eventTypeMask] = true;
    return report;
}

} // namespace strobe::host::nvme
