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
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strobe {

struct Activity {
    Activity() = default;
    Activity(std::uint32_t whose, Time arrival, Time from, Time until, std::uint32_t named = 0)
        : lane(whose), what(named), arrived(arrival), start(from), end(until)
    {
    }
    std::uint32_t lane = 0; // whose: ActivityLog::lanes()
    std::uint32_t what = 0; // of a CPU: the cost point, ActivityLog::nameOf(); 0: none
    Time arrived{};         // when the job arrived; the same as `start` if it did not wait
    Time start{};
    Time end{};
};

// Jobs one after the other, and the span of time that contains them.
struct ActivityBatch {
    std::vector<Activity> activities;
    Time firstStart = Time::max(); // no later than any start; likewise the ends
    Time lastEnd = Time::min();
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
    // Jobs of that group are not kept. REQUIRES: no resource of the group has a lane yet.
    void leaveOut(ResourceGroup group) { leftOut_.push_back(group); }
    bool keeps(std::uint32_t lane) const { return isWanted_[lane] != 0; } // otherwise its jobs need not be reported
    // For Activity::what. The name must live as long as the program.
    std::uint32_t numberOf(std::string_view name)
    {
        const Named& named = found_[placeOf(name)];
        return named.name.data() == name.data() && named.name.size() == name.size() ? named.number : find(name);
    }
    std::string_view nameOf(std::uint32_t what) const // empty: of no name
    {
        return what == 0 ? std::string_view() : names_[what - 1];
    }

    // Constructed where it is kept: a job that is built first and then copied waits for its own stores.
    void note(std::uint32_t lane, Time arrived, Time start, Time end, std::uint32_t what = 0)
    {
        if (end <= from_ || start >= until_ || isWanted_[lane] == 0)
            return;
        std::vector<Activity>& activities = kept_.activities;
        if (activities.size() == activities.capacity() && !hasRoom()) {
            ++dropped_;
            return;
        }
        if (activities.size() == activities.capacity())
            __builtin_unreachable(); // so that the way of every job has no code that makes room
        __builtin_prefetch(activities.data() + activities.size() + 16,
                           1); // a gathered batch is larger than the nearest caches
        activities.emplace_back(lane, arrived, start, end, what);
        kept_.firstStart = std::min(kept_.firstStart, start);
        kept_.lastEnd = std::max(kept_.lastEnd, end);
    }
    void endAt(Time until) { until_ = std::min(until_, until); } // of the window, earlier than planned
    // Replaces the jobs of the log, and returns those that it had. The limit holds for those it has.
    ActivityBatch exchange(ActivityBatch batch) { return std::exchange(kept_, std::move(batch)); }
    // When all resources have their lanes: throws ConfigError if an entry of `of` matches none of their names.
    void requireAll() const;

    const std::vector<Activity>& activities() const { return kept_.activities; }
    // By start; jobs that begin at the same instant are in the order of the resources.
    std::vector<Activity> inOrder() const;
    std::uint64_t dropped() const { return dropped_; } // beyond the limit

private:
    struct Named {
        std::string_view name;
        std::uint32_t number = 0;
    };
    static constexpr std::size_t foundPlaces = 256;
    static std::size_t placeOf(std::string_view name)
    {
        return reinterpret_cast<std::uintptr_t>(name.data()) / 4 % foundPlaces;
    }
    [[gnu::noinline]] std::uint32_t find(std::string_view name); // numberOf()
    [[gnu::noinline]] bool hasRoom(); // for one more, made if there was none; false: the limit has been reached

    Time from_;
    Time until_;
    std::size_t limit_;
    std::vector<std::string> of_;
    std::vector<ActivityLane> lanes_;
    std::vector<char> isWanted_; // by lane: 0 or 1; a vector<bool> takes more instructions per job
    std::vector<ResourceGroup> leftOut_;
    std::vector<std::string_view> names_;    // by number, from 1
    std::array<Named, foundPlaces> found_{}; // last, by address, so that mostly no names are compared
    ActivityBatch kept_;
    std::uint64_t dropped_ = 0;
};

} // namespace strobe
