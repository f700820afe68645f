// SPDX-License-Identifier: Apache-2.0
#include "models/base/time.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace std::chrono_literals;

TEST_CASE("a transfer takes bytes over rate, rounded up to a picosecond")
{
    CHECK(transferTime(4096, 300'000'000) == picoseconds(13'653'334));
    CHECK(transferTime(0, 1) == Time{});
    CHECK(transferTime(40, 40'000'000) == 1us);
}

TEST_CASE("times print in their largest fitting unit")
{
    CHECK(toText(25us) == "25 us");
    CHECK(toText(picoseconds(19'814)) == "19.814 ns");
    CHECK(toText(Time{}) == "0 ps");
}

TEST_CASE("scaling multiplies first, rounds up, and does not overflow on the way")
{
    CHECK(scaled(picoseconds(10), 1, 3) == picoseconds(4));
    CHECK(scaled(picoseconds(9), 1, 3) == picoseconds(3));
    CHECK(scaled(std::chrono::hours(24), 1'000'000'007, 1'000'000'007) == std::chrono::hours(24));
    CHECK(scaled(1s, 2, 3) == picoseconds(666'666'666'667));
}

TEST_CASE("a transfer of petabytes does not overflow on the way")
{
    CHECK(transferTime(std::uint64_t{1} << 50, std::uint64_t{1} << 50) == 1s);
}

TEST_CASE("literals convert exactly and a time below zero keeps its unit")
{
    CHECK(Time{25us} == picoseconds(25'000'000));
    CHECK(toText(-1500us) == "-1.5 ms");
    CHECK(toText(picoseconds(999)) == "999 ps");
    CHECK(toText(1s) == "1 s");
}
