// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_queue_manager.h"
#include "tests/domain/host/nvme/raw_host.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::nvme;
using namespace strobe::test;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t pageBytes = 4096;
using Doorbell = QueueManager::Doorbell;

SubmissionEntry command(std::uint32_t dword10, std::uint32_t dword11 = 0, std::uint16_t id = 1)
{
    SubmissionEntry s;
    s.dword[0] = std::uint32_t{id} << 16U;
    s.setQuad(6, 0x10'0000);
    s.dword[10] = dword10;
    s.dword[11] = dword11;
    return s;
}

struct Queues {
    QueueManager manager{{4, 64, 5, 0}};

    Queues() { manager.openAdmin(0x1000, 8, 0x2000, 8); }
    // Pair 1; the completion queue has `cqEntries` entries and interrupts on vector 1.
    void createPair(std::uint32_t sqEntries, std::uint32_t cqEntries)
    {
        REQUIRE(manager.createCq(command((cqEntries - 1) << 16U | 1, 1U << 16U | 3), pageBytes) == NvmeStatus::Success);
        REQUIRE(manager.createSq(command((sqEntries - 1) << 16U | 1, 1U << 16U | 1), pageBytes) == NvmeStatus::Success);
    }
    Doorbell tail(std::uint32_t value) { return manager.ring(8, value).doorbell; }
    Doorbell head(std::uint32_t value) { return manager.ring(12, value).doorbell; }
};

} // namespace

TEST_CASE("a tail doorbell may add as many commands as the ring has free entries")
{
    Queues queues;
    queues.createPair(4, 4);
    CHECK(queues.tail(0) == Doorbell::InvalidValue); // adds nothing
    CHECK(queues.tail(4) == Doorbell::InvalidValue); // not in the ring
    CHECK(queues.tail(3) == Doorbell::SubmissionTail);
    CHECK(queues.tail(0) == Doorbell::InvalidValue); // full
    REQUIRE(queues.manager.nextIo(8));
    CHECK(queues.tail(0) == Doorbell::InvalidValue); // fetched, but not arrived
    queues.manager.arrived(1);
    CHECK(queues.tail(0) == Doorbell::SubmissionTail);
}

TEST_CASE("a head doorbell may take as many completions as were written")
{
    Queues queues;
    queues.createPair(8, 4);
    CHECK(queues.head(1) == Doorbell::InvalidValue);
    CompletionEntry completion;
    queues.manager.claimEntry(1, completion);
    CHECK(queues.head(2) == Doorbell::InvalidValue);
    CHECK(queues.head(1) == Doorbell::CompletionHead);
    CHECK(queues.manager.ring(16, 1).doorbell == Doorbell::NoSuchDoorbell);
    CHECK(queues.manager.ring(10, 1).doorbell == Doorbell::NoSuchDoorbell);
}

