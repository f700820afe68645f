// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/permutation.h"
#include "tests/support/catch.h"

#include <vector>

using namespace strobe::host;

TEST_CASE("a permutation reaches every value once")
{
    const std::uint64_t size = GENERATE(1U, 2U, 3U, 64U, 65U, 1000U, 4099U);
    const Permutation shuffle(size, 7);
    std::vector<bool> seen(size);
    for (std::uint64_t i = 0; i < size; ++i) {
        const std::uint64_t value = shuffle(i);
        REQUIRE(value < size);
        REQUIRE_FALSE(seen[value]);
        seen[value] = true;
    }
}

TEST_CASE("a permutation spreads the first values over the whole range, differently for each seed")
{
    constexpr std::uint64_t size = 1'000'000;
    std::vector<int> tenth(10);
    const Permutation shuffle(size, 7);
    const Permutation other(size, 8);
    int equal = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        ++tenth[shuffle(i) / (size / 10)];
        equal += shuffle(i) == other(i) ? 1 : 0;
    }
    for (const int count : tenth)
        CHECK((count > 60 && count < 140));
    CHECK(equal < 10);
}
