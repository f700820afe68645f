// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_dependencies.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::host {

void TraceDependencies::begin(Time started)
{
    *this = TraceDependencies();
    base_ = started;
}

void TraceDependencies::arrived(Time arrival, Time response)
{
    check(arrival >= arrival_ && response >= Time{}, "requests of a trace arrive in the order of their times");
    arrival_ = arrival;
    response_ = response;
    for (; !ends_.empty() && ends_.top().from <= arrival; ends_.pop()) {
        const End& end = ends_.top();
        recorded_ = std::max(recorded_, end.end);
        if (const auto early = early_.find(end.number); early != early_.end()) {
            base_ = std::max(base_, early->second);
            early_.erase(early);
        } else {
            awaited_.insert(end.number);
        }
    }
}

Time TraceDependencies::due() const
{
    return awaited_.empty() ? base_ + (arrival_ - recorded_) : never;
}

std::uint64_t TraceDependencies::issued()
{
    const Time end = arrival_ + response_;
    ends_.push({std::max(end, arrival_ + Time{1}), end, next_}); // requests of one instant do not wait for each other
    return next_++;
}

void TraceDependencies::completed(std::uint64_t number, Time now)
{
    if (awaited_.erase(number) > 0)
        base_ = std::max(base_, now);
    else
        early_.emplace(number, now);
}

} // namespace strobe::host
