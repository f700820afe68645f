#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The segments of a flash job (job_path.h) as another one sees them that waits for the same dies: while the job's array
// and transfers are at work, the other one waits for a die that does that work.

#include "platform/assembly/job_path.h"

namespace strobe::platform {

constexpr StageId seenStage(StageId own, StageId work)
{
    return own == idOf(RequestStage::Array) || own == idOf(RequestStage::Transfer) ? work : own;
}

class SeenSegments {
public:
    class Iterator {
    public:
        Iterator(JobSegments::Iterator at, StageId work) : at_(at), work_(work) {}
        StageSegment operator*() const
        {
            const StageSegment own = *at_;
            return {own.end, seenStage(own.stage, work_)};
        }
        Iterator& operator++()
        {
            ++at_;
            return *this;
        }
        bool operator!=(const Iterator& other) const { return at_ != other.at_; }

    private:
        JobSegments::Iterator at_;
        StageId work_;
    };
    SeenSegments(const JobSegments& own, StageId work) : own_(own), work_(work) {}
    Iterator begin() const { return {own_.begin(), work_}; }
    Iterator end() const { return {own_.end(), work_}; }
    const JobSegments& own() const { return own_; }
    StageId work() const { return work_; }

private:
    JobSegments own_;
    StageId work_; // in place of array and transfer
};

} // namespace strobe::platform
