// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/host/interface_bench.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
namespace reg = strobe::regs::host;

TEST_CASE("the inbound feeder fetches writes into the circular buffer, and firmware gets an event for each piece")
{
    InterfaceBench bench;
    bench.write(reg::FEED_BASE, bufferAt + 512);
    bench.write(reg::FEED_PIECE, 6);
    bench.write(reg::FEED_SECTORS, 16);
    bench.block.submit({4, RequestKind::Write, false, 100, 10}, 0us);
    bench.block.submit({5, RequestKind::Write, false, 200, 8}, 0us);
    bench.block.submit(readCommand(6, 8), 0us);
    bench.run(10us);
    CHECK(bench.read(reg::RING_PRODUCER) == 1); // the read; the writes are being fetched
    // 6 and 4 sectors of slot 4, 6 of slot 5 up to the end of the buffer; the rest waits for room
    REQUIRE(bench.front.transfers.size() == 3);
    CHECK_FALSE(bench.front.transfers[0].toHost);
    CHECK(bench.front.transfers[1].first == 6);
    CHECK(bench.front.transfers[1].sectors == 4);
    CHECK(bench.front.transfers[2].slot == 5);
    CHECK(bench.read(reg::FEED_TAKEN) == 16);
    std::vector<std::byte> data(sectorBytes, std::byte{0x77});
    bench.block.accessBuffer(bench.front.transfers[1].handle, 1, 1, {data.data(), DataMode::Bytes}, 11us);
    CHECK(bench.memory.bytes[bufferAt + 512 * (1 + 7)] == std::byte{0x77});
    bench.block.transferDone(bench.front.transfers[0].handle, 12us);
    bench.block.transferDone(bench.front.transfers[1].handle, 13us);
    bench.run(20us);
    CHECK(bench.read(reg::RING_PRODUCER) == 3);
    const std::uint32_t event = ringAt + 2 * 16;
    CHECK((bench.memory.word(event) & 0xFF) == eventSectorsBuffered);
    CHECK(bench.memory.word(event + 4) == 4);
    CHECK(bench.memory.word(event + 8) == 6);              // the sixth sector that was fed
    CHECK(bench.memory.word(event + 12) == (6 | 3 << 16)); // sectors 6 to 9 of the command
    bench.write(reg::COMPLETE, 4);
    bench.run(21us);
    CHECK(bench.front.done.size() == 1);

    bench.write(reg::FEED_RELEASED, 1); // not enough for the two that are left
    bench.run(22us);
    CHECK(bench.front.transfers.size() == 3);
    bench.write(reg::FEED_RELEASED, 2);
    bench.run(23us);
    REQUIRE(bench.front.transfers.size() == 4);
    CHECK(bench.front.transfers[3].first == 6);
    CHECK(bench.read(reg::FEED_TAKEN) == 18);
    CHECK(bench.faults.empty());
    bench.write(reg::FEED_RELEASED, 19);
    bench.run(24us);
    REQUIRE(bench.faults.size() == 1);
    CHECK(bench.faults[0].find("FEED_RELEASED: 19 sectors, but only 18") != std::string::npos);
}

TEST_CASE("an impossible feeder configuration is rejected and leaves the feeder off")
{
    struct Row {
        std::uint32_t base, piece, sectors;
    };
    const Row row = GENERATE(Row{bufferAt, 4, 12}, Row{bufferAt, 0, 16}, Row{bufferAt, 17, 16},
                             Row{bufferAt + 8, 4, 16}, Row{0x1000, 4, 16}, Row{bufferAt, 4, 256});
    InterfaceBench bench;
    bench.write(reg::FEED_BASE, row.base);
    bench.write(reg::FEED_PIECE, row.piece);
    bench.write(reg::FEED_SECTORS, row.sectors);
    CHECK(bench.faults.size() == 1);
    bench.block.submit({4, RequestKind::Write, false, 100, 8}, 0us);
    bench.run(10us);
    CHECK(bench.read(reg::RING_PRODUCER) == 1);
    CHECK(bench.front.transfers.empty());
}