TEST_CASE("a fetch ends at the end of the ring and at the caller's limit")
{
    Queues queues;
    queues.createPair(16, 16);
    queues.tail(15);
    const auto first = queues.manager.nextIo(6); // burst of eight
    REQUIRE(first);
    CHECK(first->queue == 1);
    CHECK(first->commands == 6);
    CHECK(first->address == 0x10'0000);
    const auto second = queues.manager.nextIo(100);
    REQUIRE(second);
    CHECK(second->commands == 8);
    CHECK(second->address == 0x10'0000 + 6 * 64);
    for (int i = 0; i < 14; ++i)
        queues.manager.arrived(1);
    queues.tail(3); // one entry at the end, three at the beginning
    CHECK(queues.manager.nextIo(100)->commands == 2);
    CHECK(queues.manager.nextIo(100)->commands == 3);
    CHECK_FALSE(queues.manager.nextIo(100));
    CHECK(queues.manager.counters().fetches == 4);
    CHECK(queues.manager.counters().commands == 19);
}

TEST_CASE("the use of each queue is counted by kind of command, also when the queue has gone and come again")
{
    Queues queues;
    CHECK(queues.manager.use().empty());
    queues.createPair(8, 8);
    for (const IoOpcode opcode : {IoOpcode::Read, IoOpcode::Write, IoOpcode::WriteZeroes, IoOpcode::Flush})
        queues.manager.count(1, opcode);
    queues.manager.reset();
    REQUIRE(queues.manager.createCq(command(3U << 16U | 2, 2U << 16U | 1), pageBytes) == NvmeStatus::Success);
    REQUIRE(queues.manager.createSq(command(3U << 16U | 2, 2U << 16U | 1), pageBytes) == NvmeStatus::Success);
    const std::vector<QueueUse> use = queues.manager.use();
    REQUIRE(use.size() == 2);
    CHECK(use[0].queue == 1);
    CHECK(use[0].vector == 1U);
    CHECK(use[0].reads == 1);
    CHECK(use[0].writes == 2);
    CHECK(use[0].others == 1);
    CHECK(use[1].queue == 2);
    CHECK_FALSE(use[1].vector); // without interrupts
}

TEST_CASE("admin commands are fetched without a burst limit and not counted")
{
    Queues queues;
    queues.manager.ring(0, 7);
    const auto fetch = queues.manager.nextAdmin();
    REQUIRE(fetch);
    CHECK(fetch->commands == 7);
    CHECK(fetch->address == 0x1000);
    CHECK_FALSE(queues.manager.nextAdmin());
    CHECK(queues.manager.counters().commands == 0);
}

TEST_CASE("completion entries toggle their phase at the end of the ring")
{
    Queues queues;
    queues.createPair(16, 3);
    for (std::uint32_t i = 0; i < 7; ++i) {
        CompletionEntry completion;
        CHECK(queues.manager.claimEntry(1, completion) == 0x10'0000 + i % 3 * 16);
        CHECK(completion.phase() == (i / 3 % 2 == 0));
        queues.head((i + 1) % 3);
    }
}

TEST_CASE("completions that are held are returned in order once the host has taken entries")
{
    Queues queues;
    queues.createPair(16, 2);
    CompletionEntry completion;
    queues.manager.claimEntry(1, completion);
    CHECK(queues.manager.completionQueue(1).isFull());
    for (std::uint16_t id : {std::uint16_t{5}, std::uint16_t{6}}) {
        completion.commandId = id;
        queues.manager.hold(1, completion);
    }
    CHECK_FALSE(queues.manager.takeHeld(1));
    queues.head(1);
    const auto held = queues.manager.takeHeld(1);
    REQUIRE(held);
    CHECK(held->commandId == 5);
    queues.manager.claimEntry(1, completion);
    CHECK_FALSE(queues.manager.takeHeld(1)); // full again
}

TEST_CASE("only a completion that has arrived in memory causes an interrupt")
{
    Queues queues;
    queues.createPair(16, 4);
    CompletionEntry completion;
    queues.manager.claimEntry(1, completion);
    CHECK_FALSE(queues.manager.hasInterruptingEntry());
    queues.manager.entryArrived(1);
    CHECK(queues.manager.hasInterruptingEntry());
    queues.head(1);
    CHECK_FALSE(queues.manager.hasInterruptingEntry());
}

TEST_CASE("a submission queue with outstanding commands exists until the last is complete")
{
    Queues queues;
    queues.createPair(8, 8);
    queues.tail(3);
    REQUIRE(queues.manager.nextIo(2)->commands == 2);
    CHECK(queues.manager.deleteSq(command(1, 0, 9)) == NvmeStatus::Success);
    CHECK(queues.manager.hasSq(1));
    CHECK_FALSE(queues.manager.nextIo(8)); // the third command is dropped
    queues.manager.completed(1);
    CHECK_FALSE(queues.manager.takeDeletion(1));
    CHECK(queues.manager.deleteCq(command(1)) == NvmeStatus::InvalidQueueDeletion);
    queues.manager.completed(1);
    CHECK(queues.manager.takeDeletion(1) == std::uint16_t{9});
    CHECK_FALSE(queues.manager.hasSq(1));
    CHECK_FALSE(queues.manager.takeDeletion(1));
    CHECK(queues.manager.deleteCq(command(1)) == NvmeStatus::Success);
}

TEST_CASE("the number of queues is granted before the first queue exists, at most the available number")
{
    Queues queues;
    CHECK(queues.manager.count() == (3U << 16U | 3U));
    CHECK(queues.manager.setCount(9U << 16U | 9U) == NvmeStatus::Success);
    CHECK(queues.manager.count() == (3U << 16U | 3U));
    CHECK(queues.manager.setCount(1U << 16U | 0U) == NvmeStatus::Success);
    CHECK(queues.manager.count() == (1U << 16U | 1U));
    CHECK(queues.manager.createCq(command(7U << 16U | 3, 3), pageBytes) == NvmeStatus::InvalidQueueIdentifier);
    queues.createPair(8, 8);
    CHECK(queues.manager.setCount(0) == NvmeStatus::CommandSequenceError);
    queues.manager.reset();
    CHECK(queues.manager.count() == (3U << 16U | 3U));
    CHECK_FALSE(queues.manager.hasSq(0));
}

// --- through a controller -------------------------------------------------------------------------------------------

TEST_CASE("queues are created and deleted by the rules")
{
    RawHost host;
    host.enable();
    host.makeQueue(1, 8);
    const SubmissionEntry cq = host.createCq(1, 8, 1);
    const SubmissionEntry sq = host.createSq(1, 8, 1);
    const auto with = [](SubmissionEntry s, std::size_t dword, std::uint32_t value) {
        s.dword[dword] = value;
        return s;
    };
    CHECK(host.status(0, sq) == NvmeStatus::CompletionQueueInvalid); // there is none yet
    CHECK(host.status(0, with(cq, 10, 7U << 16U)) == NvmeStatus::InvalidQueueIdentifier);
    CHECK(host.status(0, with(cq, 10, 7U << 16U | 65)) == NvmeStatus::InvalidQueueIdentifier);
    CHECK(host.status(0, with(cq, 10, 0U << 16U | 1)) == NvmeStatus::InvalidQueueSize);
    CHECK(host.status(0, with(cq, 10, 4096U << 16U | 1)) == NvmeStatus::InvalidQueueSize);
    CHECK(host.status(0, with(cq, 11, 1U << 16U | 2)) == NvmeStatus::InvalidField); // not contiguous
    CHECK(host.status(0, with(cq, 11, 65U << 16U | 3)) == NvmeStatus::InvalidInterruptVector);
    CHECK(host.status(0, with(cq, 6, cq.dword[6] + 8)) == NvmeStatus::PrpOffsetInvalid);
    CHECK(host.status(0, cq) == NvmeStatus::Success);
    CHECK(host.status(0, cq) == NvmeStatus::InvalidQueueIdentifier); // twice
    CHECK(host.status(0, with(sq, 10, 0U << 16U | 1)) == NvmeStatus::InvalidQueueSize);
    CHECK(host.status(0, with(sq, 11, 0U << 16U | 1)) == NvmeStatus::CompletionQueueInvalid);
    CHECK(host.status(0, with(sq, 11, 1U << 16U)) == NvmeStatus::InvalidField);
    CHECK(host.status(0, with(sq, 6, sq.dword[6] + 8)) == NvmeStatus::PrpOffsetInvalid);
    CHECK(host.status(0, sq) == NvmeStatus::Success);
    CHECK(host.status(0, sq) == NvmeStatus::InvalidQueueIdentifier);

    SubmissionEntry remove = RawHost::make(AdminOpcode::DeleteCq);
    remove.dword[10] = 1;
    CHECK(host.status(0, remove) == NvmeStatus::InvalidQueueDeletion); // its submission queue is still there
    SubmissionEntry removeSq = RawHost::make(AdminOpcode::DeleteSq);
    removeSq.dword[10] = 1;
    CHECK(host.status(0, removeSq) == NvmeStatus::Success);
    CHECK(host.status(0, removeSq) == NvmeStatus::InvalidQueueIdentifier);
    CHECK(host.status(0, remove) == NvmeStatus::Success);
    CHECK(host.status(0, remove) == NvmeStatus::InvalidQueueIdentifier);
}

TEST_CASE("a queue is deleted when its last command is complete")
{
    RawHost host(slowDrive(100us));
    host.enable();
    host.createPair(1);
    host.put(1, RawHost::blocks(IoOpcode::Read, 0, 8));
    host.controller.writeRegister(reg::doorbells + 8, 4, 1, host.now);
    host.run(host.now + 10us);
    SubmissionEntry remove = RawHost::make(AdminOpcode::DeleteSq, 3);
    remove.dword[10] = 1;
    host.put(0, remove);
    host.controller.writeRegister(reg::doorbells, 4, host.queues[0].tail, host.now);
    host.run(host.now + 10us);
    CHECK(host.take(0).empty());
    host.run();
    CHECK(host.take(1).size() == 1);
    CHECK(host.take(0).size() == 1);
}

TEST_CASE("a full completion queue holds completions back until the host takes some")
{
    RawHost host;
    host.enable();
    host.makeQueue(1, 4);
    host.queues[1].entries = 4;
    REQUIRE(host.status(0, host.createCq(1, 4, 1)) == NvmeStatus::Success);
    RawHost::Queue& queue = host.queues[1];
    queue.sq = host.memory.allocate(16 * 64);
    REQUIRE(host.status(0, host.createSq(1, 16, 1)) == NvmeStatus::Success);
    for (std::uint16_t i = 0; i < 7; ++i) {
        const SubmissionEntry flush = RawHost::make(IoOpcode::Flush, i);
        host.memory.write(queue.sq + i * 64U, flush.dword.data(), 64);
    }
    host.write(reg::doorbells + 8, 7);
    CHECK(host.ssd.submitted.size() == 7);
    std::size_t taken = 0;
    for (const std::size_t wanted : {std::size_t{3}, std::size_t{3}, std::size_t{1}}) {
        const auto found = host.take(1);
        CHECK(found.size() == wanted);
        for (const CompletionEntry& completion : found)
            CHECK(completion.commandId == taken++);
        host.ringCq(1);
    }
    CHECK(host.controller.counters().heldBack == 4);
}

TEST_CASE("completions carry the head of the submission queue, and toggle their phase")
{
    RawHost host;
    host.enable();
    host.createPair(1, 4);
    for (std::uint32_t i = 1; i <= 10; ++i) {
        const CompletionEntry completion = host.execute(1, RawHost::make(IoOpcode::Flush, 7));
        CHECK(completion.sqHead == i % 4);
        CHECK(completion.sqId == 1);
        CHECK(completion.commandId == 7);
        CHECK(completion.phase() == ((i - 1) / 4 % 2 == 0));
    }
}

TEST_CASE("doorbells may be further apart")
{
    ControllerOptions config;
    config.doorbellStride = 2;
    RawHost host({}, config);
    CHECK((host.controller.readRegister(reg::CAP, 8) >> 32 & 0xF) == 2);
    host.enable();
    host.put(0, RawHost::make(AdminOpcode::Abort));
    host.write(reg::doorbells, 1);
    CHECK(host.take(0).size() == 1);
    host.write(reg::doorbells + 16, 1);
    host.put(0, RawHost::make(AdminOpcode::Abort));
    host.write(reg::doorbells, 2);
    CHECK(host.take(0).size() == 1);
}

TEST_CASE("contiguous entries are fetched by one read")
{
    RawHost host;
    host.enable();
    host.createPair(1, 16);
    for (std::uint16_t i = 0; i < 8; ++i)
        host.put(1, RawHost::make(IoOpcode::Flush, i));
    host.ringSq(1);
    CHECK(host.controller.counters().fetches == 1);
    CHECK(host.controller.counters().commands == 8);
    CHECK(host.take(1).size() == 8);
    host.ringCq(1);
    for (std::uint16_t i = 0; i < 12; ++i) // eight to the end of the ring, four from its beginning
        host.put(1, RawHost::make(IoOpcode::Flush, i));
    host.ringSq(1);
    CHECK(host.controller.counters().fetches == 3);
    CHECK(host.take(1).size() == 12);
}
