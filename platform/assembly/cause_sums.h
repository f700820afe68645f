#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Sums along chains of flash jobs of which each was caused by the one before (cause_tree.h). The stages of the jobs
// that a request waits for are the difference of two rows, and those of the jobs on the request's own dies the
// difference of two others. So most jobs are looked at once, and not once per request that waits for them. Rows are
// kept like the nodes of the tree. They have a column for each stage that has occurred in a job.

#include "platform/assembly/cause_tree.h"
#include "platform/report/stage_sums.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace strobe::platform {

class CauseSums {
public:
    CauseSums();

    const CauseTree& tree() const { return tree_; }
    void grow(); // as the tree
    // The job, after its causes that are not known yet: back to one that is known, to one that was listed at `from` or
    // before, or to one whose cause is not kept. `causeOf` returns the cause of a job of `log`, null if none is kept,
    // and stores in the job when firmware was woken up.
    template <class CauseOf>
    const CauseNode& known(FlashJob& last, Time from, const FlashJobLog& log, CauseOf causeOf)
    {
        const CauseNode* node = tree_.at(last.id);
        if (node != nullptr)
            return *node;
        unknown_.clear();
        for (FlashJob* job = &last; job != nullptr && node == nullptr;) {
            unknown_.push_back(job);
            if (job->listed <= from)
                break;
            job = causeOf(*job);
            if (job != nullptr)
                node = tree_.at(job->id);
        }
        for (auto job = unknown_.rbegin(); job != unknown_.rend(); ++job)
            node = &extend(**job, node, log.pathOf(**job));
        return *node;
    }

    // The time from `from` to the result of `last` has been added as a wait for the buffer. Adds what the jobs after
    // `edge.before` did meanwhile, and takes away what was no wait for the buffer. REQUIRES: `edge.before` is a cause
    // of `last`; `from` is not before its result.
    struct Wait {
        CauseTree::Edge edge;
        const CauseNode& last;
        Time from;
        RequestStage idle; // from a result to the wake-up
    };
    // The jobs are behind a wait for the buffer, but those that use `dies` are seen by who waits for these.
    void divide(StageTotals& totals, const Wait& wait, const JobDies& dies, FlashJobLog& log) const;
    // The stages of the jobs are those of the request.
    void divideForFlash(StageTotals& totals, const Wait& wait) const;

private:
    // In picoseconds, modulo 2^64, from the result of the first job of the chain. A row begins with the columns of
    // TimeColumn. A column for each stage follows, of jobs from listing to result; the same columns of the jobs that
    // use the same dies as the last one; and array times and transfers of these, by the wait for the die.
    enum TimeColumn : std::size_t {
        Map,      // jobs that read the mapping table, which are not in the sums by stage
        Firmware, // from each wake-up to the listing of the next job
        Idle,     // from each result to the wake-up
        TimeColumns = 4
    };
    static constexpr std::uint8_t none = UINT8_MAX;
    static constexpr std::size_t arrayColumn = 0, transferColumn = 1; // of the stages; the others follow

    std::size_t placeOf(const CauseNode& node) const
    {
        return (node.id & (tree_.capacity() - 1)) * (TimeColumns + 3 * width_);
    }
    std::uint64_t* rowOf(const CauseNode& node) { return sums_.get() + placeOf(node); }
    const std::uint64_t* rowOf(const CauseNode& node) const { return sums_.get() + placeOf(node); }
    const CauseNode& extend(const FlashJob& job, const CauseNode* cause, const JobSegments& path);
    void addColumn(StageId stage);
    void divideTimes(StageTotals& totals, const Wait& wait) const;
    void divideSameDies(StageTotals& totals, const CauseNode& before, const CauseNode& last, const JobDies& dies,
                        FlashJobLog& log) const;

    CauseTree tree_;
    std::vector<FlashJob*> unknown_;
    std::unique_ptr<std::uint64_t[]> sums_;      // rows by id of the job, as the nodes of the tree; others are not set
    std::size_t width_ = 8;                      // columns of stages that there is room for; a multiple of 4
    std::vector<StageId> stages_;                // of the columns
    std::array<std::uint8_t, stageIds> columns_; // of the stages; none: it has not occurred
};

} // namespace strobe::platform
