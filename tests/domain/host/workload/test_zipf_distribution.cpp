// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/zipf_distribution.h"
#include "tests/support/catch.h"

#include <cmath>
#include <vector>

using namespace strobe;
using namespace strobe::host;

namespace {
double harmonic(std::uint64_t ranks, double theta)
{
    double sum = 0;
    for (std::uint64_t k = 1; k <= ranks; ++k)
        sum += std::pow(static_cast<double>(k), -theta);
    return sum;
}
} // namespace

TEST_CASE("each zipf rank appears with its exact probability")
{
    const double theta = GENERATE(0.0, 0.5, 0.99, 0.9999, 1.0, 1.000001, 1.5, 3.0);
    constexpr std::uint64_t ranks = 50;
    constexpr std::uint64_t samples = 400'000;
    const ZipfDistribution zipf(ranks, theta);
    Rng rng(1, "zipf test");
    std::vector<std::uint64_t> seen(ranks);
    for (std::uint64_t i = 0; i < samples; ++i)
        ++seen.at(zipf(rng));

    const double sum = harmonic(ranks, theta);
    double chiSquare = 0; // 49 degrees of freedom; 1 in 100,000 exceeds 101
    for (std::uint64_t k = 1; k <= ranks; ++k) {
        const double expected = samples * std::pow(static_cast<double>(k), -theta) / sum;
        const double difference = static_cast<double>(seen[k - 1]) - expected;
        chiSquare += difference * difference / expected;
    }
    INFO("theta " << theta);
    CHECK(chiSquare < 101);
}

TEST_CASE("zipf over 2^32 blocks keeps its shares at both ends")
{
    constexpr std::uint64_t ranks = std::uint64_t{1} << 32;
    constexpr double theta = 0.99;
    constexpr std::uint64_t head = 1000;
    constexpr std::uint64_t half = ranks / 2;
    // The tail of the harmonic sum by its integral, from half a rank below to half a rank above.
    const double tail = (std::pow(ranks + 0.5, 1 - theta) - std::pow(head + 0.5, 1 - theta)) / (1 - theta);
    const double headShare = harmonic(head, theta) / (harmonic(head, theta) + tail);
    const double upperTail = (std::pow(ranks + 0.5, 1 - theta) - std::pow(half + 0.5, 1 - theta)) / (1 - theta);
    const double upperShare = upperTail / (harmonic(head, theta) + tail);

    const ZipfDistribution zipf(ranks, theta);
    Rng rng(2, "zipf test");
    constexpr int samples = 200'000;
    int inHead = 0;
    int inUpperHalf = 0;
    for (int i = 0; i < samples; ++i) {
        const std::uint64_t rank = zipf(rng);
        REQUIRE(rank < ranks);
        inHead += rank < head ? 1 : 0;
        inUpperHalf += rank >= half ? 1 : 0;
    }
    using Catch::Matchers::WithinAbs;
    CHECK_THAT(static_cast<double>(inHead) / samples, WithinAbs(headShare, 0.005));
    CHECK_THAT(static_cast<double>(inUpperHalf) / samples, WithinAbs(upperShare, 0.002));
}

TEST_CASE("zipf stays within its ranks at the edges of its parameters")
{
    const std::uint64_t ranks = GENERATE(as<std::uint64_t>{}, 1, 2, 3, ZipfDistribution::maxRanks);
    const double theta = GENERATE(0.0, 0.999999999999, 1.0, ZipfDistribution::maxTheta);
    const ZipfDistribution zipf(ranks, theta);
    Rng rng(3, "zipf test");
    for (int i = 0; i < 1000; ++i)
        REQUIRE(zipf(rng) < ranks);
}
