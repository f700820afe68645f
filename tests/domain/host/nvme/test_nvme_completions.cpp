// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/host/nvme/parts.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host::nvme;
using namespace strobe::test;
using namespace std::chrono_literals;

TEST_CASE("a completion carries the command's identifier, status and the head of its queue")
{
    Parts parts;
    parts.fetchAdmin(2);
    parts.completions.finish(0, 41, NvmeStatus::Success, 7, {});
    parts.completions.finish(0, 42, NvmeStatus::InvalidField, 0, {});
    parts.run();
    CHECK(parts.completion(0).commandId == 41);
    CHECK(parts.completion(0).result == 7);
    CHECK(parts.completion(0).sqHead == 2);
    CHECK(parts.completion(0).status() == NvmeStatus::Success);
    CHECK(parts.completion(1).status() == NvmeStatus::InvalidField);
    CHECK(parts.completion(1).doNotRetry());
}

TEST_CASE("Do Not Retry is clear where other commands can make the same one succeed")
{
    for (const NvmeStatus status : {NvmeStatus::AsyncEventLimitExceeded, NvmeStatus::InvalidQueueDeletion,
                                    NvmeStatus::CompareFailure, NvmeStatus::UnrecoveredReadError}) {
        Parts parts;
        parts.fetchAdmin(1);
        parts.completions.finish(0, 42, status, 0, {});
        parts.run();
        CHECK(parts.completion(0).status() == status);
        CHECK_FALSE(parts.completion(0).doNotRetry());
    }
}

TEST_CASE("errors are counted and logged, the latest first, and the oldest is lost")
{
    Parts parts;
    parts.fetchAdmin(6);
    parts.completions.finish(0, 1, NvmeStatus::Success, 0, {});
    for (std::uint16_t id = 2; id <= 6; ++id)
        parts.completions.finish(0, id, NvmeStatus::InvalidField, 0, {});
    const ErrorLog& log = parts.completions.errorLog();
    CHECK(parts.completions.counters().errors == 5);
    CHECK(log.count() == 5);
    for (std::size_t i = 0; i < ErrorLog::size; ++i) {
        CHECK(log.entries()[i].id == 6 - i);
        CHECK(log.entries()[i].count == 5 - i);
    }
}

TEST_CASE("completions wait while their queue is full")
{
    Parts parts;
    const std::uint64_t small = parts.memory.allocate(4096);
    REQUIRE(parts.queues.createCq(Parts::create(1, 2, 1, small), Parts::pageBytes) == NvmeStatus::Success);
    REQUIRE(parts.queues.createSq(Parts::create(1, 8, 1U << 16U | 1, parts.sq), Parts::pageBytes) ==
            NvmeStatus::Success);
    parts.queues.ring(8, 3);
    REQUIRE(parts.queues.nextIo(8)->commands == 3);
    for (std::uint16_t id = 1; id <= 3; ++id)
        parts.completions.finish(1, id, NvmeStatus::Success, 0, {});
    CHECK(parts.completions.counters().heldBack == 2);
    parts.run();
    CHECK(parts.arrivals.size() == 1);
    parts.queues.ring(12, 1);
    parts.completions.postHeld(1, parts.now);
    parts.run();
    CHECK(parts.arrivals.size() == 2); // one entry was free
}

TEST_CASE("the last command of a queue that is being deleted completes the deletion too")
{
    Parts parts;
    const std::uint64_t memory = parts.memory.allocate(4096);
    REQUIRE(parts.queues.createCq(Parts::create(1, 8, 1, memory), Parts::pageBytes) == NvmeStatus::Success);
    REQUIRE(parts.queues.createSq(Parts::create(1, 8, 1U << 16U | 1, memory), Parts::pageBytes) == NvmeStatus::Success);
    parts.queues.ring(8, 1);
    REQUIRE(parts.queues.nextIo(8));
    parts.fetchAdmin();
    SubmissionEntry remove;
    remove.dword[0] = 33U << 16U;
    remove.dword[10] = 1;
    REQUIRE(parts.queues.deleteSq(remove) == NvmeStatus::Success);
    parts.completions.finish(1, 5, NvmeStatus::Success, 0, {});
    parts.run();
    CHECK(parts.arrivals.size() == 2);
    CHECK(parts.completion(0).commandId == 33);
    CHECK_FALSE(parts.queues.hasSq(1));
}

TEST_CASE("a completion sends the message of its vector, a coalesced one later")
{
    Parts parts;
    std::vector<std::uint32_t> messages;
    parts.port.onMessage([&](std::uint64_t, std::uint32_t data, Time) { messages.push_back(data); });
    for (std::uint32_t vector = 0; vector < 2; ++vector) {
        parts.interrupts.writeTable(vector * 16, 0xFEE0'0000);
        parts.interrupts.writeTable(vector * 16 + 8, 50 + vector);
        parts.interrupts.writeTable(vector * 16 + 12, 0);
    }
    parts.interrupts.setMsix(true, false);
    parts.interrupts.setCoalescing(3, 100us);
    const std::uint64_t memory = parts.memory.allocate(4096);
    REQUIRE(parts.queues.createCq(Parts::create(1, 8, 1U << 16U | 3, memory), Parts::pageBytes) == NvmeStatus::Success);
    REQUIRE(parts.queues.createSq(Parts::create(1, 8, 1U << 16U | 1, memory), Parts::pageBytes) == NvmeStatus::Success);
    parts.queues.ring(8, 1);
    REQUIRE(parts.queues.nextIo(8));
    parts.fetchAdmin();
    parts.completions.finish(0, 1, NvmeStatus::Success, 0, {});
    parts.completions.finish(1, 1, NvmeStatus::Success, 0, {});
    parts.run();
    CHECK(messages == std::vector<std::uint32_t>{50});
    REQUIRE(parts.interrupts.nextTime() == 100us);
    parts.completions.advance(100us);
    parts.run();
    CHECK(messages == std::vector<std::uint32_t>{50, 51});
    CHECK(parts.completions.counters().messages == 2);
}
