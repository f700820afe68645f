// SPDX-License-Identifier: Apache-2.0
#include "models/host/queue_use.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;

TEST_CASE("the use of queues is added over power cycles, by queue, with the vectors of the last")
{
    std::vector<QueueUse> sums;
    addQueues(sums, {{1, 1, 10, 2, 1, 12}, {3, std::nullopt, 5, 0, 0, 0}});
    addQueues(sums, {{3, 7, 1, 1, 1, 3}, {2, 2, 0, 4, 0, 4}});
    REQUIRE(sums.size() == 3);
    CHECK(sums[0].queue == 1);
    CHECK(sums[0].reads == 10);
    CHECK(sums[0].messages == 12);
    CHECK(sums[1].queue == 3);
    CHECK(sums[1].vector == 7U);
    CHECK(sums[1].reads == 6);
    CHECK(sums[1].writes == 1);
    CHECK(sums[1].others == 1);
    CHECK(sums[1].messages == 3);
    CHECK(sums[2].writes == 4);
}
