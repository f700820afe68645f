// SPDX-License-Identifier: Apache-2.0
#include "models/base/response_times.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace std::chrono_literals;

TEST_CASE("the longest response is kept with its begin, the first of equal ones")
{
    ResponseTimes times;
    CHECK(times.mean() == Time{});
    CHECK(times.note(10us, 10us));
    CHECK(times.note(20us, 25us));
    CHECK_FALSE(times.note(30us, 32us));
    CHECK_FALSE(times.note(40us, 45us));
    CHECK_FALSE(times.note(60us, 50us)); // no time
    CHECK(times.times == 5);
    CHECK(times.took == 12us);
    CHECK(times.longest == 5us);
    CHECK(times.longestFrom == 20us);
    CHECK(times.mean() == 2400ns);
}

TEST_CASE("of two parts the longer one tells where the longest was")
{
    ResponseTimes sum;
    CHECK_FALSE(sum.merge({}));
    CHECK(sum.merge({2, 3us, 2us, 7us, 0x10}));
    CHECK_FALSE(sum.merge({1, 2us, 2us, 9us, 0x20}));
    CHECK(sum.pc == 0x10u);
    CHECK(sum.merge({1, 3us, 3us, 11us, 0x30}));
    CHECK(sum.times == 4);
    CHECK(sum.took == 8us);
    CHECK(sum.longest == 3us);
    CHECK(sum.longestFrom == 11us);
    CHECK(sum.pc == 0x30u);
}
