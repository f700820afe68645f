// SPDX-License-Identifier: Apache-2.0
#include "models/base/latency_histogram.h"

#include "models/base/check.h"

#include <boost/histogram.hpp>

#include <algorithm>
#include <cmath>

namespace strobe {

namespace bh = boost::histogram;

namespace {
using Axis = bh::axis::regular<double, bh::axis::transform::log>;
using Histogram = bh::histogram<std::tuple<Axis>, bh::dense_storage<std::uint64_t>>;

constexpr double rangeBegin = 1e4; // ps
constexpr double rangeEnd = 1e12;

Axis axisOfRange()
{
    return {LatencyHistogram::bins, rangeBegin, rangeEnd};
}

Histogram makeHistogram()
{
    return bh::make_histogram_with(bh::dense_storage<std::uint64_t>{}, axisOfRange());
}
} // namespace

struct LatencyHistogram::Bins {
    Histogram histogram = makeHistogram();
};

LatencyHistogram::LatencyHistogram() : bins_(std::make_unique<Bins>()) {}
LatencyHistogram::LatencyHistogram(const LatencyHistogram& other)
    : bins_(std::make_unique<Bins>(*other.bins_)), count_(other.count_), minimum_(other.minimum_),
      maximum_(other.maximum_), sum_(other.sum_)
{
}
LatencyHistogram& LatencyHistogram::operator=(const LatencyHistogram& other)
{
    if (this != &other)
        *this = LatencyHistogram(other);
    return *this;
}
LatencyHistogram::LatencyHistogram(LatencyHistogram&&) noexcept = default;
LatencyHistogram& LatencyHistogram::operator=(LatencyHistogram&&) noexcept = default;
LatencyHistogram::~LatencyHistogram() = default;

void LatencyHistogram::record(Time latency)
{
    check(latency >= Time{}, "a latency below zero");
    bins_->histogram(static_cast<double>(latency.count()));
    ++count_;
    minimum_ = std::min(minimum_, latency);
    maximum_ = std::max(maximum_, latency);
    sum_ += latency.count();
}

void LatencyHistogram::merge(const LatencyHistogram& other)
{
    auto& histogram = bins_->histogram; // operator+= trips gcc 12's -Wmaybe-uninitialized under the sanitizers
    for (int bin = -1; bin <= histogram.axis(0).size(); ++bin)
        histogram.at(bin) += other.bins_->histogram.at(bin);
    count_ += other.count_;
    minimum_ = std::min(minimum_, other.minimum_);
    maximum_ = std::max(maximum_, other.maximum_);
    sum_ += other.sum_;
}

void LatencyHistogram::reset()
{
    *this = LatencyHistogram();
}

Time LatencyHistogram::mean() const
{
    return count_ == 0 ? Time{} : Time{static_cast<std::int64_t>(sum_ / static_cast<Sum>(count_))};
}

std::uint64_t LatencyHistogram::countOf(int bin) const
{
    return bins_->histogram.at(bin);
}

Time LatencyHistogram::lowerEdge(int bin)
{
    static const Axis axis = axisOfRange();
    return Time{std::llround(axis.value(bin))};
}

void LatencyHistogram::add(int bin, std::uint64_t samples)
{
    if (samples == 0)
        return;
    const Time from = bin < 0 ? Time{} : lowerEdge(bin);
    const Time to = lowerEdge(std::clamp(bin + 1, 0, bins));
    bins_->histogram.at(bin) += samples;
    count_ += samples;
    minimum_ = std::min(minimum_, from);
    maximum_ = std::max(maximum_, to);
    sum_ += static_cast<Sum>((from + to).count() / 2) * samples;
}

Time LatencyHistogram::percentile(double percent) const
{
    check(percent >= 0 && percent <= 100, "a percentile lies between 0 and 100");
    if (count_ == 0)
        return Time{};
    const double wanted = std::max(1.0, percent / 100.0 * static_cast<double>(count_));
    const auto& histogram = bins_->histogram;
    double seen = static_cast<double>(histogram.at(-1)); // below 10 ns
    if (seen >= wanted)
        return minimum_;
    for (int bin = 0; bin < histogram.axis(0).size(); ++bin) {
        const auto inBin = static_cast<double>(histogram.at(bin));
        if (inBin > 0 && seen + inBin >= wanted) {
            const double position = bin + (wanted - seen) / inBin; // interpolated inside the bin
            const Time value{std::llround(histogram.axis(0).value(position))};
            return std::clamp(value, minimum_, maximum_);
        }
        seen += inBin;
    }
    return maximum_;
}

} // namespace strobe
