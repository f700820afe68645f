// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/recovery_watch.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;

TEST_CASE("a recovery goes on as long as it uses the flash")
{
    RecoveryWatch watch(100, false);
    CHECK(watch.goesOn(50, 10s, 10s));
    CHECK(watch.goesOn(51, 20s, 10s));
    CHECK_FALSE(watch.goesOn(51, 30s, 10s));
}

TEST_CASE("a recovery that uses the flash without end has stalled")
{
    RecoveryWatch watch(100, false);
    CHECK(watch.goesOn(1000, 10s, 10s));
    CHECK_FALSE(watch.goesOn(1001, 20s, 10s)); // ten uses of each page
    RecoveryWatch slow(1'000'000, false);
    CHECK(slow.goesOn(1, 999s, 10s));
    CHECK_FALSE(slow.goesOn(2, 1000s, 10s));
}

TEST_CASE("a new drive does not recover")
{
    RecoveryWatch watch(100, true);
    CHECK_FALSE(watch.goesOn(50, 10s, 10s));
}
