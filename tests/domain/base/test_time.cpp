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
