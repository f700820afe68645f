// SPDX-License-Identifier: Apache-2.0
#include "models/base/activity_log.h"

#include <algorithm>

namespace strobe {

std::uint32_t ActivityLog::lane(const std::string& name)
{
    const auto found = std::find(lanes_.begin(), lanes_.end(), name);
    const auto number = static_cast<std::uint32_t>(found - lanes_.begin());
    if (found == lanes_.end())
        lanes_.push_back(name);
    return number;
}

void ActivityLog::keep(const Activity& activity)
{
    if (activities_.size() < limit_)
        activities_.push_back(activity);
    else
        ++dropped_;
}

} // namespace strobe
