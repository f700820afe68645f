// SPDX-License-Identifier: Apache-2.0
#include "models/base/activity_log.h"
#include "models/base/resource.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace std::chrono_literals;

TEST_CASE("jobs are served one at a time in order of arrival")
{
    Resource resource;
    CHECK(resource.reserve(1us, 4us) == 5us);   // free: starts at once
    CHECK(resource.reserve(2us, 1us) == 6us);   // waits 3 us
    CHECK(resource.reserve(6us, 1us) == 7us);   // arrives as it becomes free: no wait
    CHECK(resource.reserve(10us, 0us) == 10us); // idle gap
    CHECK(resource.freeAt() == 10us);
    CHECK(resource.usage().busy == 6us);
    CHECK(resource.usage().waited == 3us);
    CHECK(resource.usage().maxWaited == 3us);
    CHECK(resource.usage().jobs == 4);
}

TEST_CASE("the longest wait is kept and usage can be started again without freeing the resource")
{
    Resource resource;
    resource.reserve(0us, 10us);
    resource.reserve(1us, 10us);
    resource.reserve(2us, 10us);
    CHECK(resource.usage().waited == 9us + 18us);
    CHECK(resource.usage().maxWaited == 18us);
    resource.resetUsage();
    CHECK(resource.usage().jobs == 0);
    CHECK(resource.freeAt() == 30us);
}

TEST_CASE("usage may start again with the job that holds the resource, which is not reported again")
{
    ActivityLog log(0us, 1s, 10);
    Resource resource;
    resource.watch(log, log.lane({"bus", ResourceGroup::Sdram, {}}));
    resource.reserve(0us, 10us);
    resource.resetUsageAt(4us);
    CHECK(resource.usage().busy == 6us);
    CHECK(resource.usage().jobs == 1);
    CHECK(log.activities().size() == 1);
    resource.resetUsageAt(10us);
    CHECK(resource.usage().busy == 0us);
    CHECK(resource.usage().jobs == 0);
}

TEST_CASE("the owner of a queue accounts jobs and holds the resource itself")
{
    Resource resource;
    resource.account(1us, 3us, 5us);
    CHECK(resource.usage().busy == 5us);
    CHECK(resource.usage().waited == 2us);
    CHECK(resource.freeAt() == 0us);
    resource.holdUntil(8us);
    resource.holdUntil(4us); // never shortens
    CHECK(resource.freeAt() == 8us);
}

TEST_CASE("the longest queue of reserved jobs follows from their times")
{
    Resource resource;
    resource.reserve(0us, 10us);
    CHECK(resource.usage().maxQueue == 0); // it is served at once
    resource.reserve(1us, 10us);           // waits until 10
    resource.reserve(2us, 10us);           // until 20
    CHECK(resource.usage().maxQueue == 2);
    resource.reserve(20us, 10us); // until 30; the first two have begun
    CHECK(resource.usage().maxQueue == 2);
    resource.reserve(20us, 10us);
    resource.reserve(20us, 10us);
    CHECK(resource.usage().maxQueue == 3);
    resource.resetUsage();
    CHECK(resource.usage().maxQueue == 0);
    resource.reserve(21us, 1us); // three still wait
    CHECK(resource.usage().maxQueue == 4);
}

TEST_CASE("a watched resource reports its jobs with their arrival, start and end")
{
    ActivityLog log(0us, 1s, 100);
    Resource free;
    Resource path;
    path.watch(log, log.lane({"path", ResourceGroup::Sdram, {}}));
    free.reserve(0us, 1us);
    path.reserve(1us, 4us);
    path.reserve(2us, 1us);
    REQUIRE(log.activities().size() == 2);
    const Activity& second = log.activities().back();
    CHECK(log.lanes().at(second.lane).name == "path");
    CHECK(second.arrived == 2us);
    CHECK(second.start == 5us);
    CHECK(second.end == 6us);
}
