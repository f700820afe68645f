// SPDX-License-Identifier: Apache-2.0
#include "models/base/stats.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace std::chrono_literals;

TEST_CASE("a statistic is read when asked, not when declared")
{
    std::uint64_t reads = 0;
    Time busy{};
    Stats stats;
    stats.add("reads", Unit::Count, "pages read", reads);
    stats.add("busy", "time in use", busy);
    reads = 3;
    busy = 2us;
    REQUIRE(stats.entries().size() == 2);
    CHECK(stats.entries()[0].value() == 3);
    CHECK(stats.entries()[0].name == "reads");
    CHECK(stats.entries()[0].unit == Unit::Count);
    CHECK(stats.entries()[1].value() == 2'000'000);
    CHECK(stats.entries()[1].unit == Unit::Picoseconds);
    CHECK(stats.entries()[1].description == "time in use");
}

TEST_CASE("units have their texts")
{
    CHECK(std::string(toText(Unit::Count)) == "count");
    CHECK(std::string(toText(Unit::Bytes)) == "bytes");
    CHECK(std::string(toText(Unit::Sectors)) == "sectors");
    CHECK(std::string(toText(Unit::Picoseconds)) == "ps");
}
