// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_commands.h"
#include "tests/support/catch.h"

using namespace strobe::host::nvme;

TEST_CASE("a queue pair visits its entries in turn and expects the other phase in each round")
{
    QueuePair pair{2, 3, 0x1000, 0x8000};
    CompletionEntry completion;
    completion.statusAndPhase = 1;
    for (const bool phase : {true, false, true}) {
        for (const std::uint32_t entry : {0U, 1U, 2U}) {
            CHECK(pair.submission() == 0x1000 + entry * 64);
            CHECK(pair.completion() == 0x8000 + entry * 16);
            CHECK(pair.isNew(completion) == phase);
            pair.advanceTail();
            pair.advanceHead();
            CHECK(pair.sqTail == (entry + 1) % 3);
            CHECK(pair.cqHead == (entry + 1) % 3);
        }
    }
}

TEST_CASE("a queue pair's doorbells follow the stride")
{
    const QueuePair admin{0, 16, 0, 0};
    const QueuePair third{3, 16, 0, 0};
    CHECK(admin.tailDoorbell() == 0x1000);
    CHECK(admin.headDoorbell() == 0x1004);
    CHECK(third.tailDoorbell() == 0x1018);
    CHECK(third.headDoorbell() == 0x101C);
    CHECK(third.tailDoorbell(2) == 0x1060);
    CHECK(third.headDoorbell(2) == 0x1070);
}

TEST_CASE("commands have their parameters in the dwords of the specification")
{
    const QueuePair pair{5, 64, 0x1'2345'6000, 0x7'8000'1000};
    const SubmissionEntry cq = createCompletionQueue(pair, 9);
    CHECK(cq.opcode() == 0x05);
    CHECK(cq.prp1() == pair.cq);
    CHECK(cq.dword[10] == (63U << 16U | 5U));
    CHECK(cq.dword[11] == (9U << 16U | 3U)); // interrupts, contiguous
    const SubmissionEntry sq = createSubmissionQueue(pair, QueuePriority::Medium);
    CHECK(sq.opcode() == 0x01);
    CHECK(sq.prp1() == pair.sq);
    CHECK(sq.dword[10] == (63U << 16U | 5U));
    CHECK(sq.dword[11] == (5U << 16U | 2U << 1U | 1U)); // completion queue, priority, contiguous
    const SubmissionEntry identified = identify(identifyActiveNamespaces, 7, 0x3000);
    CHECK(identified.opcode() == 0x06);
    CHECK(identified.namespaceId() == 7);
    CHECK(identified.prp1() == 0x3000);
    CHECK(identified.dword[10] == 2);
    const SubmissionEntry write = transfer(IoOpcode::Write, 1, 0x12'3456'789A, 8, 0xFFFF'F000'0000);
    CHECK(write.opcode() == 0x01);
    CHECK(write.namespaceId() == 1);
    CHECK(write.prp1() == 0xFFFF'F000'0000);
    CHECK(write.prp2() == 0);
    CHECK(write.quad(10) == 0x12'3456'789A);
    CHECK(write.dword[12] == 7); // counts from zero
}
