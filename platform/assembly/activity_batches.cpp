// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/activity_batches.h"

#include "models/base/keep_touching.h"

#include <algorithm>
#include <utility>

namespace strobe::platform {

void ActivityBatches::add(ActivityBatch batch)
{
    size_ += batch.activities.size();
    batches_.push_back(std::move(batch));
}

std::vector<ActivityBatch> ActivityBatches::keepTouching(const std::vector<TimelineSpan>& windows)
{
    const auto touches = [&windows](Time start, Time end) {
        return std::any_of(windows.begin(), windows.end(),
                           [start, end](const TimelineSpan& window) { return window.touches(start, end); });
    };
    const auto contains = [&windows](const ActivityBatch& batch) {
        return std::any_of(windows.begin(), windows.end(), [&batch](const TimelineSpan& window) {
            return window.start <= batch.firstStart && batch.lastEnd <= window.end;
        });
    };
    std::vector<ActivityBatch> empty;
    auto to = batches_.begin();
    size_ = 0;
    for (ActivityBatch& batch : batches_) {
        std::vector<Activity>& jobs = batch.activities;
        if (!touches(batch.firstStart, batch.lastEnd))
            jobs.clear();
        else if (!contains(batch))
            strobe::keepTouching(
                jobs, [](const Activity& job) { return job.start; }, [](const Activity& job) { return job.end; },
                touches);
        size_ += jobs.size();
        if (!jobs.empty() && jobs.size() < jobs.capacity() / 4) { // few are left: not the memory of all
            std::vector<Activity> few(jobs.begin(), jobs.end());
            jobs.clear();
            empty.push_back({std::exchange(jobs, std::move(few))});
        }
        if (jobs.empty())
            empty.push_back({std::move(jobs)});
        else if (ActivityBatch& place = *to++; &place != &batch)
            place = std::move(batch);
    }
    batches_.erase(to, batches_.end());
    return empty;
}

ActivityBatch ActivityBatches::takeAll()
{
    ActivityBatch all;
    all.activities.reserve(size_);
    for (const ActivityBatch& batch : batches_) {
        all.activities.insert(all.activities.end(), batch.activities.begin(), batch.activities.end());
        all.firstStart = std::min(all.firstStart, batch.firstStart);
        all.lastEnd = std::max(all.lastEnd, batch.lastEnd);
    }
    batches_.clear();
    size_ = 0;
    return all;
}

} // namespace strobe::platform
