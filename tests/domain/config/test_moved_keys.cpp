// SPDX-License-Identifier: Apache-2.0
#include "platform/config/moved_keys.h"
#include "tests/support/catch.h"

using namespace strobe::platform;

TEST_CASE("a key that has moved is named with its new place")
{
    CHECK(movedKey("/firmware/gc") == "firmware.gc is now firmware.pageMap.gc");
    CHECK(movedKey("/firmware/pageMap/care") == "firmware.pageMap.care is now firmware.pageMap.refresh");
    CHECK(movedKey("/firmware/pageMap/slcCache") == "firmware.pageMap.slcCache is now firmware.pageMap.pslcCache");
    CHECK(movedKey("/workload/phases/12/beside") ==
          "workload.phases.12.beside is now workload.phases.12.concurrentJobs");
}

TEST_CASE("other keys are not")
{
    CHECK(movedKey("/firmware/beside").empty());
    CHECK(movedKey("/workload/phases/x/beside").empty());
    CHECK(movedKey("/seed").empty());
    CHECK(movedKey("").empty());
}
