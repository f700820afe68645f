#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Jobs of resources (models/base/activity_log.h) in the batches in which they were gathered. Most batches are forgotten
// as a whole, and none of their jobs has been looked at or copied by then.

#include "models/base/activity_log.h"
#include "platform/report/timeline.h"

#include <cstddef>
#include <vector>

namespace strobe::platform {

class ActivityBatches {
public:
    std::size_t size() const { return size_; } // jobs
    void add(ActivityBatch batch);             // after the others
    // Forgets the jobs that touch none of the windows. Returns batches without jobs, for their memory.
    std::vector<ActivityBatch> keepTouching(const std::vector<TimelineSpan>& windows);
    ActivityBatch takeAll(); // in the order in which they were added

private:
    std::vector<ActivityBatch> batches_;
    std::size_t size_ = 0;
};

} // namespace strobe::platform
