// SPDX-License-Identifier: Apache-2.0
#include "platform/report/stage_tally.h"

#include "models/base/check.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace strobe::platform {

namespace {

bool isSlower(const TracedRequest& a, const TracedRequest& b)
{
    return a.latency() != b.latency() ? a.latency() > b.latency() : a.id < b.id;
}

} // namespace

void StageMeans::declare(Statistics& stats) const
{
    const auto rounded = [](double picoseconds) { return Time{std::llround(picoseconds)}; };
    stats.derive("requests", Unit::Count, "requests of the class", requests);
    stats.derive("latency", Unit::Duration, "their mean latency: the sum of the stages", rounded(latency));
    for (std::size_t i = 0; i < stageIds; ++i) {
        const auto stage = static_cast<StageId>(i);
        stats.derive(stageKey(stage), Unit::Duration, stageSentence(stage), rounded(stages[i]));
    }
}

std::size_t StageTally::binOf(Time latency)
{
    constexpr unsigned fine = 7; // bits below the leading one
    const auto value = static_cast<std::uint64_t>(latency.count());
    if (value < (std::uint64_t{1} << fine))
        return static_cast<std::size_t>(value);
    const unsigned leading = 63U - static_cast<unsigned>(__builtin_clzll(value));
    const std::uint64_t mantissa = (value >> (leading - fine)) & ((std::uint64_t{1} << fine) - 1);
    return (static_cast<std::size_t>(leading - fine + 1) << fine) + static_cast<std::size_t>(mantissa);
}

void StageTally::Bin::settle()
{
    if (earlier == nullptr)
        earlier = std::make_unique<Earlier>();
    earlier->latency += std::exchange(latency, 0);
    for (std::size_t stage = 0; stage < stageIds; ++stage) {
        earlier->stages[stage] += std::exchange(stages[stage], 0);
        earlier->bufferWaitCauses[stage] += std::exchange(bufferWaitCauses[stage], 0);
    }
}

StageTally::Bin& StageTally::add(host::RequestKind kindOf, Time latency)
{
    Kind& kind = kinds_[static_cast<std::size_t>(kindOf)];
    check(latency >= Time{}, "a request ended before it began");
    ++kind.requests;
    const std::size_t index = binOf(latency);
    if (kind.bins.size() <= index)
        kind.bins.resize(index + 1);
    if (kind.bins[index] == nullptr) {
        kind.bins[index] = std::make_unique<Bin>();
        kind.bins[index]->dies.resize(dies_);
    }
    Bin& bin = *kind.bins[index];
    ++bin.requests;
    const auto length = static_cast<std::uint64_t>(latency.count());
    if (bin.latency + length < length)
        bin.settle();
    bin.latency += length;
    return bin;
}

void StageTally::add(const TracedRequest& request)
{
    Bin& bin = add(request.kind, request.latency());
    StageSums sums(bin);
    sums.begin(request.path.start());
    sums.addPart(request.path.segments(), request.path.end());
    bin.followed(request.die);
}

StageMeans StageTally::slowest(host::RequestKind kindOf, double share) const
{
    const Kind& kind = kinds_[static_cast<std::size_t>(kindOf)];
    StageMeans means;
    means.requests =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(kind.requests))));
    means.requests = std::min(means.requests, kind.requests);
    means.dies.resize(dies_);
    std::uint64_t left = means.requests;
    const auto count = static_cast<double>(means.requests);
    for (std::size_t i = kind.bins.size(); i-- > 0 && left != 0;) {
        if (kind.bins[i] == nullptr)
            continue;
        const Bin& bin = *kind.bins[i];
        const std::uint64_t taken = std::min(left, bin.requests);
        left -= taken;
        const double weight = static_cast<double>(taken) / static_cast<double>(bin.requests) / count;
        const Bin::Earlier none;
        const Bin::Earlier& earlier = bin.earlier == nullptr ? none : *bin.earlier;
        means.latency += static_cast<double>(earlier.latency + bin.latency) * weight;
        for (std::size_t stage = 0; stage < stageIds; ++stage) {
            means.stages[stage] += static_cast<double>(earlier.stages[stage] + bin.stages[stage]) * weight;
            means.bufferWaitCauses[stage] +=
                static_cast<double>(earlier.bufferWaitCauses[stage] + bin.bufferWaitCauses[stage]) * weight;
        }
        for (std::size_t die = 0; die < dies_; ++die)
            means.dies[die] += bin.dies[die] * weight;
    }
    return means;
}

void SlowestRequests::keep(const TracedRequest& request)
{
    if (kept_.size() == limit_) {
        std::pop_heap(kept_.begin(), kept_.end(), isSlower);
        kept_.back() = request;
    } else {
        kept_.push_back(request);
    }
    std::push_heap(kept_.begin(), kept_.end(), isSlower);
}

std::vector<TracedRequest> SlowestRequests::sorted() const
{
    std::vector<TracedRequest> sorted = kept_;
    std::sort(sorted.begin(), sorted.end(), isSlower);
    return sorted;
}

} // namespace strobe::platform
