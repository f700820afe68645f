// SPDX-License-Identifier: Apache-2.0
#include "models/host/phase_result.h"

#include <algorithm>

namespace strobe::host {

namespace {

// The slots of the queues that a job may use.
std::uint32_t slotsOf(const Phase& job, std::uint32_t slots, std::uint32_t queues)
{
    const std::uint64_t mask = job.config().source.queues.mask;
    std::uint32_t sum = 0;
    for (std::uint32_t queue = 0; queue < queues; ++queue)
        sum += mask == 0 || (mask >> queue & 1U) != 0 ? (slots - queue + queues - 1) / queues : 0;
    return sum;
}

void describe(JobResult& result, const Phase& job, std::uint32_t slots)
{
    result.name = job.config().name;
    result.workload = job.describe();
    result.pacing = job.config().pacing.mode;
    result.queueDepth = job.followsTimes() ? slots : std::min(slots, job.config().pacing.queueDepth);
}

} // namespace

PhaseResult PhaseResult::of(const Phase& phase, std::uint32_t slots, std::uint32_t queues)
{
    PhaseResult result;
    describe(result, phase, slotsOf(phase, slots, queues));
    result.measured = phase.config().measured;
    if (phase.concurrentJobs().empty())
        return result;
    result.jobs.emplace_back(result);
    for (std::size_t i = 0; i < phase.concurrentJobs().size(); ++i) {
        JobResult& job = result.jobs.emplace_back();
        describe(job, phase.concurrentJobs()[i], slotsOf(phase.concurrentJobs()[i], slots, queues));
        job.name = phase.config().concurrentJobs[i].name;
        if (!phase.concurrentJobs()[i].followsTimes())
            result.queueDepth = std::min(slots, result.queueDepth + job.queueDepth);
    }
    return result;
}

void PhaseResult::takeSourceCounts(const Phase& phase)
{
    source = phase.counts();
    if (jobs.empty())
        return;
    jobs[0].source = source;
    for (std::size_t i = 0; i < phase.concurrentJobs().size(); ++i) {
        jobs[i + 1].source = phase.concurrentJobs()[i].counts();
        source.merge(jobs[i + 1].source);
    }
}

void JobResult::add(const Request& request, bool isOk, Time arrived, Time sent, Time now)
{
    KindResult& kind = kinds[static_cast<std::size_t>(request.kind)];
    ++kind.requests;
    kind.sectors += isOk ? request.sectors : 0;
    kind.failed += isOk ? 0 : 1;
    kind.latency.record(now - arrived);
    kind.device.record(now - sent);
    ++completed;
}

void PhaseResult::issue(std::size_t job)
{
    ++issued;
    if (!jobs.empty())
        ++jobs[job].issued;
}

void PhaseResult::complete(std::size_t job, const Request& request, bool isOk, Time arrived, Time sent, Time now)
{
    add(request, isOk, arrived, sent, now);
    if (!jobs.empty())
        jobs[job].add(request, isOk, arrived, sent, now);
    end = now;
}

void PhaseResult::drop(std::size_t job, Time now)
{
    ++completed;
    ++lost;
    if (!jobs.empty()) {
        ++jobs[job].completed;
        ++jobs[job].lost;
    }
    end = now;
}

void KindResult::merge(const KindResult& other)
{
    requests += other.requests;
    sectors += other.sectors;
    failed += other.failed;
    latency.merge(other.latency);
    device.merge(other.device);
}

std::string FailedRequest::text() const
{
    return std::string(enumName(request.kind)) + " of " + std::to_string(request.sectors) + " sectors at " +
           std::to_string(request.lba) + " failed at " + toText(at) + ": " + std::string(enumName(status));
}

KindResults measuredResults(const std::vector<PhaseResult>& results)
{
    KindResults total;
    for (const PhaseResult& result : results) {
        for (std::size_t kind = 0; result.measured && kind < total.size(); ++kind)
            total[kind].merge(result.kinds[kind]);
    }
    return total;
}

Time measuredLength(const std::vector<PhaseResult>& results)
{
    Time total{};
    Time counted{};
    for (const PhaseResult& result : results) {
        if (!result.measured)
            continue;
        total += std::max(result.end - std::max(result.start, counted), Time{});
        counted = std::max(counted, result.end);
    }
    return total;
}

} // namespace strobe::host
