// SPDX-License-Identifier: Apache-2.0
//
// Transfers and completions that firmware orders, correct and incorrect.
#include "tests/domain/host/interface_bench.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
namespace reg = strobe::regs::host;

namespace {

constexpr std::uint32_t toHost = reg::XFER_START_to_host_mask;
constexpr std::uint32_t notify = reg::XFER_START_notify_mask;
constexpr std::uint32_t completes = reg::XFER_START_complete_mask;

} // namespace

TEST_CASE("a doorbell acts at the time of its write with the registers as they were then")
{
    InterfaceBench bench;
    bench.block.submit(readCommand(3, 16), 0us);
    bench.run(5us);
    bench.startTransfer(3 | toHost, 0, 8, bufferAt, 10us);
    bench.startTransfer(3 | toHost | completes, 8, 8, bufferAt + 4096, 12us); // written before the first one acts
    bench.run(9us);
    CHECK(bench.front.transfers.empty());
    bench.run(20us);
    REQUIRE(bench.front.transfers.size() == 2);
    CHECK(bench.front.transferTimes == std::vector<Time>{10us, 12us});
    CHECK(bench.front.transfers[0].first == 0);
    CHECK(bench.front.transfers[1].first == 8);
    CHECK(bench.front.transfers[1].toHost);
    CHECK(bench.faults.empty());
}

TEST_CASE("a transfer moves sectors between the buffer and the front")
{
    InterfaceBench bench;
    bench.block.submit(readCommand(0, 16), 0us);
    bench.block.submit({1, RequestKind::Write, false, 0, 16}, 0us);
    bench.run(5us);
    bench.memory.bytes[bufferAt + 512 * 3] = std::byte{0xAB};
    bench.startTransfer(0 | toHost, 8, 8, bufferAt, bench.now);
    bench.startTransfer(1, 0, 8, bufferAt + 0x8000, bench.now);
    bench.run(6us);
    std::vector<std::byte> sectors(512 * 2);
    const Content content{sectors.data(), DataMode::Bytes};
    CHECK(bench.block.accessBuffer(bench.front.transfers[0].handle, 3, 2, content, 6us) == 7us);
    CHECK(sectors[0] == std::byte{0xAB});
    bench.block.accessBuffer(bench.front.transfers[1].handle, 6, 2, content, 6us);
    CHECK(bench.memory.bytes[bufferAt + 0x8000 + 6 * 512] == std::byte{0xAB});
    CHECK(bench.memory.bursts.back().isWrite);
    CHECK(bench.memory.bursts.back().length == 1024);
}

