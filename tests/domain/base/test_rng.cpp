// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/base/rng.h"
#include "tests/support/catch.h"

#include <array>
#include <set>

using namespace strobe;

TEST_CASE("seed and consumer make the stream, and both matter")
{
    Rng one(1, "workload");
    Rng same(1, "workload");
    for (int i = 0; i < 100; ++i)
        REQUIRE(one.next() == same.next());
    std::set<std::uint64_t> first;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        for (const char* consumer : {"workload", "die 0", "die 1", ""})
            first.insert(Rng(seed, consumer).next());
    }
    CHECK(first.size() == 400);
}

TEST_CASE("the stream is the same on every machine")
{
    Rng rng(1, "golden");
    const std::uint64_t expected[] = {0x79D54B4DBA36F9FCULL, 0xF4CF137D7498182CULL, 0x2253BF625AE4A685ULL};
    for (const std::uint64_t value : expected)
        CHECK(rng.next() == value);
}

TEST_CASE("random values of a range are evenly distributed and never outside")
{
    Rng rng(7, "range");
    std::array<int, 10> hits{};
    for (int i = 0; i < 100'000; ++i) {
        const std::uint64_t value = rng.below(10);
        REQUIRE(value < 10);
        ++hits[value];
    }
    for (const int count : hits)
        CHECK(std::abs(count - 10'000) < 400); // four standard deviations
    CHECK(rng.below(1) == 0);
    const std::uint64_t huge = (std::uint64_t{1} << 63) + 1; // half of all draws are rejected
    for (int i = 0; i < 100; ++i)
        CHECK(rng.below(huge) < huge);
    CHECK_THROWS_AS(rng.below(0), InternalError);
}

TEST_CASE("unit, chance and exponential have the specified distribution")
{
    Rng rng(7, "distributions");
    double sum = 0;
    double waits = 0;
    int wins = 0;
    constexpr int draws = 100'000;
    for (int i = 0; i < draws; ++i) {
        const double unit = rng.unit();
        REQUIRE(unit >= 0);
        REQUIRE(unit < 1);
        sum += unit;
        wins += rng.chance(0.3) ? 1 : 0;
        waits += rng.exponential(40);
    }
    CHECK_THAT(sum / draws, Catch::Matchers::WithinAbs(0.5, 0.005));
    CHECK_THAT(static_cast<double>(wins) / draws, Catch::Matchers::WithinAbs(0.3, 0.006));
    CHECK_THAT(waits / draws, Catch::Matchers::WithinRel(40.0, 0.02));
    CHECK_FALSE(rng.chance(0));
    CHECK(rng.chance(1));
    CHECK_THROWS_AS(rng.exponential(0), InternalError);
}
