// SPDX-License-Identifier: Apache-2.0
#include "models/base/strobe_registers.h"
#include "models/host/host_interface.h"
#include "tests/support/catch.h"

#include <cstring>

using namespace strobe;
using namespace strobe::host;
using namespace std::chrono_literals;
namespace reg = strobe::regs::host;

namespace {

constexpr std::uint32_t recordsAt = 0x1000;
constexpr std::uint32_t ringAt = 0x2000;
constexpr std::uint32_t bufferAt = 0x10000;
constexpr std::uint32_t bufferBytes = 0x10000;

// 128 KiB of plain bytes; the upper half is the data buffer, in bytes mode. Every burst takes 1 us.
struct FakeMemory : DmaPort {
    std::vector<std::byte> bytes = std::vector<std::byte>(0x20000);
    struct Burst {
        std::uint32_t address;
        std::uint32_t length;
        bool isWrite;
        Time at;
    };
    std::vector<Burst> bursts;

    Time move(BusAddress address, std::uint32_t length, Content content, bool isWrite, Time at) override
    {
        if (std::size_t{raw(address)} + length > bytes.size())
            return never;
        bursts.push_back({raw(address), length, isWrite, at});
        if (isWrite)
            std::memcpy(bytes.data() + raw(address), content.data, length);
        else
            std::memcpy(content.data, bytes.data() + raw(address), length);
        return at + 1us;
    }
    std::uint32_t word(std::uint32_t address) const
    {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + address, sizeof value);
        return value;
    }
};

struct FakeFront : Front {
    int readyCalls = 0;
    std::vector<TransferOrder> transfers;
    std::vector<Time> transferTimes;
    struct Done {
        std::uint16_t slot;
        CommandStatus status;
        Time at;
    };
    std::vector<Done> done;

    void driveReady(Time) override { ++readyCalls; }
    void transfer(const TransferOrder& order, Time at) override
    {
        transfers.push_back(order);
        transferTimes.push_back(at);
    }
    void complete(std::uint16_t slot, CommandStatus status, Time at) override { done.push_back({slot, status, at}); }
};

struct Bench {
    FakeMemory memory;
    FakeFront front;
    HostInterface block{{32, {BusAddress{bufferAt}, bufferBytes}}, memory};
    std::vector<std::pair<bool, Time>> line;
    std::vector<std::string> faults;
    Time now{};

    explicit Bench(std::uint32_t ringEntries = 16)
    {
        block.connect(front);
        block.onLine([this](bool asserted, Time at) { line.emplace_back(asserted, at); });
        block.onFault([this](const std::string& text, Time) { faults.push_back(text); });
        write(reg::CAPACITY_LO, 5000);
        write(reg::CAPACITY_HI, 1);
        write(reg::COMMANDS, recordsAt);
        write(reg::RING_BASE, ringAt);
        write(reg::RING_ENTRIES, ringEntries);
        write(reg::CONTROL, 1);
        run(now);
    }
    void write(std::uint32_t offset, std::uint32_t value) { writeAt(offset, value, now); }
    void writeAt(std::uint32_t offset, std::uint32_t value, Time at)
    {
        REQUIRE(block.writeRegister(offset, value, at) == Access::Ok);
    }
    std::uint32_t read(std::uint32_t offset)
    {
        std::uint32_t value = 0;
        REQUIRE(block.readRegister(offset, value) == Access::Ok);
        return value;
    }
    void run(Time until)
    {
        while (block.nextTime() <= until) {
            now = block.nextTime();
            block.advance(now);
        }
        now = until;
        block.advance(now);
    }
    void startTransfer(std::uint32_t start, std::uint32_t first, std::uint32_t count, std::uint32_t buffer, Time at)
    {
        writeAt(reg::XFER_RANGE, first | (count - 1) << reg::XFER_RANGE_more_shift, at);
        writeAt(reg::XFER_BUFFER, buffer, at);
        writeAt(reg::XFER_COOKIE, 0xC00C1E, at);
        writeAt(reg::XFER_START, start, at);
    }
};

constexpr std::uint32_t toHost = reg::XFER_START_to_host_mask;
constexpr std::uint32_t notify = reg::XFER_START_notify_mask;
constexpr std::uint32_t completes = reg::XFER_START_complete_mask;

Command readCommand(std::uint16_t slot, std::uint32_t sectors)
{
    return {slot, RequestKind::Read, false, 0x1'2345'6789, sectors};
}

} // namespace

