// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/activity_batches.h"
#include "tests/support/catch.h"

#include <utility>

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;

namespace {

// Jobs of half a microsecond, one each microsecond.
ActivityBatch batchOf(Time from, Time until)
{
    ActivityBatch batch;
    for (Time at = from; at < until; at += 1us)
        batch.activities.emplace_back(0, at, at, at + 500ns);
    batch.firstStart = from;
    batch.lastEnd = until - 500ns;
    return batch;
}

} // namespace

TEST_CASE("batches are forgotten, filtered or kept whole, in their order")
{
    ActivityBatches batches;
    batches.add(batchOf(0us, 10us));
    batches.add(batchOf(10us, 20us));
    batches.add(batchOf(20us, 30us));
    batches.add(batchOf(30us, 40us));
    CHECK(batches.size() == 40);
    const std::vector<ActivityBatch> empty = batches.keepTouching({{18us, 32us}});
    REQUIRE(empty.size() == 3); // the memory of the first, and of those of which few jobs are left
    for (const ActivityBatch& batch : empty) {
        CHECK(batch.activities.empty());
        CHECK(batch.activities.capacity() >= 10);
        CHECK(batch.lastEnd < batch.firstStart);
    }
    CHECK(batches.size() == 2 + 10 + 2);
    const ActivityBatch all = batches.takeAll();
    REQUIRE(all.activities.size() == 14);
    for (std::size_t i = 0; i < all.activities.size(); ++i)
        CHECK(all.activities[i].start == 18us + static_cast<int>(i) * 1us);
    CHECK(batches.size() == 0);
}

TEST_CASE("a batch whose span touches a window is forgotten if none of its jobs does")
{
    ActivityBatches batches;
    batches.add(batchOf(0us, 10us));
    CHECK(batches.keepTouching({{5600ns, 5700ns}}).size() == 1); // between two jobs
    CHECK(batches.size() == 0);
    CHECK(batches.takeAll().activities.empty());
}
