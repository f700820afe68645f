// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/slices.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;

TEST_CASE("slices become longer on a fast host and shorter on a slow one, within bounds")
{
    Slices slices;
    CHECK(slices.length() == 1ms);
    slices.ended(0.02, false);
    CHECK(slices.length() == 2ms);
    slices.ended(0.05, false);
    CHECK(slices.length() == 2ms);
    for (int i = 0; i < 40; ++i)
        slices.ended(0.01, false);
    CHECK(slices.length() == 10s);
    for (int i = 0; i < 40; ++i)
        slices.ended(0.2, false);
    CHECK(slices.length() == 10us);
    slices.restart();
    CHECK(slices.length() == 1ms);
}

TEST_CASE("before a functional phase, which begins at the end of a slice, the host's speed does not matter")
{
    Slices slow;
    Slices fast;
    for (int i = 0; i < 5; ++i) {
        slow.ended(7, true);
        fast.ended(0.001, true);
        CHECK(slow.length() == fast.length());
    }
    CHECK(fast.length() == 32ms);
}
