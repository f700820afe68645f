#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What the host driver measures: requests and latencies of a phase by kind, sums over the measured phases, progress,
// and requests that failed.

#include "models/base/latency_histogram.h"
#include "models/base/time.h"
#include "models/host/command_port.h"
#include "models/host/request.h"
#include "models/host/workload/workload_phase.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strobe::host {

struct KindResult { // completed requests of one kind
    std::uint64_t requests = 0;
    std::uint64_t sectors = 0;
    std::uint64_t failed = 0; // of the requests: completed with another status than ok
    LatencyHistogram latency; // from arrival (open loop), due time (dependent) or issue (closed loop)
    LatencyHistogram device;  // from issue

    void merge(const KindResult& other);
};
using KindResults = std::array<KindResult, requestKindTable.size()>; // by RequestKind

struct JobResult {
    std::string name;
    std::string workload; // RequestSource::describe()
    PacingMode pacing = PacingMode::Closed;
    std::uint32_t queueDepth = 0; // most requests outstanding: closed loop: as requested; others: the slots
    std::uint64_t issued = 0;     // to the drive
    std::uint64_t completed = 0;
    std::uint64_t lost = 0; // of the completed: dropped because power was lost, in none of the kinds
    KindResults kinds;
    SourceCounts source;

    // A request is complete: `arrived` starts its latency, `sent` its time in the device.
    void add(const Request& request, bool isOk, Time arrived, Time sent, Time now);
};

// The sums over the jobs of a phase; name, workload and pacing are those of its own job. The queue depth also
// includes those of the other closed-loop jobs, up to the number of slots.
struct PhaseResult : JobResult {
    bool measured = true;
    bool isFunctional = false;
    Time start{};
    Time end{};                  // last completion
    bool isOver = false;         // false: the run was stopped in this phase
    std::vector<JobResult> jobs; // of a phase with several: its own, then those beside it; else none

    // Before its first request. `slots`: of the drive, those of `queues` queues (outstanding_commands.h).
    static PhaseResult of(const Phase& phase, std::uint32_t slots, std::uint32_t queues = 1);
    void takeSourceCounts(const Phase& phase);
    void issue(std::size_t job);
    void complete(std::size_t job, const Request& request, bool isOk, Time arrived, Time sent, Time now);
    void drop(std::size_t job, Time now);
    std::uint64_t completedOf(std::size_t job) const { return jobs.empty() ? completed : jobs[job].completed; }
};

struct HostProgress {
    std::uint32_t phase = 0;
    std::uint32_t phases = 0;
    std::uint64_t done = 0;
    std::optional<std::uint64_t> total; // if it is known
};

struct FailedRequest {
    Request request;
    CommandStatus status = CommandStatus::Ok;
    Time at{};

    std::string text() const;
};

// Over the measured phases: the sums of their requests, and their length (time that two phases share counts once).
KindResults measuredResults(const std::vector<PhaseResult>& results);
Time measuredLength(const std::vector<PhaseResult>& results);

} // namespace strobe::host
