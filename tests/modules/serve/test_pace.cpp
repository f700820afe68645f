// SPDX-License-Identifier: Apache-2.0
#include "platform/serve/pace.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace std::chrono_literals;
using strobe::platform::serve::Pace;

TEST_CASE("simulated time follows the clock, slower by the factor")
{
    const Pace pace(50, Time{3ms}, 10s);
    CHECK(pace.target(10s) == 3ms);
    CHECK(pace.target(11s) == 23ms);
    CHECK(pace.until(23ms, 10500ms) == 500ms);
    CHECK(pace.until(1ms, 10500ms) == 0ns);
}

TEST_CASE("a drive that is behind catches up unless it is too far")
{
    Pace pace(10, Time{}, 0s);
    pace.came(99ms, 1s); // 1 ms behind: 10 ms of the clock
    CHECK(pace.mostBehind() == 1ms);
    CHECK(pace.lost() == 0ms);
    CHECK(pace.target(1s) == 100ms);
    pace.came(150ms, 2s); // 50 ms behind: half a second of the clock
    CHECK(pace.lost() == 50ms);
    CHECK(pace.target(2s) == 150ms);
    CHECK(pace.target(3s) == 250ms);
}
