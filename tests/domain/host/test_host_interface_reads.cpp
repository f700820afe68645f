// SPDX-License-Identifier: Apache-2.0
//
// Reads that a host interface serves without firmware: sectors directly from flash, and the request synthesizer.
#include "tests/domain/host/interface_bench.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
namespace reg = strobe::regs::host;

TEST_CASE("sectors directly from flash are a separate transfer, taken from where they are held")
{
    InterfaceBench bench;
    std::vector<std::uint32_t> tokens;
    bench.block.onDelivered([&](std::uint32_t token) { tokens.push_back(token); });
    bench.block.submit(readCommand(2, 8), 0us);
    bench.run(10us);
    const std::size_t bursts = bench.memory.bursts.size();
    std::vector<std::byte> held(4 * sectorBytes, std::byte{0x5A});
    const Content content{held.data(), DataMode::Bytes};
    CHECK(bench.block.deliver({2, 0, 4, false, content, 7}, bench.now));
    CHECK(bench.block.deliver({2, 4, 4, true, content, 8}, bench.now));
    REQUIRE(bench.front.transfers.size() == 2);
    CHECK(bench.front.transfers[1].first == 4);
    CHECK(bench.front.transfers[1].toHost);
    std::vector<std::byte> taken(sectorBytes);
    CHECK(bench.block.accessBuffer(bench.front.transfers[0].handle, 3, 1, {taken.data(), DataMode::Bytes}, 11us) ==
          11us);
    CHECK(taken[511] == std::byte{0x5A});
    bench.block.transferDone(bench.front.transfers[0].handle, 12us);
    bench.run(12us);
    CHECK(tokens == std::vector<std::uint32_t>{7});
    CHECK(bench.front.done.empty());
    bench.block.transferDone(bench.front.transfers[1].handle, 13us);
    bench.run(13us);
    CHECK(tokens == std::vector<std::uint32_t>{7, 8});
    REQUIRE(bench.front.done.size() == 1);
    CHECK(bench.front.done[0].slot == 2);
    CHECK(bench.faults.empty());
    CHECK(bench.memory.bursts.size() == bursts); // the data buffer is not asked
}

TEST_CASE("sectors from flash without a matching command are refused and are a fault of firmware")
{
    InterfaceBench bench;
    bench.block.submit(readCommand(2, 8), 0us);
    bench.block.submit({3, RequestKind::Write, false, 0, 8}, 0us);
    bench.run(10us);
    CHECK_FALSE(bench.block.deliver({1, 0, 4, false, {}, 0}, bench.now)); // no command
    CHECK_FALSE(bench.block.deliver({2, 6, 4, false, {}, 0}, bench.now)); // beyond it
    CHECK_FALSE(bench.block.deliver({3, 0, 4, false, {}, 0}, bench.now)); // a write
    CHECK(bench.front.transfers.empty());
    REQUIRE(bench.faults.size() == 3);
    CHECK(bench.faults[1].find("sectors 6 to 9 of a command of 8") != std::string::npos);
}

TEST_CASE("a read with missing sectors stays open even if the last of them completes it")
{
    InterfaceBench bench;
    bench.block.onDelivered([](std::uint32_t) {});
    bench.block.submit(readCommand(2, 8), 0us);
    bench.run(10us);
    CHECK(bench.block.deliver({2, 4, 4, true, {}, 0}, bench.now));
    bench.block.transferDone(bench.front.transfers.at(0).handle, 12us);
    bench.run(12us);
    CHECK(bench.front.done.empty());
    bench.write(reg::COMPLETE, 2 | 1 << reg::COMPLETE_status_shift);
    bench.run(13us);
    REQUIRE(bench.front.done.size() == 1);
    CHECK(bench.front.done[0].status == CommandStatus::Uncorrectable);
    CHECK(bench.faults.empty());
}

TEST_CASE("a read taken by the synthesizer makes no event; it is handed back as one, or fails")
{
    struct Taker : ReadReceiver {
        std::vector<std::uint16_t> slots;
        bool takeRead(const Command& command, Time) override
        {
            slots.push_back(command.slot);
            return command.slot != 9;
        }
    } taker;
    InterfaceBench bench;
    bench.block.connectReads(taker);
    bench.block.submit(readCommand(2, 8), 0us);
    bench.block.submit(readCommand(3, 8), 0us);
    bench.block.submit({4, RequestKind::Write, false, 0, 8}, 0us);
    bench.block.submit(readCommand(9, 8), 0us);
    bench.run(10us);
    CHECK(taker.slots == std::vector<std::uint16_t>{2, 3, 9});
    CHECK(bench.read(reg::RING_PRODUCER) == 2); // the write, and the read that was not taken
    bench.block.handBack(2, bench.now);
    bench.block.fail(3, bench.now);
    bench.run(20us);
    CHECK(bench.read(reg::RING_PRODUCER) == 3);
    CHECK(bench.memory.word(ringAt + 2 * 16 + 4) == 2);
    REQUIRE(bench.front.done.size() == 1);
    CHECK(bench.front.done[0].slot == 3);
    CHECK(bench.front.done[0].status == CommandStatus::Uncorrectable);
}
