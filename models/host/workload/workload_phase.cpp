// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/workload_phase.h"

#include "models/base/check.h"
#include "models/base/config_error.h"
#include "models/host/workload/source_factory.h"

#include <fmt/format.h>

#include <cmath>

namespace strobe::host {

namespace {
constexpr std::int64_t million = 1'000'000;
} // namespace

Phase::Phase(const PhaseConfig& config, std::uint64_t capacitySectors, std::uint64_t seed)
    : Phase(config, makeSource(config, capacitySectors, seed))
{
    for (std::size_t job = 0; job < config.concurrentJobs.size(); ++job) {
        try {
            concurrentJobs_.emplace_back(concurrentJobAsPhase(config, job), capacitySectors, seed);
        } catch (const WorkloadError& error) {
            throw WorkloadError({std::nullopt, concurrentJobField(job, error.place().field)}, error.what());
        }
    }
}

Phase::Phase(PhaseConfig config, std::unique_ptr<RequestSource> source)
    : config_(std::move(config)), source_(std::move(source)),
      scaleMillionths_(followsTimes() ? std::llround(config_.pacing.timeScale * static_cast<double>(million)) : million)
{
    check(source_ != nullptr, "a phase needs a source");
    check(scaleMillionths_ > 0, "a phase needs a time scale of at least a millionth");
}

std::optional<Request> Phase::next(Time elapsed)
{
    if (exhausted_)
        return std::nullopt;
    std::optional<Request> request;
    if (!isCut_ && (isOpenLoop() || elapsed < config_.maxTime))
        request = source_->next();
    if (request) {
        scaleTimes(*request);
        if (request->kind == RequestKind::Write && config_.source.placement)
            request->placement = static_cast<std::uint16_t>(*config_.source.placement);
    }
    if (request && isOpenLoop() && request->arrival >= config_.maxTime)
        request.reset();
    isCut_ = !request;
    if (!request && endsWithFlush() && !flushed_) {
        flushed_ = true;
        request = Request{RequestKind::Flush, false, 0, 0, lastArrival_};
    }
    exhausted_ = !request;
    if (request) {
        ++issued_;
        lastArrival_ = request->arrival;
    }
    return request;
}

std::optional<std::uint64_t> Phase::total() const
{
    const auto requests = source_->total();
    return requests ? std::optional(*requests + (endsWithFlush() ? 1 : 0)) : std::nullopt;
}

std::string Phase::describe() const
{
    const QueueChoice& queues = config_.source.queues;
    if (queues.isAny())
        return source_->describe();
    return source_->describe() + (queues.ofClass ? ", queues of class " : ", queue ") + queues.text();
}

void Phase::scaleTimes(Request& request) const
{
    if (!followsTimes()) {
        request.arrival = Time{};
        return;
    }
    // Arrival and end are scaled: so what followed an end still follows it, however they are rounded.
    const Time end = scaledTime(request.arrival + request.response);
    request.arrival = scaledTime(request.arrival);
    request.response = end - request.arrival;
}

Time Phase::scaledTime(Time time) const
{
    if (scaleMillionths_ == million)
        return time;
    if (scaleMillionths_ > million && time > Time{never.count() / scaleMillionths_ * million})
        throw ConfigError(fmt::format("phase '{}': with a time scale of {} the arrival after {} lies beyond 106 days",
                                      config_.name, config_.pacing.timeScale, toText(time)));
    return scaled(time, scaleMillionths_, million);
}

std::vector<Phase> makePhases(const WorkloadConfig& config, std::uint64_t capacitySectors, std::uint64_t seed)
{
    std::vector<Phase> phases;
    phases.reserve(config.phases.size());
    for (std::size_t i = 0; i < config.phases.size(); ++i) {
        try {
            phases.emplace_back(config.phases[i], capacitySectors, seed);
        } catch (const WorkloadError& error) {
            throw WorkloadError({i, error.place().field}, error.what());
        }
    }
    return phases;
}

Workload::Workload(const WorkloadConfig& config, std::uint64_t capacitySectors, std::uint64_t seed)
    : phases_(makePhases(config, capacitySectors, seed))
{
}

void Workload::advance()
{
    check(index_ < phases_.size(), "advance past the last phase");
    ++index_;
}

} // namespace strobe::host
