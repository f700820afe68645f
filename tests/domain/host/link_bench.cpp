// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/host/link_bench.h"

#include <memory>
#include <utility>

namespace strobe::test {

ScriptedSource::ScriptedSource(std::vector<host::Request> requests) : requests_(std::move(requests)) {}

std::optional<host::Request> ScriptedSource::next()
{
    if (counts_.requests == requests_.size())
        return std::nullopt;
    return requests_[counts_.requests++];
}

host::PhaseConfig closedLoop(std::uint32_t queueDepth)
{
    host::PhaseConfig config;
    config.name = "closed";
    config.pacing.queueDepth = queueDepth;
    return config;
}

host::PhaseConfig openLoop()
{
    host::PhaseConfig config;
    config.name = "open";
    config.pacing.mode = host::PacingMode::Open;
    return config;
}

host::HostDriver::PhaseMaker script(std::vector<PhaseScript> phases)
{
    return [phases = std::move(phases)](std::uint64_t) {
        std::vector<host::Phase> made;
        for (const PhaseScript& phase : phases) {
            host::PhaseConfig config = phase.config;
            for (const PhaseScript& job : phase.concurrentJobs)
                config.concurrentJobs.push_back({job.config.name, job.config.source, job.config.pacing});
            made.emplace_back(config, std::make_unique<ScriptedSource>(phase.requests));
            for (std::size_t job = 0; job < phase.concurrentJobs.size(); ++job)
                made.back().concurrentJobs().emplace_back(
                    host::concurrentJobAsPhase(config, job),
                    std::make_unique<ScriptedSource>(phase.concurrentJobs[job].requests));
        }
        return made;
    };
}

} // namespace strobe::test
