#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A resource that serves one job at a time in order of arrival: a bus, a memory port, a link direction, an ECC engine.
// It is a busy-until time stamp plus the counters that the report needs. It owns no clock. What is reserved is never
// revised; a resource whose order may change (pre-emption) keeps its own queue and only accounts here.

#include "models/base/ring_queue.h"
#include "models/base/time.h"

#include <algorithm>
#include <cstdint>

namespace strobe {

class ActivityLog; // models/base/activity_log.h
class Statistics;  // models/base/statistics.h

struct ResourceUsage {
    Time busy{};      // time in use
    Time waited{};    // sum over jobs of (start - arrival)
    Time maxWaited{}; // the longest of those waits
    std::uint64_t jobs = 0;
    std::uint64_t maxQueue = 0; // most jobs that waited at once

    double utilisation(Time measured) const; // 0..1; zero if no time has passed
    // Jobs waiting, averaged over time: by Little's law the sum of all waits divided by the time, whatever the
    // discipline.
    double meanQueue(Time measured) const;
    void declare(Statistics& stats, Time measured = {}); // `measured`: the time that ratios refer to
};

class Resource {
public:
    // Takes the resource for `duration` from the first free instant at or after `at`. Returns the end.
    Time reserve(Time at, Time duration)
    {
        const Time start = std::max(at, freeAt_);
        accountInOrder(at, start, duration);
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
        notify(arrived, start, start + duration);
    }
    // For owners of a queue whose jobs overlap: the wait of a job that ended at `end`; time in use by addBusy().
    void accountOverlapping(Time arrived, Time start, Time end)
    {
        usage_.waited += start - arrived;
        usage_.maxWaited = std::max(usage_.maxWaited, start - arrived);
        ++usage_.jobs;
        notify(arrived, start, end);
    }
    void addBusy(Time duration) { usage_.busy += duration; }
    // For a job that is accounted for elsewhere.
    void extend(Time start, Time end)
    {
        usage_.busy += end - start;
        notify(start, start, end);
    }
    // The same for jobs that start in order of arrival, so that the queue length follows from the times.
    void accountInOrder(Time arrived, Time start, Time duration)
    {
        usage_.busy += duration;
        ++usage_.jobs;
        if (start > arrived)
            queue(arrived, start);
        notify(arrived, start, start + duration);
    }
    // For owners of a queue: the number of jobs that wait now.
    void noteQueue(std::uint64_t waiting) { usage_.maxQueue = std::max(usage_.maxQueue, waiting); }
    void holdUntil(Time end) { freeAt_ = std::max(freeAt_, end); }

    // From now on every job that takes time is reported to `log`, which must outlive the resource. Observation changes
    // nothing, so a const resource is enough.
    void watch(ActivityLog& log, std::uint32_t lane) const
    {
        log_ = &log;
        lane_ = lane;
    }

    Time freeAt() const { return freeAt_; }
    const ResourceUsage& usage() const { return usage_; }
    void resetUsage() { usage_ = {}; }
    // What holds the resource at `now` counts from now on.
    void resetUsageAt(Time now)
    {
        usage_ = {};
        if (freeAt_ > now)
            usage_ = {freeAt_ - now, Time{}, Time{}, 1, 0};
    }

private:
    void notify(Time arrived, Time start, Time end) const
    {
        if (log_ != nullptr && end > start) // otherwise it holds the resource at no instant
            note(arrived, start, end);
    }
    void note(Time arrived, Time start, Time end) const; // in the log
    void queue(Time arrived, Time start);                // a job that waits, after those that arrived earlier

    Time freeAt_{};
    ResourceUsage usage_;
    mutable ActivityLog* log_ = nullptr;
    mutable std::uint32_t lane_ = 0;
    RingQueue<Time> starts_; // of jobs that waited when the last of them arrived
};

} // namespace strobe
