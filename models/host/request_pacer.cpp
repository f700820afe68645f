// SPDX-License-Identifier: Apache-2.0
#include "models/host/request_pacer.h"

#include <algorithm>

namespace strobe::host {

void RequestPacer::begin(Phase& phase, Time now)
{
    phase_ = &phase;
    start_ = now;
    credits_ = phase.config().pacing.queueDepth;
    nextOfRate_ = now;
    dependencies_.begin(now);
}

void RequestPacer::end()
{
    while (!thinking_.empty())
        thinking_.pop();
    waiting_.reset();
    phase_ = nullptr;
}

void RequestPacer::stop()
{
    waiting_.reset();
}

std::optional<RequestPacer::Due> RequestPacer::next(Time now)
{
    return phase_->followsTimes() ? nextAtItsTime(now) : nextOfLoop(now);
}

std::optional<RequestPacer::Due> RequestPacer::nextOfLoop(Time now)
{
    if (credits_ == 0)
        return std::nullopt;
    if (!waiting_)
        waiting_ = phase_->next(std::max(now, nextOfRate_) - start_);
    const bool isClosingFlush = phase_->isCut(); // waits for no rate
    if (!waiting_ || (nextOfRate_ > now && !isClosingFlush))
        return std::nullopt;
    const Due taken{*waiting_, now, 0};
    waiting_.reset();
    --credits_;
    nextOfRate_ += phase_->config().pacing.interval;
    return taken;
}

std::optional<RequestPacer::Due> RequestPacer::nextAtItsTime(Time now)
{
    if (!waiting_)
        takeArrival(now);
    if (!waiting_)
        return std::nullopt;
    const Time due = nextArrival();
    const Time limit = phase_->config().maxTime;
    if (phase_->isDependent() && limit != never && due != never && due - start_ >= limit && !phase_->isCut()) {
        phase_->cut();
        waiting_.reset();
        return nextAtItsTime(now); // a closing flush
    }
    if (due > now)
        return std::nullopt;
    const Due taken{*waiting_, due, phase_->isDependent() ? dependencies_.issued() : 0};
    waiting_.reset();
    return taken;
}

void RequestPacer::takeArrival(Time now)
{
    waiting_ = phase_->next(now - start_);
    if (waiting_ && phase_->isDependent()) {
        const Time response = waiting_->response;
        dependencies_.arrived(waiting_->arrival, response > Time{} ? response : phase_->config().pacing.traceResponse);
    }
}

void RequestPacer::completed(std::uint64_t number, Time now)
{
    if (phase_->isDependent())
        dependencies_.completed(number, now);
    if (phase_->followsTimes())
        return;
    const Time think = phase_->config().pacing.thinkTime;
    if (think > Time{})
        thinking_.push(now + think);
    else
        ++credits_;
}

void RequestPacer::lost(std::uint64_t number, Time now)
{
    if (phase_->isDependent())
        dependencies_.completed(number, now);
    if (!phase_->followsTimes())
        ++credits_;
}

void RequestPacer::advance(Time now)
{
    while (!thinking_.empty() && thinking_.front() <= now) {
        thinking_.pop();
        ++credits_;
    }
}

Time RequestPacer::nextThinkEnd() const
{
    return thinking_.empty() ? never : thinking_.front();
}

Time RequestPacer::nextArrival() const
{
    if (!waiting_)
        return never;
    if (!phase_->followsTimes())
        return nextOfRate_;
    return phase_->isDependent() ? dependencies_.due() : start_ + waiting_->arrival;
}

} // namespace strobe::host
