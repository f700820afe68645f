#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Collects what a timeline shows (platform/report/timeline.h): the jobs of resources in an ActivityLog, and requests,
// flash jobs, NAND operations and bus segments as the observation of requests finds them. Three bounds:
//   a window of simulated time
//   the window, and in it the first N requests that begin and end in it: recording stops at the end of the last
//   the N slowest requests of the measured phases: everything from the beginning to the end of each. What cannot
//   belong to one any more is forgotten from time to time, so memory depends on N, on the requests outstanding, and on
//   what happens between two hand-overs (below).
// The limit holds for jobs of resources, again for calls of functions, and again for all other records together; what
// is beyond it is counted.
//
// Threads: around the slowest requests, the calls of StageSink come in the thread of the analysis, the jobs of
// resources and the calls of functions in that of the simulation. These are gathered, and handed over from time to
// time: they are in the records after the next takeOver(). finish() and what gives results are called when the analysis
// has ended.

#include "models/base/activity_log.h"
#include "models/cpu/debug/function_timeline.h"
#include "platform/assembly/activity_batches.h"
#include "platform/assembly/stage_sink.h"
#include "platform/report/timeline.h"

#include <cstddef>
#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace strobe::platform {

struct TimelineBounds {
    TimelineSpan window;
    std::size_t limit = 1'000'000;
    std::size_t requests = 0; // 0: all of the window
    std::size_t slowest = 0;  // 0: the window; otherwise the window is not used
};

class TimelineRecorder final : public StageSink {
public:
    TimelineRecorder(const TimelineBounds& bounds, ActivityLog& log) : bounds_(bounds), log_(log) {}
    void setDies(std::uint32_t perChannel, std::uint32_t planes)
    {
        records_.diesPerChannel = perChannel;
        records_.planes = planes;
    }

    Time until() const override { return bounds_.slowest != 0 ? never : bounds_.window.end; }
    bool comesLate() const override { return bounds_.slowest != 0; } // a window may end with a request
    void handOver() override;
    void takeOver() override;
    void opened(std::uint64_t request, Time from) override;
    void segment(const ObservedOperation& op, channel::NandInterface::Phase phase, Time start, Time end) override;
    void operation(const EndedOperation& op, std::uint64_t job) override;
    void job(const EndedJob& job) override;
    void serves(std::uint64_t job, std::uint64_t request) override;
    bool wants(Time latency, bool isMeasured) const override;
    void request(const TracedRequest& request, bool isMeasured) override;
    void skipped(std::uint64_t request) override;
    void function(const cpu::FunctionCall& call); // has ended
    void finish();                                // after the last call of the others: completes the log

    const TimelineRecords& records() const { return records_; }
    std::vector<TimelineSpan> windows() const; // of what was recorded, for timelineTrace()
    std::uint64_t dropped() const { return dropped_ + droppedCalls_; }
    // That the bounds count: those that began and ended in the window, or of the slowest.
    std::size_t requests() const { return bounds_.slowest != 0 ? slow_.size() : counted_; }

private:
    bool takes(Time start, Time end, std::size_t& kept); // false: outside the window, or beyond the limit
    bool takes(Time start, Time end) { return takes(start, end, recorded_); }
    std::size_t all() const; // records
    void keepSlow(const TracedRequest& request);
    void forget();
    void record(const TimelineRecords::Function& function);

    // Records from which on it is worth while to forget some: the fewer, the more of them are still in a cache.
    static constexpr std::size_t leastForgotten = 25'000;
    struct Open {
        std::uint64_t request;
        Time from;
        bool isOpen;
    };

    struct Slow {
        Time latency{};
        TimelineSpan span;
    };
    struct Gathered { // by the thread of the simulation
        ActivityBatch activities;
        std::vector<TimelineRecords::Function> functions;
    };
    void add(Gathered& gathered); // and empties it
    ActivityBatch spareBatch();

    TimelineBounds bounds_;
    // Of the thread of the simulation, until finish().
    ActivityLog& log_;
    Gathered gathered_;                        // its functions; log_ has the activities
    std::set<std::string, std::less<>> names_; // of functions
    std::uint64_t droppedCalls_ = 0;
    // Of both.
    std::mutex mutex_;
    std::deque<Gathered> handedOver_;
    std::vector<Gathered> spare_; // empty, for their memory
    // Of the thread of the analysis.
    TimelineRecords records_;
    ActivityBatches activities_;
    std::vector<ActivityBatch> spareBatches_; // without jobs, for their memory
    std::size_t recorded_ = 0;                // records but for calls of functions
    std::size_t counted_ = 0;                 // requests that began and ended in the window
    std::vector<Slow> slow_;                  // a heap: the fastest at the front
    std::deque<Open> open_;                   // requests by number, from the first one that is outstanding
    unsigned taken_ = 0;                      // records since all() was looked at
    std::size_t forgetAt_ = leastForgotten;
    Time newest_{};  // of the beginnings of requests
    Time lag_{};     // most that one began before another with a smaller number
    Time present_{}; // of the ends of records and requests
    Time late_{};    // most that a request was opened after it began
    std::uint64_t dropped_ = 0;
    Time firstCall_{}; // start of the earliest call of a function that is kept
};

} // namespace strobe::platform
