#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Log of resource activity: the jobs of resources during a window of simulated time, reported by the resources
// (Resource::watch) and by the CPU for its cost points, and kept in the order of the reports (a job is reported when
// its end is known, so a long one follows short ones that began later). Observation only. A limit bounds the memory:
// later jobs are only counted.

#include "models/base/resource_group.h"
#include "models/base/time.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strobe {

struct Activity {
    std::uint32_t lane = 0; // whose: ActivityLog::lanes()
    Time arrived{};         // when the job arrived; the same as `start` if it did not wait
    Time start{};
    Time end{};
    std::string_view what; // of a CPU: the cost point. Must live as long as the program
};

struct ActivityLane { // a resource
    std::string name;
    ResourceGroup group = ResourceGroup::Link;
    std::optional<std::uint32_t> channel; // of the ECC engines, the bus and the dies of a channel
};

class ActivityLog {
public:
    // Jobs that hold their resource at some instant of [from, from + length); of all resources, or of those whose names
    // begin with one of `of`.
    ActivityLog(Time from, Time length, std::size_t limit, std::vector<std::string> of = {})
        : from_(from), until_(length < never - from ? from + length : never), limit_(limit), of_(std::move(of))
    {
    }

    // The number of the resource of that name; a new one if there is none yet.
    std::uint32_t lane(const ActivityLane& lane);
    const std::vector<ActivityLane>& lanes() const { return lanes_; }

    void note(const Activity& activity)
    {
        if (activity.end <= from_ || activity.start >= until_ || isWanted_[activity.lane] == 0)
            return;
        if (activities_.size() == activities_.capacity() && !hasRoom())
            ++dropped_;
        else
            activities_.push_back(activity);
    }
    void endAt(Time until) { until_ = std::min(until_, until); } // of the window, earlier than planned
    // Replaces the jobs of the log, and returns those that it had. The limit holds for those it has.
    std::vector<Activity> exchange(std::vector<Activity> activities)
    {
        return std::exchange(activities_, std::move(activities));
    }
    // When all resources have their lanes: throws ConfigError if an entry of `of` matches none of their names.
    void requireAll() const;

    const std::vector<Activity>& activities() const { return activities_; }
    // By start; jobs that begin at the same instant are in the order of the resources.
    std::vector<Activity> inOrder() const;
    std::uint64_t dropped() const { return dropped_; } // beyond the limit

private:
    [[gnu::noinline]] bool hasRoom(); // for one more, made if there was none; false: the limit has been reached

    Time from_;
    Time until_;
    std::size_t limit_;
    std::vector<std::string> of_;
    std::vector<ActivityLane> lanes_;
    std::vector<char> isWanted_; // by lane: 0 or 1; a vector<bool> takes more instructions per job
    std::vector<Activity> activities_;
    std::uint64_t dropped_ = 0;
};

} // namespace strobe
