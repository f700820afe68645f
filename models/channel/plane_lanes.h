#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The plane-independent reads that one die has in progress, at most one in each plane, from their request to the end of
// their response. Which read starts next: lane_train.h. Owns no clock.

#include "models/base/time.h"
#include "models/channel/die_queue.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace strobe::channel {

class PlaneLanes {
public:
    explicit PlaneLanes(std::uint32_t planes) : planes_(planes) {}

    std::uint32_t planes() const { return static_cast<std::uint32_t>(planes_.size()); } // 0: the part has no such reads
    bool isBusy(std::uint32_t plane) const { return planes_[plane].read.op != nullptr; }
    bool isAnyBusy() const { return busy_ != 0; }
    const Waiting& read(std::uint32_t plane) const { return planes_[plane].read; } // REQUIRES: isBusy()
    // When the plane's next request could start if neither its operation nor the bus delayed it.
    Time freeSince(std::uint32_t plane) const { return std::max(planes_[plane].freeSince, dieFreeSince_); }

    Time allFreeSince() const
    {
        Time since = dieFreeSince_;
        for (const Plane& plane : planes_)
            since = std::max(since, plane.freeSince);
        return since;
    }

    void start(std::uint32_t plane, const Waiting& read)
    {
        planes_[plane].read = read;
        ++busy_;
    }
    void end(std::uint32_t plane, Time now)
    {
        planes_[plane] = {{}, now};
        --busy_;
    }
    // An operation of the whole die has ended, or is suspended from then on.
    void dieIsFree(Time since) { dieFreeSince_ = since; }

private:
    struct Plane {
        Waiting read;
        Time freeSince{};
    };

    std::vector<Plane> planes_;
    std::uint32_t busy_ = 0;
    Time dieFreeSince_{};
};

} // namespace strobe::channel
