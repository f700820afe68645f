// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/base/latency_histogram.h"
#include "models/base/rng.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <vector>

using namespace strobe;
using namespace std::chrono_literals;

namespace {

double relativeError(Time measured, Time exact)
{
    return std::abs(static_cast<double>((measured - exact).count())) / static_cast<double>(exact.count());
}

} // namespace

TEST_CASE("an empty histogram answers zero")
{
    const LatencyHistogram histogram;
    CHECK(histogram.count() == 0);
    CHECK(histogram.minimum() == 0us);
    CHECK(histogram.maximum() == 0us);
    CHECK(histogram.mean() == 0us);
    CHECK(histogram.percentile(99) == 0us);
}

TEST_CASE("one sample is every percentile of itself")
{
    LatencyHistogram histogram;
    histogram.record(123us);
    for (const double percent : {0.0, 50.0, 99.99, 100.0})
        CHECK(histogram.percentile(percent) == 123us);
    CHECK(histogram.mean() == 123us);
}

TEST_CASE("percentiles agree with sorted samples within half a percent up to 99.99")
{
    LatencyHistogram histogram;
    std::vector<Time> samples;
    Rng rng(1, "histogram test");
    for (int i = 0; i < 200'000; ++i) {
        const Time sample = 20us + Time{static_cast<std::int64_t>(rng.exponential(300e6))};
        samples.push_back(sample);
        histogram.record(sample);
    }
    std::sort(samples.begin(), samples.end());
    CHECK(histogram.minimum() == samples.front());
    CHECK(histogram.maximum() == samples.back());
    CHECK(histogram.percentile(100) == samples.back());
    for (const double percent : {1.0, 25.0, 50.0, 90.0, 99.0, 99.9, 99.99}) {
        const auto rank = static_cast<std::size_t>(percent / 100 * static_cast<double>(samples.size())) - 1;
        INFO(percent);
        CHECK(relativeError(histogram.percentile(percent), samples[rank]) < 0.005);
    }
}

TEST_CASE("count, minimum, maximum and mean stay exact, also beyond the axis")
{
    LatencyHistogram histogram;
    histogram.record(Time{});
    histogram.record(picoseconds(3));
    histogram.record(10s);
    CHECK(histogram.count() == 3);
    CHECK(histogram.minimum() == Time{});
    CHECK(histogram.maximum() == 10s);
    CHECK(histogram.mean() == Time{10'000'000'000'003 / 3});
    CHECK(histogram.percentile(100) == 10s);
    CHECK(histogram.percentile(10) == Time{});
}

TEST_CASE("a sum of latencies beyond 64 bits of picoseconds keeps the mean exact")
{
    LatencyHistogram histogram;
    for (int i = 0; i < 1000; ++i)
        histogram.record(std::chrono::hours(24));
    CHECK(histogram.mean() == std::chrono::hours(24));
}

TEST_CASE("merging equals recording into one")
{
    LatencyHistogram one;
    LatencyHistogram other;
    LatencyHistogram both;
    for (int i = 1; i <= 1000; ++i) {
        const Time sample = i * 7us;
        (i % 3 == 0 ? one : other).record(sample);
        both.record(sample);
    }
    one.merge(other);
    one.merge(LatencyHistogram{}); // nothing
    CHECK(one.count() == both.count());
    CHECK(one.minimum() == both.minimum());
    CHECK(one.maximum() == both.maximum());
    CHECK(one.mean() == both.mean());
    for (const double percent : {5.0, 50.0, 95.0})
        CHECK(one.percentile(percent) == both.percentile(percent));
}

TEST_CASE("a reset clears everything, a copy is independent")
{
    LatencyHistogram histogram;
    histogram.record(5us);
    LatencyHistogram copy = histogram;
    histogram.reset();
    CHECK(histogram.count() == 0);
    CHECK(histogram.percentile(50) == 0us);
    CHECK(copy.percentile(50) == 5us);
    histogram = copy;
    copy.record(9us);
    CHECK(histogram.count() == 1);
}

TEST_CASE("a latency below zero and a percentile beyond 100 are internal errors")
{
    LatencyHistogram histogram;
    CHECK_THROWS_AS(histogram.record(picoseconds(-1)), InternalError);
    CHECK_THROWS_AS(histogram.percentile(100.5), InternalError);
    CHECK_THROWS_AS(histogram.percentile(-1), InternalError);
}

TEST_CASE("a histogram made from the bins of another has its percentiles")
{
    LatencyHistogram original;
    for (int i = 1; i <= 1000; ++i)
        original.record(i * 1us);
    original.record(2ns);
    original.record(3s);
    LatencyHistogram copy;
    for (int bin = -1; bin <= LatencyHistogram::bins; ++bin)
        copy.add(bin, original.countOf(bin));
    CHECK(copy.count() == 1002);
    for (const double percent : {10.0, 50.0, 99.0})
        CHECK((copy.percentile(percent) == original.percentile(percent)));
    CHECK((LatencyHistogram::lowerEdge(0) == 10ns));
    CHECK((LatencyHistogram::lowerEdge(LatencyHistogram::bins) == 1s));
    CHECK((LatencyHistogram::lowerEdge(LatencyHistogram::binsPerDecade) == 100ns));
}

TEST_CASE("a sample is counted in the bin whose edges it lies between, at the edges too")
{
    const auto binOf = [](Time sample) {
        LatencyHistogram histogram;
        histogram.record(sample);
        int bin = -1;
        while (histogram.countOf(bin) == 0)
            ++bin;
        return bin;
    };
    for (int bin = 0; bin <= LatencyHistogram::bins; ++bin) {
        const Time edge = LatencyHistogram::lowerEdge(bin); // rounded to a picosecond
        CAPTURE(bin);
        CHECK(binOf(edge + Time{1}) == bin);
        CHECK(binOf(edge - Time{1}) == bin - 1);
    }
    CHECK(binOf(Time{0}) == -1);
    CHECK(binOf(Time{8191}) == -1);
    CHECK(binOf(1h) == LatencyHistogram::bins);
    CHECK(binOf(never) == LatencyHistogram::bins);
}
