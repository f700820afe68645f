// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "models/cpu/cpu_clock.h"
#include "tests/support/catch.h"

using namespace strobe;
using strobe::cpu::CpuClock;
using namespace std::chrono_literals;

TEST_CASE("cycles take their exact time at the clock")
{
    CpuClock clock(200'000'000);
    CHECK(clock.advance(1) == 5ns);
    CHECK(clock.advance(220) == 1100ns);
    CHECK(clock.advance(0) == Time{});
}

TEST_CASE("a period that is not a whole picosecond does not drift")
{
    CpuClock clock(300'000'000);
    CHECK(clock.advance(1) == picoseconds(3'333));
    CHECK(clock.advance(1) == picoseconds(3'333));
    CHECK(clock.advance(1) == picoseconds(3'334));
    Time sum{};
    for (int i = 0; i < 3'000'000; ++i)
        sum += clock.advance(1);
    CHECK(sum == 10ms);
}

TEST_CASE("one long advance ends where many short ones do")
{
    CpuClock fast(9'999'999'967);
    CHECK(fast.advance(9'999'999'967ull * 3600) == 3600s);
    CpuClock slow(7);
    CHECK(slow.advance(7) == 1s);
}

TEST_CASE("a clock out of range is refused")
{
    CHECK_THROWS_AS(CpuClock(0), ConfigError);
    CHECK_THROWS_AS(CpuClock(CpuClock::maximumHz + 1), ConfigError);
    CHECK_NOTHROW(CpuClock(CpuClock::maximumHz));
}
