// SPDX-License-Identifier: Apache-2.0
#include "models/base/activity_log.h"

#include "models/base/config_error.h"

#include <algorithm>

namespace strobe {

namespace {

bool begins(const std::string& name, const std::string& prefix)
{
    return name.compare(0, prefix.size(), prefix) == 0;
}

} // namespace

std::uint32_t ActivityLog::lane(const ActivityLane& lane)
{
    const auto found = std::find_if(lanes_.begin(), lanes_.end(),
                                    [&lane](const ActivityLane& known) { return known.name == lane.name; });
    const auto number = static_cast<std::uint32_t>(found - lanes_.begin());
    if (found == lanes_.end()) {
        lanes_.push_back(lane);
        const bool isLeftOut = std::find(leftOut_.begin(), leftOut_.end(), lane.group) != leftOut_.end();
        const bool isNamed = of_.empty() || std::any_of(of_.begin(), of_.end(), [&lane](const std::string& prefix) {
                                 return begins(lane.name, prefix);
                             });
        isWanted_.push_back(isNamed && !isLeftOut ? 1 : 0);
    }
    return number;
}

std::uint32_t ActivityLog::find(std::string_view name)
{
    auto known = std::find(names_.begin(), names_.end(), name);
    if (known == names_.end())
        known = names_.insert(known, name);
    const auto number = static_cast<std::uint32_t>(known - names_.begin()) + 1;
    found_[placeOf(name)] = {name, number};
    return number;
}

std::vector<Activity> ActivityLog::inOrder() const
{
    std::vector<Activity> sorted = kept_.activities;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Activity& a, const Activity& b) {
        return a.start != b.start ? a.start < b.start : a.lane < b.lane;
    });
    return sorted;
}

bool ActivityLog::hasRoom()
{
    constexpr std::size_t first = 1024;
    std::vector<Activity>& activities = kept_.activities;
    if (activities.size() >= limit_)
        return false;
    activities.reserve(std::min(limit_, std::max(first, 2 * activities.size())));
    return true;
}

void ActivityLog::requireAll() const
{
    for (const std::string& prefix : of_) {
        if (std::any_of(lanes_.begin(), lanes_.end(),
                        [&](const ActivityLane& lane) { return begins(lane.name, prefix); }))
            continue;
        std::string said = "no resource's name begins with \"";
        said += prefix;
        said += "\"; names begin with ";
        std::vector<std::string> kinds; // names without their number
        for (const ActivityLane& lane : lanes_) {
            const std::string kind = lane.name.substr(0, lane.name.find_last_not_of("0123456789. ") + 1);
            if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
                kinds.push_back(kind);
        }
        for (const std::string& kind : kinds)
            said += (kind == kinds.front() ? "" : ", ") + kind;
        throw ConfigError(said);
    }
}

} // namespace strobe
