// SPDX-License-Identifier: Apache-2.0
#include "models/base/latency_histogram.h"

#include "models/base/check.h"

#include <boost/histogram.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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

// The bin of a latency as the axis gives it, from a table instead of a logarithm: each octave is cut into 64 parts, and
// at most two bins begin in a part.
class BinTable {
public:
    BinTable()
    {
        const Axis axis = axisOfRange();
        for (int bin = 0; bin <= LatencyHistogram::bins; ++bin) {
            std::int64_t first = std::llround(axis.value(bin));
            while (axis.index(static_cast<double>(first - 1)) >= bin)
                --first;
            while (axis.index(static_cast<double>(first)) < bin)
                ++first;
            firsts_[static_cast<std::size_t>(bin)] = first;
        }
        firsts_.back() = std::numeric_limits<std::int64_t>::max();
        for (std::size_t part = 0; part < parts_.size(); ++part) {
            const std::int64_t begin = beginOf(part);
            const auto later = std::upper_bound(firsts_.begin(), firsts_.end(), begin);
            parts_[part] = static_cast<std::int16_t>(later - firsts_.begin() - 1);
        }
    }

    int of(std::int64_t latency) const
    {
        if (latency < beginOf(0))
            return -1;
        const std::size_t part = partOf(latency);
        if (part >= parts_.size())
            return LatencyHistogram::bins;
        int bin = parts_[part];
        while (latency >= firsts_[static_cast<std::size_t>(bin) + 1])
            ++bin;
        return bin;
    }

private:
    static constexpr int partBits = 6;
    static constexpr int firstOctave = 13; // 8,192 ps: the range begins in it
    static constexpr int octaves = 27;     // up to 2^40 ps: the range ends in the last one

    static constexpr std::int64_t beginOf(std::size_t part)
    {
        const auto octave = static_cast<int>(part >> partBits);
        return static_cast<std::int64_t>((std::size_t{1} << partBits) + (part & ((1U << partBits) - 1)))
               << (firstOctave + octave - partBits);
    }
    static std::size_t partOf(std::int64_t latency)
    {
        const int octave = 63 - __builtin_clzll(static_cast<std::uint64_t>(latency));
        return (static_cast<std::size_t>(octave - firstOctave) << partBits) +
               ((static_cast<std::size_t>(latency) >> (octave - partBits)) & ((1U << partBits) - 1));
    }

    std::array<std::int64_t, LatencyHistogram::bins + 2>
        firsts_{};                                          // by bin: its first latency; nothing is after the last
    std::array<std::int16_t, octaves << partBits> parts_{}; // by part: the bin of its first latency
};
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
    static const BinTable table;
    ++bins_->histogram.at(table.of(latency.count()));
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
