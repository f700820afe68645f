// SPDX-License-Identifier: Apache-2.0
#include "models/channel/channel_counters.h"
#include "tests/support/catch.h"

using namespace strobe::channel;

TEST_CASE("a channel is idle when nothing waits and nothing is in progress")
{
    ChannelCounters counters;
    CHECK(counters.isIdle());
    counters.submitted();
    CHECK_FALSE(counters.isIdle());
    counters.requested(1);
    counters.dieBegins();
    CHECK_FALSE(counters.isIdle());
    counters.dieEnds();
    CHECK(counters.isIdle());
    counters.planeReadBegins();
    CHECK_FALSE(counters.isIdle());
    counters.planeReadEnds();
    CHECK(counters.isIdle());
}

TEST_CASE("a reset keeps what waits and counts the rest from zero")
{
    ChannelCounters counters;
    for (int i = 0; i < 5; ++i)
        counters.submitted();
    counters.requested(3); // a train
    counters.finished();
    counters.suspended();
    CHECK(counters.queued() == 2);
    CHECK(counters.maxQueued() == 5);
    CHECK(counters.finishedOperations() == 1);
    counters.reset();
    CHECK(counters.queued() == 2);
    CHECK(counters.maxQueued() == 2);
    CHECK(counters.finishedOperations() == 0);
    CHECK(counters.suspensions() == 1);
    counters.submitted();
    CHECK(counters.maxQueued() == 3);
}
