// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/series_recorder.h"

#include "models/base/check.h"
#include "models/base/content.h"

#include <algorithm>

namespace strobe::platform {

SeriesRecorder::SeriesRecorder(std::optional<Time> every)
    : interval_(every.value_or(shortest)), most_(every ? mostAsAsked : most)
{
    check(interval_ > Time{}, "a time series has intervals of no length");
}

void SeriesRecorder::start(Time now)
{
    isRunning_ = true;
    since_ = now;
}

void SeriesRecorder::stop(Time now)
{
    if (!isRunning_)
        return;
    isRunning_ = false;
    elapsed_ += now - since_;
}

Time SeriesRecorder::nextSample() const
{
    return isRunning_ ? since_ + (interval_ - std::min(elapsed_, interval_)) : never;
}

void SeriesRecorder::sample(Time now, const Observed& observed)
{
    elapsed_ += now - since_;
    since_ = now;
    close(observed);
    if (intervals_.size() == most_)
        joinPairs();
}

void SeriesRecorder::close(const Observed& observed)
{
    const CumulativeFigures& figures = observed.figures;
    Interval interval;
    interval.length = elapsed_;
    elapsed_ = Time{};
    takeRequests(interval, observed);
    for (std::size_t g = 0; g < figures.groups.size(); ++g) {
        interval.figures.groups[g] = {figures.groups[g].members, figures.groups[g].busy - before_.groups[g].busy,
                                      figures.groups[g].waited - before_.groups[g].waited};
    }
    for (std::size_t p = 0; p < figures.programs.size(); ++p)
        interval.figures.programs[p] = figures.programs[p] - before_.programs[p];
    before_ = figures;
    intervals_.push_back(std::move(interval));
}

// The integral of the outstanding requests up to now is what the completed ones were outstanding, and the present ones
// so far.
void SeriesRecorder::takeRequests(Interval& interval, const Observed& observed)
{
    const std::vector<host::PhaseResult>& phases = observed.phases;
    seen_.resize(phases.size());
    for (std::size_t k = 0; k < kinds; ++k) {
        Requests& requests = interval.requests[k];
        auto outstanding = static_cast<double>(observed.outstanding[k].count());
        for (std::size_t p = 0; p < phases.size(); ++p) {
            const host::KindResult& result = phases[p].kinds[k];
            if (!phases[p].measured || result.requests == 0)
                continue;
            outstanding += result.device.sum();
            Seen& seen = seen_[p][k];
            if (seen.completed == result.requests)
                continue;
            requests.completed += result.requests - seen.completed;
            requests.sectors += result.sectors - seen.sectors;
            seen.completed = result.requests;
            seen.sectors = result.sectors;
            requests.latency = sumOf(requests.latency, newSamples(seen, result.latency));
        }
        requests.outstanding = std::max(outstanding - outstanding_[k], 0.0); // lost with the power: no longer counted
        outstanding_[k] = outstanding;
    }
}

SeriesRecorder::Bins SeriesRecorder::newSamples(Seen& seen, const LatencyHistogram& histogram)
{
    Bins bins;
    seen.bins.resize(LatencyHistogram::bins + 2);
    auto before = seen.bins.begin();
    for (int bin = -1; bin <= LatencyHistogram::bins; ++bin, ++before) {
        const std::uint64_t count = histogram.countOf(bin);
        if (count != *before)
            bins.emplace_back(static_cast<std::int16_t>(bin), count - *before);
        *before = count;
    }
    return bins;
}

void SeriesRecorder::joinPairs()
{
    std::size_t to = 0;
    for (std::size_t from = 0; from < intervals_.size(); from += 2, ++to) {
        if (to != from)
            intervals_[to] = std::move(intervals_[from]);
        if (from + 1 < intervals_.size())
            join(intervals_[to], intervals_[from + 1]);
    }
    intervals_.resize(to);
    interval_ *= 2;
}

void SeriesRecorder::join(Interval& first, const Interval& second)
{
    first.length += second.length;
    for (std::size_t k = 0; k < kinds; ++k) {
        Requests& sum = first.requests[k];
        const Requests& more = second.requests[k];
        sum.completed += more.completed;
        sum.sectors += more.sectors;
        sum.outstanding += more.outstanding;
        sum.latency = sumOf(sum.latency, more.latency);
    }
    for (std::size_t g = 0; g < first.figures.groups.size(); ++g) {
        first.figures.groups[g].busy += second.figures.groups[g].busy;
        first.figures.groups[g].waited += second.figures.groups[g].waited;
    }
    for (std::size_t p = 0; p < first.figures.programs.size(); ++p)
        first.figures.programs[p] += second.figures.programs[p];
}

SeriesRecorder::Bins SeriesRecorder::sumOf(const Bins& a, const Bins& b)
{
    Bins sum;
    sum.reserve(a.size() + b.size());
    auto x = a.begin();
    auto y = b.begin();
    while (x != a.end() || y != b.end()) {
        if (y == b.end() || (x != a.end() && x->first < y->first)) {
            sum.push_back(*x++);
        } else if (x == a.end() || y->first < x->first) {
            sum.push_back(*y++);
        } else {
            sum.emplace_back(x->first, x->second + y->second);
            ++x;
            ++y;
        }
    }
    return sum;
}

SeriesReport SeriesRecorder::finish(const Observed& observed)
{
    check(!isRunning_, "a time series is finished while it runs");
    if (elapsed_ > Time{})
        close(observed);
    SeriesReport report;
    report.interval = interval_;
    for (const Interval& interval : intervals_)
        report.length.push_back(interval.length);
    for (std::size_t k = 0; k < kinds; ++k) {
        if (std::all_of(intervals_.begin(), intervals_.end(),
                        [k](const Interval& i) { return i.requests[k].completed == 0; }))
            continue;
        SeriesReport::Operation& row = report.operations.emplace_back();
        row.kind = host::requestKindTable[k].value;
        for (const Interval& interval : intervals_) {
            const Requests& requests = interval.requests[k];
            LatencyHistogram latency;
            for (const auto& [bin, samples] : requests.latency)
                latency.add(bin, samples);
            const auto percentile = [&](double percent) {
                return latency.count() == 0 ? std::nullopt : std::optional<Time>(latency.percentile(percent));
            };
            row.requests.push_back(requests.completed);
            row.bytes.push_back(requests.sectors * sectorBytes);
            row.p50.push_back(percentile(50));
            row.p99.push_back(percentile(99));
            row.p999.push_back(percentile(99.9));
            row.queueDepth.push_back(requests.outstanding / static_cast<double>(interval.length.count()));
        }
    }
    for (std::size_t p = 0; p < nand::purposeTable.size(); ++p) {
        std::vector<std::uint64_t> programs;
        for (const Interval& interval : intervals_)
            programs.push_back(interval.figures.programs[p]);
        if (std::any_of(programs.begin(), programs.end(), [](std::uint64_t n) { return n != 0; }))
            report.programs.push_back({std::string(nand::purposeTable[p].name), std::move(programs)});
    }
    for (std::size_t g = 0; g < resourceGroupTable.size(); ++g) {
        if (observed.figures.groups[g].members == 0)
            continue;
        SeriesReport::Group& row = report.groups.emplace_back();
        row.group = resourceGroupTable[g].value;
        const auto members = static_cast<double>(observed.figures.groups[g].members);
        for (const Interval& interval : intervals_) {
            const double time = static_cast<double>(interval.length.count()) * members;
            row.utilisation.push_back(static_cast<double>(interval.figures.groups[g].busy.count()) / time);
            row.meanQueue.push_back(static_cast<double>(interval.figures.groups[g].waited.count()) / time);
        }
    }
    return report;
}

} // namespace strobe::platform
