#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// `strobe run --activity` and `--timeline`: the jobs of all resources over time, as CSV in a file or as a table on
// standard output, in order of the jobs' starts, and as a Perfetto trace. Times of the table count from the start of
// the first job. Mistakes are ConfigErrors before the run.

#include "models/base/activity_log.h"
#include "platform/app/output_file.h"
#include "platform/assembly/timeline_recorder.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

struct ActivityCommand {
    std::string file;           // empty: none; "-": a table on standard output, and no report there
    std::string timeline;       // file for the trace; empty: none
    std::size_t requests = 0;   // of the timeline: it ends with the N-th; 0: with the window
    std::size_t slowest = 0;    // of the timeline: around the N slowest requests; 0: the window
    std::string from = "0s";    // simulated time
    std::string length = "1ms"; // of the window
    std::size_t limit = 1'000'000;
    std::vector<std::string> of; // prefixes of resource names; empty: all
};

class ActivityRecording {
public:
    explicit ActivityRecording(const ActivityCommand& command);

    ActivityLog* log() { return log_ ? &*log_ : nullptr; }                     // null: no recording
    TimelineRecorder* recorder() { return recorder_ ? &*recorder_ : nullptr; } // null: no timeline
    bool isOnOutput() const { return command_.file == "-"; }
    // Files and table. Says on stderr if the limit was reached, or if what was asked for is not there. `end`: of the
    // run.
    void commit(Time end);

private:
    void logDrawn(const ActivityCommand& command);
    std::string whatIsMissing(Time end) const;

    ActivityCommand command_;
    std::optional<ActivityLog> log_;
    std::unique_ptr<OutputFile> file_;
    std::optional<TimelineRecorder> recorder_;
    std::unique_ptr<OutputFile> timeline_;
};

std::string activityCsv(const ActivityLog& log); // resource,what,arrived_ps,start_ps,end_ps
std::string activityTable(const ActivityLog& log);

} // namespace strobe::platform