TEST_CASE("enabling the port announces the drive and its capacity once")
{
    Bench bench;
    CHECK(bench.front.readyCalls == 1);
    CHECK(bench.block.capacitySectors() == (std::uint64_t{1} << 32) + 5000);
    CHECK(bench.read(reg::SLOTS) == 32);
    bench.write(reg::CONTROL, 0);
    bench.write(reg::CONTROL, 1);
    bench.run(10us);
    CHECK(bench.front.readyCalls == 1);
}

TEST_CASE("a command becomes a record, then an event, then an interrupt")
{
    Bench bench;
    bench.block.submit({5, RequestKind::Write, true, 0x1'2345'6789, 24}, 0us);
    bench.run(500ns);
    CHECK(bench.line.empty());
    bench.run(10us);
    const std::uint32_t record = recordsAt + 5 * 32;
    CHECK(bench.memory.word(record) == (2 | 0x100)); // write, forced unit access
    CHECK(bench.memory.word(record + 4) == 0x2345'6789);
    CHECK(bench.memory.word(record + 8) == 1);
    CHECK(bench.memory.word(record + 12) == 24);
    CHECK(bench.memory.word(ringAt) == (1 | 0x8000'0000)); // command arrived, phase 1
    CHECK(bench.memory.word(ringAt + 4) == 5);
    REQUIRE(bench.memory.bursts.size() == 2);
    CHECK(bench.memory.bursts[0].length == 32);
    CHECK(bench.memory.bursts[1].length == 16);
    CHECK(bench.memory.bursts[1].at == 1us);
    CHECK(bench.line == std::vector<std::pair<bool, Time>>{{true, 2us}});
    CHECK(bench.read(reg::RING_PRODUCER) == 1);
}

TEST_CASE("kinds of commands are numbered as in the register description")
{
    Bench bench;
    std::uint16_t slot = 0;
    for (const RequestKind kind : {RequestKind::Read, RequestKind::Write, RequestKind::Flush, RequestKind::Trim}) {
        bench.block.submit({slot, kind, false, 0, 8}, bench.now);
        bench.run(bench.now + 5us);
        CHECK(bench.memory.word(recordsAt + slot * 32u) == slot + 1u);
        ++slot;
    }
}

TEST_CASE("the line falls when firmware has taken all events")
{
    Bench bench;
    bench.block.submit(readCommand(0, 8), 0us);
    bench.block.submit(readCommand(1, 8), 0us);
    bench.run(5us);
    bench.write(reg::RING_CONSUMER, 1);
    bench.run(6us);
    CHECK(bench.line.size() == 1);
    bench.writeAt(reg::RING_CONSUMER, 2, 8us); // a CPU that runs ahead
    bench.run(7us);
    CHECK(bench.line.size() == 1);
    bench.run(9us);
    CHECK(bench.line == std::vector<std::pair<bool, Time>>{{true, 2us}, {false, 8us}});
}

TEST_CASE("a CPU that runs ahead reads the line as of its local time")
{
    Bench bench;
    bench.block.submit(readCommand(0, 8), 0us);
    bench.run(5us);
    bench.writeAt(reg::RING_CONSUMER, 1, 8us);
    bench.block.settle(7us);
    CHECK(bench.line.size() == 1);
    bench.block.settle(8us);
    CHECK(bench.line.back() == std::pair<bool, Time>{false, 8us});

    // A command that comes before that keeps the line from falling: it is high again from the same instant on.
    bench.block.submit(readCommand(1, 8), 5us);
    bench.run(20us);
    CHECK(bench.line == std::vector<std::pair<bool, Time>>{{true, 2us}, {false, 8us}, {true, 8us}});
    bench.writeAt(reg::RING_CONSUMER, 2, 30us);
    bench.run(29us);
    CHECK(bench.line.size() == 3);
    bench.run(30us);
    CHECK(bench.line.back() == std::pair<bool, Time>{false, 30us});
}

TEST_CASE("events that find the ring full arrive when firmware frees entries")
{
    Bench bench(2);
    for (std::uint16_t slot = 0; slot < 3; ++slot)
        bench.block.submit(readCommand(slot, 8), 0us);
    bench.run(5us);
    CHECK(bench.read(reg::RING_PRODUCER) == 2);
    CHECK(bench.block.ring().counters().overflows == 1);
    bench.write(reg::RING_CONSUMER, 2);
    bench.run(20us);
    CHECK(bench.read(reg::RING_PRODUCER) == 3);
    CHECK(bench.memory.word(ringAt) == 1); // phase 0 in the second round
    CHECK(bench.memory.word(ringAt + 4) == 2);
    CHECK(bench.line == std::vector<std::pair<bool, Time>>{{true, 2us}}); // there was always something to take
}

TEST_CASE("a doorbell acts at the time of its write with the registers as they were then")
{
    Bench bench;
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
    Bench bench;
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
    Bench bench;
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
    Bench bench;
    bench.block.submit(readCommand(7, 8), 0us);
    bench.run(5us);
    bench.write(reg::COMPLETE, 7 | 1 << 16);
    bench.run(6us);
    REQUIRE(bench.front.done.size() == 1);
    CHECK(bench.front.done[0].status == CommandStatus::Uncorrectable);
    CHECK(bench.front.done[0].at == 5us);
    CHECK(bench.faults.empty());
}

TEST_CASE("commands that arrive while the port is disabled are held")
{
    Bench bench;
    bench.write(reg::CONTROL, 0);
    bench.run(1us);
    bench.block.submit(readCommand(0, 8), 1us);
    bench.run(10us);
    CHECK(bench.line.empty());
    bench.write(reg::CONTROL, 1);
    bench.run(20us);
    CHECK(bench.line == std::vector<std::pair<bool, Time>>{{true, 12us}});
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
    Bench bench;
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
    Bench bench;
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
    bench.write(reg::COMPLETE, 2 | 7 << 16);
    bench.run(11us);
    CHECK(bench.faults ==
          std::vector<std::string>{"XFER_START of slot 1: the slot's last transfer completes it already",
                                   "COMPLETE of slot 0: 1 transfer(s) of the slot are still in progress",
                                   "COMPLETE of slot 1: the slot's last transfer completes it already",
                                   "COMPLETE of slot 9: the slot holds no command",
                                   "COMPLETE of slot 2: there is no status 7"});
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
    Bench bench;
    bench.block.submit(readCommand(0, 8), 0us);
    bench.run(10us);
    bench.write(reg::COMPLETE, 0);
    bench.run(11us);
    CHECK(bench.faults == std::vector<std::string>{"COMPLETE of slot 0: ok, but 0 of 8 sectors were transferred"});
    CHECK(bench.front.done.size() == 1);
}

TEST_CASE("a wrong ring set-up and events that were never put are faults")
{
    Bench bench;
    bench.write(reg::RING_CONSUMER, 3);
    bench.write(reg::RING_ENTRIES, 12);
    bench.run(1us);
    REQUIRE(bench.faults.size() == 2);
    CHECK(bench.faults[0] == "RING_ENTRIES: 12 entries at 8192 are no power of two or not word-aligned");
    CHECK(bench.faults[1] == "RING_CONSUMER: 3 events taken, but only 0 were put");

    bench.write(reg::COMMANDS, 0x4000'0000);
    bench.block.submit(readCommand(0, 8), 1us);
    bench.run(10us);
    CHECK(bench.faults.back() == "COMMANDS: the command records are not in memory");
}

TEST_CASE("accesses outside the registers are refused")
{
    Bench bench;
    std::uint32_t value = 0;
    CHECK(bench.block.readRegister(0x200, value) == Access::Unmapped);
    CHECK(bench.block.writeRegister(0x2, 0, bench.now) == Access::Misaligned);
}

TEST_CASE("sectors directly from flash are a separate transfer, taken from where they are held")
{
    Bench bench;
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
    Bench bench;
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
    Bench bench;
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
    struct Taker : ReadTaker {
        std::vector<std::uint16_t> slots;
        bool takeRead(const Command& command, Time) override
        {
            slots.push_back(command.slot);
            return command.slot != 9;
        }
    } taker;
    Bench bench;
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

TEST_CASE("the inbound feeder fetches writes into the circular buffer, and firmware gets an event for each piece")
{
    Bench bench;
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
    Bench bench;
    bench.write(reg::FEED_BASE, row.base);
    bench.write(reg::FEED_PIECE, row.piece);
    bench.write(reg::FEED_SECTORS, row.sectors);
    CHECK(bench.faults.size() == 1);
    bench.block.submit({4, RequestKind::Write, false, 100, 8}, 0us);
    bench.run(10us);
    CHECK(bench.read(reg::RING_PRODUCER) == 1);
    CHECK(bench.front.transfers.empty());
}
