#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a die or a flash unit did lately: its last 64 jobs, so that the wait of another one can be divided by cause.
// A wait that is longer than all of them is divided as far as they reach.

#include "platform/assembly/job_path.h"

#include <array>
#include <cstddef>

namespace strobe::platform {

class BusyHistory {
public:
    struct Busy {
        Time start{};
        Time end{};
        StageId stage = 0; // of a request that waits meanwhile
    };

    void add(Time start, Time end, StageId stage) // in order of the ends
    {
        Busy& busy = ring_[count_ % ring_.size()];
        busy.start = start;
        busy.end = end;
        busy.stage = stage;
        ++count_;
    }
    // Extends the path up to `until`: the stage of each job, `otherwise` between jobs. If `until` is after the last
    // job, the path ends with that job.
    void addTo(JobPath& path, Time until, StageId otherwise) const
    {
        const std::size_t kept = count_ < ring_.size() ? count_ : ring_.size();
        std::size_t first = count_;
        while (first > count_ - kept && at(first - 1).end > path.end())
            --first;
        for (; first < count_ && path.end() < until; ++first) {
            const Busy& busy = at(first);
            path.add(otherwise, busy.start < until ? busy.start : until);
            path.add(busy.stage, busy.end < until ? busy.end : until);
        }
    }

private:
    const Busy& at(std::size_t number) const { return ring_[number % ring_.size()]; }

    std::array<Busy, 64> ring_{};
    std::size_t count_ = 0;
};

} // namespace strobe::platform
