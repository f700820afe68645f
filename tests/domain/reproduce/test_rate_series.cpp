// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/rate_series.h"
#include "tests/support/catch.h"

using namespace strobe::platform;

namespace {

// As many intervals of a second at this rate, which varies by a twentieth from one to the next.
void add(RateSeries& series, std::size_t count, double rate)
{
    for (std::size_t i = 0; i < count; ++i)
        series.push_back({i % 2 == 0 ? rate * 1.05 : rate * 0.95, 1});
}

} // namespace

TEST_CASE("two plateaus are separated where the rate falls")
{
    RateSeries series;
    add(series, 10, 400);
    add(series, 40, 100);
    const std::vector<Plateau> plateaus = plateausOf(series, 2);
    REQUIRE(plateaus.size() == 2);
    CHECK(plateaus[0].rate == Approx(400));
    CHECK(plateaus[0].end == Approx(4000));
    CHECK(plateaus[1].rate == Approx(100));
    CHECK(plateaus[1].end == Approx(8000));
}

TEST_CASE("a slow third plateau is found although it holds little data")
{
    RateSeries series;
    add(series, 20, 5000);
    add(series, 60, 3500);
    add(series, 100, 100);
    const std::vector<Plateau> plateaus = plateausOf(series, 3);
    REQUIRE(plateaus.size() == 3);
    CHECK(plateaus[0].end == Approx(100'000));
    CHECK(plateaus[1].end == Approx(310'000));
    CHECK(plateaus[2].rate == Approx(100));
}

TEST_CASE("time without data belongs to the plateau of the data after it")
{
    const std::vector<Plateau> plateaus = plateausOf({{100, 1}, {0, 1}, {0, 1}, {30, 1}, {0, 1}}, 2);
    CHECK(plateaus[0].rate == Approx(100));
    CHECK(plateaus[1].rate == Approx(10));
}

TEST_CASE("percentiles are of rates, without the interval that the end of the run cuts")
{
    RateSeries series;
    for (int i = 1; i <= 20; ++i)
        series.push_back({i * 2.0, 2});
    series.push_back({1, 1000});
    CHECK(percentileOfRates(series, 0.05) == Approx(1));
    CHECK(percentileOfRates(series, 0.5) == Approx(10));
    CHECK(percentileOfRates(series, 0.95) == Approx(19));
    CHECK(percentileOfRates({{8, 2}}, 0.5) == Approx(4));
}
