#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Sums along a chain of flash jobs, of which each but the first one was listed by firmware that its cause, the job
// before it, had woken up. Under a deep queue many requests wait for the same long chain: the sums from one of its jobs
// to a later one are the difference of two rows that are kept, so most jobs are looked at once and not per request.
// Rows are kept by id of the job, as FlashJobLog keeps its jobs, from the first call of between() on.

#include "platform/assembly/flash_job_log.h"
#include "platform/report/stage_sums.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::platform {

// The sums of a request, of which some are added for many jobs at once.
class SharedSums : public StageSums {
public:
    explicit SharedSums(StageTotals& totals) : StageSums(totals), totals_(&totals) {} // as StageSums
    StageTotals& totals() { return *totals_; }

private:
    StageTotals* totals_;
};

class CauseSums {
public:
    // In picoseconds, modulo 2^64: from the result of the first job of the chain (its root) to that of this one.
    struct Row {
        std::array<std::uint64_t, stageIds> jobs{}; // by stage: jobs from listing to result
        std::uint64_t map = 0;                      // the same of jobs that read the mapping table, all stages
        std::uint64_t firmware = 0;                 // from each wake-up to the listing of the next job
        std::uint64_t idle = 0;                     // from each result to the wake-up
        std::uint32_t id = 0;                       // of the job; 0: none
        std::uint32_t root = 0;                     // id of the first job: rows with the same one can be compared
    };

    struct Part { // of a chain
        const Row* from;
        const Row* to;      // of the last job
        std::size_t oldest; // number of the job that `from` is of
    };
    // Of a chain of jobs that `log` keeps, from its last job, number 0, back to its oldest one: the longest part of
    // which the sums are known, after they have been extended to the last job.
    template <class JobAt>
    Part between(JobAt jobAt, std::size_t jobs, const FlashJobLog& log)
    {
        ++uses_;
        std::size_t known = 0;
        while (known != jobs && of(jobAt(known)) == nullptr)
            ++known;
        if (known == jobs)
            begin(jobAt(--known));
        for (; known != 0; --known)
            extend(jobAt(known), jobAt(known - 1), log.pathOf(jobAt(known - 1)));
        const Row* const to = of(jobAt(0));
        std::size_t oldest = jobs - 1;
        const Row* from = of(jobAt(oldest));
        while (from == nullptr || from->root != to->root)
            from = of(jobAt(--oldest));
        return {from, to, oldest};
    }
    std::uint64_t uses() const { return uses_; } // calls of between()
    // The time between the results of two jobs of a chain has been added as a wait for the buffer: adds what jobs did
    // meanwhile, and takes away what was no wait for them.
    static void divide(StageTotals& totals, const Row& from, const Row& to, RequestStage idle);
    // The job has been added as a wait for the buffer, but who waits sees its stages: as its own or another one's.
    static void see(StageTotals& totals, const FlashJob& job, const JobSegments& path, bool isOwn);

private:
    // Of that job; null: not known.
    const Row* of(const FlashJob& job) const
    {
        if (rows_.empty())
            return nullptr;
        const Row& row = rows_[job.id % FlashJobLog::keptJobs];
        return row.id == job.id ? &row : nullptr;
    }
    void begin(const FlashJob& job); // as the first one of a chain
    // `cause` is that of the job, and has a row.
    void extend(const FlashJob& cause, const FlashJob& job, const JobSegments& path);
    Row& rowOf(const FlashJob& job);

    std::vector<Row> rows_; // ring by id of the job; empty before the first call of between()
    std::uint64_t uses_ = 0;
};

} // namespace strobe::platform
