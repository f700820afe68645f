#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A resource that serves one job at a time in order of arrival: a bus, a memory port, a link direction, an ECC engine.
// It is a busy-until time stamp plus the counters that the report needs. It owns no clock. What is reserved is never
// revised; a resource whose order may change (pre-emption) keeps its own queue and only accounts here.

#include "models/base/time.h"

#include <algorithm>
#include <cstdint>

namespace strobe {

struct ResourceUsage {
    Time busy{};      // time in use
    Time waited{};    // sum over jobs of (start - arrival)
    Time maxWaited{}; // the longest of those waits
    std::uint64_t jobs = 0;
};

class Resource {
public:
    // Takes the resource for `duration` from the first free instant at or after `at`. Returns the end.
    Time reserve(Time at, Time duration)
    {
        const Time start = std::max(at, freeAt_);
        account(at, start, duration);
        freeAt_ = start + duration;
        return freeAt_;
    }

    // For owners of a queue: the job that arrived at `arrived` holds the resource during [start, start + duration).
    void account(Time arrived, Time start, Time duration)
    {
        usage_.busy += duration;
        usage_.waited += start - arrived;
        usage_.maxWaited = std::max(usage_.maxWaited, start - arrived);
        ++usage_.jobs;
    }
    void holdUntil(Time end) { freeAt_ = std::max(freeAt_, end); }

    Time freeAt() const { return freeAt_; }
    const ResourceUsage& usage() const { return usage_; }
    void resetUsage() { usage_ = {}; }

private:
    Time freeAt_{};
    ResourceUsage usage_;
};

} // namespace strobe