TEST_CASE("the end of a transfer is an event, a completion, both or neither")
{
    InterfaceBench bench;
    for (std::uint16_t slot = 0; slot < 4; ++slot)
        bench.block.submit(readCommand(slot, 8), 0us);
    bench.run(10us);
    bench.startTransfer(0 | toHost, 0, 8, bufferAt, bench.now);
    bench.startTransfer(1 | toHost | notify, 0, 8, bufferAt, bench.now);
    bench.startTransfer(2 | toHost | completes, 0, 8, bufferAt, bench.now);
    bench.startTransfer(3 | toHost | notify | completes, 0, 8, bufferAt, bench.now);
    bench.run(11us);
    for (const TransferOrder& order : bench.front.transfers)
        bench.block.transferDone(order.handle, 11us);
    bench.run(20us);
    CHECK(bench.read(reg::RING_PRODUCER) == 4 + 2);
    CHECK(bench.memory.word(ringAt + 4 * 16) == (2 | 0x8000'0000));
    CHECK(bench.memory.word(ringAt + 4 * 16 + 4) == 1);
    CHECK(bench.memory.word(ringAt + 4 * 16 + 8) == 0xC00C1E);
    REQUIRE(bench.front.done.size() == 2);
    CHECK(bench.front.done[0].slot == 2);
    CHECK(bench.front.done[0].status == CommandStatus::Ok);
    CHECK(bench.front.done[1].slot == 3);
    CHECK(bench.block.activeSlots() == 2);
}

TEST_CASE("firmware completes a command with a status")
{
    InterfaceBench bench;
    bench.block.submit(readCommand(7, 8), 0us);
    bench.run(5us);
    bench.write(reg::COMPLETE, 7 | 1 << 16);
    bench.run(6us);
    REQUIRE(bench.front.done.size() == 1);
    CHECK(bench.front.done[0].status == CommandStatus::Uncorrectable);
    CHECK(bench.front.done[0].at == 5us);
    CHECK(bench.faults.empty());
}

TEST_CASE("wrong transfers are counted, named and ignored")
{
    struct Row {
        std::uint32_t start, first, count, buffer;
        const char* text;
    };
    const Row row = GENERATE(
        Row{9 | toHost, 0, 8, bufferAt, "XFER_START of slot 9: the slot holds no command"},
        Row{40 | toHost, 0, 8, bufferAt, "XFER_START of slot 40: the slot holds no command"},
        Row{0, 0, 8, bufferAt, "XFER_START of slot 0: from the host does not suit a read command"},
        Row{1 | toHost, 0, 8, bufferAt, "XFER_START of slot 1: to the host does not suit a write command"},
        Row{2 | toHost, 0, 8, bufferAt, "XFER_START of slot 2: to the host does not suit a flush command"},
        Row{0 | toHost, 9, 8, bufferAt, "XFER_START of slot 0: sectors 9 to 16 of a command of 16"},
        Row{0 | toHost, 0, 8, bufferAt + 4, "XFER_START of slot 0: the buffer address 65540 is not a multiple of 512"},
        Row{0 | toHost, 0, 8, recordsAt, "XFER_START of slot 0: 8 sectors at address 4096 leave the data buffer"},
        Row{0 | toHost, 0, 8, bufferAt + bufferBytes - 512,
            "XFER_START of slot 0: 8 sectors at address 130560 leave the data buffer"});
    InterfaceBench bench;
    bench.block.submit(readCommand(0, 16), 0us);
    bench.block.submit({1, RequestKind::Write, false, 0, 16}, 0us);
    bench.block.submit({2, RequestKind::Flush, false, 0, 0}, 0us);
    bench.run(10us);
    bench.startTransfer(row.start, row.first, row.count, row.buffer, bench.now);
    bench.run(11us);
    CHECK(bench.faults == std::vector<std::string>{row.text});
    CHECK(bench.block.counters().faults == 1);
    CHECK(bench.front.transfers.empty());
}

TEST_CASE("wrong completions are counted, named and ignored")
{
    InterfaceBench bench;
    bench.block.submit(readCommand(0, 8), 0us);
    bench.block.submit(readCommand(1, 8), 0us);
    bench.block.submit(readCommand(2, 8), 0us);
    bench.run(10us);
    bench.startTransfer(0 | toHost, 0, 8, bufferAt, bench.now);
    bench.startTransfer(1 | toHost | completes, 0, 8, bufferAt, bench.now);
    bench.startTransfer(1 | toHost, 0, 8, bufferAt, bench.now);
    bench.write(reg::COMPLETE, 0);
    bench.write(reg::COMPLETE, 1);
    bench.write(reg::COMPLETE, 9);
    bench.write(reg::COMPLETE, 2 | 99 << 16);
    bench.run(11us);
    CHECK(bench.faults ==
          std::vector<std::string>{"XFER_START of slot 1: the slot's last transfer completes it already",
                                   "COMPLETE of slot 0: 1 transfer(s) of the slot are still in progress",
                                   "COMPLETE of slot 1: the slot's last transfer completes it already",
                                   "COMPLETE of slot 9: the slot holds no command",
                                   "COMPLETE of slot 2: there is no status 99"});
    CHECK(bench.front.done.empty());
    for (const TransferOrder& order : bench.front.transfers)
        bench.block.transferDone(order.handle, 12us);
    bench.write(reg::COMPLETE, 0);
    bench.write(reg::COMPLETE, 0); // twice
    bench.run(13us);
    CHECK(bench.front.done.size() == 2);
    CHECK(bench.faults.back() == "COMPLETE of slot 0: the slot holds no command");
}

TEST_CASE("completing with sectors missing is a fault, and happens")
{
    InterfaceBench bench;
    bench.block.submit(readCommand(0, 8), 0us);
    bench.run(10us);
    bench.write(reg::COMPLETE, 0);
    bench.run(11us);
    CHECK(bench.faults == std::vector<std::string>{"COMPLETE of slot 0: ok, but 0 of 8 sectors were transferred"});
    CHECK(bench.front.done.size() == 1);
}
