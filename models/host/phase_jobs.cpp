// SPDX-License-Identifier: Apache-2.0
#include "models/host/phase_jobs.h"

#include <algorithm>

namespace strobe::host {

void PhaseJobs::begin(Phase& phase, Time now)
{
    phase_ = &phase;
    turn_ = 0;
    pacers_.resize(1 + phase.concurrentJobs().size());
    queues_.resize(pacers_.size());
    for (std::size_t job = 0; job < pacers_.size(); ++job) {
        Phase& own = job == 0 ? phase : phase.concurrentJobs()[job - 1];
        pacers_[job].begin(own, now);
        queues_[job] = own.config().source.queues.mask;
    }
}

void PhaseJobs::end()
{
    for (RequestPacer& pacer : pacers_)
        pacer.end();
    phase_ = nullptr;
}

void PhaseJobs::stop()
{
    for (RequestPacer& pacer : pacers_)
        pacer.stop();
}

std::optional<PhaseJobs::Due> PhaseJobs::next(Time now, std::uint64_t fullQueues)
{
    for (std::size_t asked = 0; asked < pacers_.size(); ++asked) {
        const std::size_t job = turn_;
        turn_ = turn_ + 1 == pacers_.size() ? 0 : turn_ + 1;
        if (waitsForQueue(job, fullQueues))
            continue;
        const std::optional<RequestPacer::Due> due = pacers_[job].next(now);
        if (job == 0 && phase_->isCut())
            stopBeside();
        if (due)
            return Due{*due, job, queues_[job]};
    }
    return std::nullopt;
}

void PhaseJobs::stopBeside()
{
    for (std::size_t job = 1; job < pacers_.size(); ++job) {
        phase_->concurrentJobs()[job - 1].cut();
        pacers_[job].stop();
    }
}

void PhaseJobs::advance(Time now)
{
    for (RequestPacer& pacer : pacers_)
        pacer.advance(now);
}

Time PhaseJobs::nextThinkEnd() const
{
    Time next = never;
    for (const RequestPacer& pacer : pacers_)
        next = std::min(next, pacer.nextThinkEnd());
    return next;
}

Time PhaseJobs::nextArrival(std::uint64_t fullQueues) const
{
    Time next = never;
    for (std::size_t job = 0; job < pacers_.size(); ++job) {
        if (!waitsForQueue(job, fullQueues))
            next = std::min(next, pacers_[job].nextArrival());
    }
    return next;
}

} // namespace strobe::host
