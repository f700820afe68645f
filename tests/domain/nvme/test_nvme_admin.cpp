// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous events and features of an NVMe controller; test_nvme_controller.cpp has the admin commands themselves.
#include "models/host/nvme/nvme_events.h"
#include "models/host/nvme/nvme_features.h"
#include "tests/support/catch.h"

using namespace strobe::host::nvme;

TEST_CASE("an event waits for a request and a request for an event")
{
    AsyncEvents events;
    CHECK_FALSE(events.next());
    REQUIRE(events.request(5));
    CHECK_FALSE(events.next());
    events.raise(0x100);
    const auto report = events.next();
    REQUIRE(report);
    CHECK(report->id == 5);
    CHECK(report->event == 0x100);
    events.raise(0x101);
    events.logRead();
    CHECK_FALSE(events.next()); // no request
    REQUIRE(events.request(6));
    CHECK(events.next()->event == 0x101);
}

TEST_CASE("after an event was reported the next waits until the log is read")
{
    AsyncEvents events;
    events.request(1);
    events.request(2);
    events.raise(0x100);
    events.raise(0x101);
    REQUIRE(events.next());
    CHECK_FALSE(events.next());
    events.logRead();
    CHECK(events.next()->event == 0x101);
}

TEST_CASE("requests and events beyond their limits are rejected and lost")
{
    AsyncEvents events;
    for (std::uint16_t id = 0; id < AsyncEvents::requestLimit; ++id)
        CHECK(events.request(id));
    CHECK_FALSE(events.request(9));
    for (std::uint32_t i = 0; i < AsyncEvents::eventLimit + 2; ++i)
        events.raise(i);
    std::size_t reported = 0;
    while (events.next()) {
        events.logRead();
        events.request(7);
        ++reported;
    }
    CHECK(reported == AsyncEvents::eventLimit);
    events.request(8);
    events.reset();
    events.raise(1);
    CHECK_FALSE(events.next());
}

TEST_CASE("a feature takes effect in the part that it belongs to, and a reset restores the defaults")
{
    QueueManager queues({4, 64, 5, 0});
    Interrupts interrupts(5);
    Features features(queues, interrupts);
    const auto feature = [](Feature number, std::uint32_t value = 0) {
        Submission s;
        s.dword[10] = static_cast<std::uint32_t>(number);
        s.dword[11] = value;
        return s;
    };
    std::uint32_t result = 0;
    CHECK(features.isWriteCacheOn());
    CHECK(features.set(feature(Feature::VolatileWriteCache, 0), result) == Status::Success);
    CHECK_FALSE(features.isWriteCacheOn());
    CHECK(features.set(feature(Feature::NumberOfQueues, 1U << 16U | 1U), result) == Status::Success);
    CHECK(result == (1U << 16U | 1U));
    CHECK(queues.count() == result);
    CHECK(features.set(feature(Feature::InterruptVector, 1U << 16U | 3U), result) == Status::Success);
    CHECK(interrupts.isVectorCoalescingDisabled(3));
    CHECK(features.set(feature(Feature::InterruptVector, 5), result) == Status::InvalidField);
    CHECK(features.get(feature(Feature::Arbitration), result) == Status::Success);
    CHECK(result == defaultBurst);
    features.reset();
    CHECK(features.isWriteCacheOn());
}
