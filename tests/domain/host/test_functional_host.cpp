// SPDX-License-Identifier: Apache-2.0
//
// Host interface and link without time.
#include "models/base/strobe_registers.h"
#include "models/host/functional_host.h"
#include "tests/support/catch.h"

#include <cstring>

using namespace strobe;
using namespace strobe::host;
using namespace std::chrono_literals;
namespace reg = strobe::regs::host;

namespace {

constexpr BusAddress memoryAt{0x80000000};
constexpr BusAddress ringAt{0x80000000};
constexpr std::uint32_t entries = 4;
constexpr BusAddress recordsAt{0x80001000};
constexpr memory::Region dataBuffer{BusAddress{0x80010000}, 0x10000};

constexpr std::uint32_t toHost = reg::XFER_START_to_host_mask;
constexpr std::uint32_t notify = reg::XFER_START_notify_mask;
constexpr std::uint32_t completes = reg::XFER_START_complete_mask;

memory::BulkMemoryConfig memoryConfig()
{
    memory::BulkMemoryConfig config;
    config.region = {memoryAt, 0x20000};
    config.dataBuffer = dataBuffer;
    config.ports = {"host"};
    return config;
}

using TakenRun = std::array<std::uint32_t, 3>; // slot, first sector, sectors

// Writes hold version 1; what reads bring is kept.
struct FakeHost : HostSide {
    std::vector<std::pair<std::uint16_t, CommandStatus>> done;
    std::vector<SectorTag> taken;
    std::function<void()> onDone;
    std::uint32_t longestRun = 0; // runs end at multiples of so many sectors; 0: there are none
    std::vector<TakenRun> takenRuns;

    void driveReady(std::uint64_t, std::uint32_t, Time) override {}
    void fillWriteData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content destination) override
    {
        makeTagRun(slot * 1000U + first, 1, sectors, destination.data);
    }
    TagRun writeRunAt(std::uint16_t slot, std::uint32_t first) const override
    {
        return longestRun == 0 ? TagRun{} : TagRun{slot * 1000U + first, 1, longestRun - first % longestRun};
    }
    void tookWriteRun(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors) override
    {
        takenRuns.push_back({slot, first, sectors});
    }
    void takeReadData(std::uint16_t, std::uint32_t, std::uint32_t sectors, Content source) override
    {
        for (std::uint32_t i = 0; i < sectors; ++i) {
            SectorTag tag = 0;
            std::memcpy(&tag, source.at(i).data, sizeof tag);
            taken.push_back(tag);
        }
    }
    void completed(std::uint16_t slot, CommandStatus status, Time) override
    {
        done.emplace_back(slot, status);
        if (onDone)
            onDone();
    }
};

struct Bench {
    memory::BulkMemory memory{memoryConfig()};
    memory::FunctionalBuffer pages{memory, 8};
    FakeHost host;
    std::vector<std::string> faults;
    FunctionalHost block;
    std::uint32_t taken = 0;

    explicit Bench(const InboundFeeder& feeder = {})
        : block({{ringAt, entries, 0}, feeder, recordsAt}, 8, pages, host, 1ms,
                [this](const std::string& text) { faults.push_back(text); })
    {
    }
    std::array<std::uint32_t, 4> wordsAt(BusAddress address)
    {
        std::array<std::uint32_t, 4> words{};
        std::memcpy(words.data(), memory.bytes(address, sizeof words), sizeof words);
        return words;
    }
    std::vector<std::array<std::uint32_t, 4>> takeEvents() // the phase bit removed
    {
        std::vector<std::array<std::uint32_t, 4>> events;
        for (;; ++taken) {
            auto words = wordsAt(ringAt + taken % entries * 16);
            if ((words[0] >> 31 != 0) != (taken / entries % 2 == 0))
                break;
            words[0] &= 0x7FFFFFFF;
            events.push_back(words);
        }
        write(reg::RING_CONSUMER, taken);
        return events;
    }
    void write(std::uint32_t offset, std::uint32_t value) { CHECK(block.writeRegister(offset, value)); }
    void transfer(std::uint32_t start, std::uint32_t first, std::uint32_t count, BusAddress buffer)
    {
        write(reg::XFER_RANGE, first | (count - 1) << reg::XFER_RANGE_more_shift);
        write(reg::XFER_BUFFER, raw(buffer));
        write(reg::XFER_COOKIE, 77);
        write(reg::XFER_START, start);
    }
};

using Event = std::array<std::uint32_t, 4>;

} // namespace

TEST_CASE("without time a command becomes a record and an event when its turn comes")
{
    Bench bench;
    bench.block.issue({5, RequestKind::Write, true, 0x1'2345'6789, 24}, 1ms);
    CHECK(bench.block.outstanding() == 1);
    CHECK_FALSE(bench.block.lineAsserted());
    CHECK(bench.block.step());
    CHECK(bench.block.lineAsserted());
    CHECK(bench.wordsAt(recordsAt + 5 * 32) == Event{0x102, 0x23456789, 1, 24});
    CHECK(bench.takeEvents() == std::vector<Event>{{eventCommandArrived, 5, 0, 0}});
    CHECK_FALSE(bench.block.lineAsserted());
    CHECK_FALSE(bench.block.step());
}

TEST_CASE("commands beyond the slots of the drive wait, and complete by the numbers of the host")
{
    Bench bench;
    for (std::uint16_t number = 0; number < 8; ++number)
        bench.block.issue({static_cast<std::uint16_t>(number * 5), RequestKind::Write, false, 100, 8}, 1ms);
    bench.block.issue({3, RequestKind::Write, false, 200, 8}, 1ms);
    bench.block.issue({40, RequestKind::Flush, false, 0, 0}, 1ms);
    CHECK(bench.block.step());
    CHECK(bench.block.outstanding() == 10);
    std::vector<std::uint32_t> slots;
    while (slots.size() < 8) { // a ring of 4 events
        for (const Event& event : bench.takeEvents())
            slots.push_back(event[1]);
        bench.block.step();
    }
    CHECK(slots == std::vector<std::uint32_t>{0, 5, 1, 2, 3, 4, 6, 7}); // hosts' numbers 0 and 5 are slots, too
    CHECK_FALSE(bench.block.step());                                    // no slot is free
    bench.transfer(6, 0, 8, dataBuffer.base);                           // the host's command 30
    CHECK(isTagRunOf(bench.memory.sectors(dataBuffer.base, 8).data, 30'000, 1, 8));
    bench.write(reg::COMPLETE, 6);
    CHECK(bench.host.done == std::vector<std::pair<std::uint16_t, CommandStatus>>{{30, CommandStatus::Ok}});
    CHECK(bench.block.step());
    CHECK(bench.takeEvents() == std::vector<Event>{{eventCommandArrived, 6, 0, 0}}); // the command 3
    CHECK(bench.faults.empty());
}

TEST_CASE("without time sectors move when they are ordered, and a completion frees the slot")
{
    Bench bench;
    bench.block.issue({2, RequestKind::Write, false, 100, 8}, 1ms);
    bench.block.step();
    bench.takeEvents();
    bench.transfer(2 | notify, 0, 8, dataBuffer.base);
    CHECK(isTagRunOf(bench.memory.sectors(dataBuffer.base, 8).data, 2000, 1, 8));
    CHECK(bench.takeEvents() == std::vector<Event>{{eventTransferDone, 2, 77, 0}});
    CHECK(bench.host.done.empty());
    bench.host.onDone = [&bench] { bench.block.issue({2, RequestKind::Read, false, 100, 8}, 1ms); }; // the slot is free
    bench.write(reg::COMPLETE, 2);
    CHECK(bench.host.done == std::vector<std::pair<std::uint16_t, CommandStatus>>{{2, CommandStatus::Ok}});
    CHECK(bench.takeEvents().empty());
    CHECK(bench.block.step());
    bench.host.onDone = {};
    bench.takeEvents();
    bench.transfer(2 | toHost | notify | completes, 0, 8, dataBuffer.base);
    REQUIRE(bench.host.taken.size() == 8);
    CHECK(bench.host.taken[7] == makeTag(2007, 1));
    CHECK(bench.host.done.size() == 2);
    CHECK(bench.block.outstanding() == 0);
    CHECK(bench.faults.empty());
}

TEST_CASE("whole pages of the buffer that the host fills with a run of tags are kept as runs")
{
    Bench bench;
    bench.host.longestRun = GENERATE(24U, 16U);
    bench.block.issue({2, RequestKind::Write, false, 100, 24}, 1ms);
    bench.block.step();
    bench.transfer(2, 0, 8, dataBuffer.base);
    bench.transfer(2, 8, 16, dataBuffer.base + 8 * 512); // two pages at once
    for (std::uint32_t page = 0; page < 3; ++page)
        CHECK(bench.pages.runAt(dataBuffer.base + page * 8 * 512, 8) == makeTag(2000 + page * 8, 1));
    std::vector<TakenRun> told;
    bench.host.onDone = [&] { told = bench.host.takenRuns; };
    bench.write(reg::COMPLETE, 2); // all sectors are counted
    CHECK(bench.faults.empty());
    const std::vector<TakenRun> one{{2, 0, 24}};
    const std::vector<TakenRun> two{{2, 0, 16}, {2, 16, 8}};
    CHECK(told == (bench.host.longestRun == 24 ? one : two));
    bench.block.issue({2, RequestKind::Read, false, 100, 8}, 1ms);
    bench.block.step();
    bench.transfer(2 | toHost, 0, 8, dataBuffer.base);
    REQUIRE(bench.host.taken.size() == 8);
    CHECK(bench.host.taken[7] == makeTag(2007, 1));
}

TEST_CASE("pages of a run may be ordered in any order")
{
    Bench bench;
    bench.host.longestRun = 24;
    bench.block.issue({2, RequestKind::Write, false, 100, 24}, 1ms);
    bench.block.step();
    for (const std::uint32_t page : {1U, 2U, 0U})
        bench.transfer(2, page * 8, 8, dataBuffer.base + page * 8 * 512);
    for (std::uint32_t page = 0; page < 3; ++page)
        CHECK(bench.pages.runAt(dataBuffer.base + page * 8 * 512, 8) == makeTag(2000 + page * 8, 1));
    bench.write(reg::COMPLETE, 2);
    CHECK(bench.faults.empty());
    CHECK(bench.host.takenRuns == std::vector<TakenRun>{{2, 8, 16}, {2, 0, 8}});
}

TEST_CASE("a transfer that is not whole pages becomes contents")
{
    Bench bench;
    bench.host.longestRun = 20;
    bench.block.issue({2, RequestKind::Write, false, 100, 20}, 1ms);
    bench.block.step();
    bench.transfer(2, 0, 12, dataBuffer.base);
    bench.transfer(2, 12, 8, dataBuffer.base + 12 * 512);
    for (std::uint32_t page = 0; page < 3; ++page)
        CHECK(bench.pages.runAt(dataBuffer.base + page * 8 * 512, 8) == 0);
    CHECK(isTagRunOf(bench.memory.sectors(dataBuffer.base, 20).data, 2000, 1, 20));
    bench.write(reg::COMPLETE, 2); // all sectors are counted
    CHECK(bench.faults.empty());
}

TEST_CASE("sectors of a write may go past the buffer, as a run or one by one")
{
    Bench bench;
    bench.host.longestRun = 16;
    bench.block.issue({2, RequestKind::Write, false, 100, 24}, 1ms);
    bench.block.step();
    CHECK(bench.block.takeRun(2, 0, 8) == makeTag(2000, 1));
    CHECK(bench.block.takeRun(2, 8, 16) == 0); // two runs: nothing is taken
    std::array<std::byte, 16 * sizeof(SectorTag)> tags{};
    bench.block.takeSectors(2, 8, 16, {tags.data(), DataMode::Tags});
    CHECK(isTagRunOf(tags.data(), 2008, 1, 16));
    CHECK(bench.faults.empty());
    CHECK(bench.block.takeRun(2, 16, 16) == 0); // beyond the command
    bench.block.takeSectors(3, 0, 8, {tags.data(), DataMode::Tags});
    CHECK(bench.faults.size() == 2);
    bench.write(reg::COMPLETE, 2); // all sectors are counted
    CHECK(bench.faults.size() == 2);
    CHECK(bench.host.takenRuns == std::vector<TakenRun>{{2, 0, 8}});
}

TEST_CASE("a read may come directly from flash")
{
    Bench bench;
    bench.block.issue({1, RequestKind::Read, false, 0, 2}, 1ms);
    bench.block.step();
    std::array<std::byte, 16> tags{};
    makeTagRun(9, 3, 2, tags.data());
    const Content content{tags.data(), DataMode::Tags};
    CHECK(bench.block.deliver({1, 0, 1, true, content, 0})); // not all of it yet
    CHECK(bench.host.done.empty());
    CHECK(bench.block.deliver({1, 1, 1, true, content.at(1), 0}));
    CHECK(bench.host.taken == std::vector<SectorTag>{makeTag(9, 3), makeTag(10, 3)});
    CHECK(bench.host.done.size() == 1);
    CHECK_FALSE(bench.block.deliver({1, 0, 1, true, content, 0})); // no such command any more
    CHECK(bench.faults.size() == 1);
}

TEST_CASE("rules that firmware breaks are reported and have no effect")
{
    Bench bench;
    bench.block.issue({0, RequestKind::Write, false, 0, 8}, 1ms);
    bench.block.step();
    bench.takeEvents();
    bench.transfer(3, 0, 8, dataBuffer.base);                // no command
    bench.transfer(0 | toHost, 0, 8, dataBuffer.base);       // the other direction
    bench.transfer(0, 4, 8, dataBuffer.base);                // beyond the command
    bench.transfer(0, 0, 8, dataBuffer.base + 1);            // not a sector
    bench.transfer(0, 0, 8, BusAddress{0x80000000 + 0x800}); // not the data buffer
    bench.write(reg::COMPLETE, 4);
    bench.write(reg::RING_CONSUMER, 99);
    bench.write(reg::FEED_RELEASED, 1);
    CHECK(bench.faults.size() == 8);
    CHECK(bench.host.done.empty());
    CHECK(bench.takeEvents().empty());
    bench.write(reg::COMPLETE, 0); // sectors are missing: reported, and complete nevertheless
    CHECK(bench.faults.size() == 9);
    CHECK(bench.host.done.size() == 1);
    CHECK_FALSE(bench.block.writeRegister(reg::CONTROL, 1)); // not one of its registers
}

TEST_CASE("the inbound feeder fetches writes without time, as far as firmware has freed space")
{
    InboundFeeder feeder;
    REQUIRE(feeder.configure(dataBuffer.base, 8, 4, dataBuffer));
    Bench bench(feeder);
    bench.block.issue({1, RequestKind::Write, false, 0, 12}, 1ms);
    bench.block.step();
    CHECK(bench.takeEvents() ==
          std::vector<Event>{{eventSectorsBuffered, 1, 0, 0 | 3U << 16}, {eventSectorsBuffered, 1, 4, 4 | 3U << 16}});
    CHECK(isTagRunOf(bench.memory.sectors(dataBuffer.base, 8).data, 1000, 1, 8));
    std::uint32_t count = 0;
    CHECK(bench.block.readRegister(reg::FEED_TAKEN, count));
    CHECK(count == 8);
    bench.write(reg::FEED_RELEASED, 4);
    CHECK(bench.takeEvents() == std::vector<Event>{{eventSectorsBuffered, 1, 8, 8 | 3U << 16}});
    bench.write(reg::COMPLETE, 1);
    CHECK(bench.faults.empty());
    CHECK(bench.block.feeder().taken() == 12);
}

TEST_CASE("the host interface goes on where its substitute ends")
{
    struct Memory : HostDmaPort {
        memory::BulkMemory& memory;
        explicit Memory(memory::BulkMemory& m) : memory(m) {}
        Time move(BusAddress address, std::uint32_t bytes, Content content, bool isWrite, Time at) override
        {
            return memory.move(address, bytes, content, isWrite) ? at : never;
        }
    };
    struct Front : host::Front {
        void driveReady(Time) override {}
        void transfer(const TransferOrder&, Time) override {}
        void complete(std::uint16_t, CommandStatus, Time) override {}
    };
    Bench bench; // for its memory and events
    Memory port(bench.memory);
    Front front;
    HostInterface block({8, dataBuffer}, port);
    block.connect(front);
    for (const auto& [offset, value] :
         std::vector<std::pair<std::uint32_t, std::uint32_t>>{{reg::COMMANDS, raw(recordsAt)},
                                                              {reg::RING_BASE, raw(ringAt)},
                                                              {reg::RING_ENTRIES, entries},
                                                              {reg::CAPACITY_LO, 5000},
                                                              {reg::CONTROL, 1}})
        REQUIRE(block.writeRegister(offset, value, Time{}) == Access::Ok);
    block.advance(Time{});

    FunctionalHost substitute(block.position(Time{}), 8, bench.pages, bench.host, Time{}, [](const std::string&) {});
    for (std::uint32_t i = 0; i < 6; ++i) { // more than the ring has entries
        substitute.issue({3, RequestKind::Flush, false, 0, 0}, Time{});
        substitute.step();
        CHECK(bench.takeEvents() == std::vector<Event>{{eventCommandArrived, 3, 0, 0}});
        CHECK(substitute.writeRegister(reg::RING_CONSUMER, bench.taken));
        CHECK(substitute.writeRegister(reg::COMPLETE, 3));
    }
    block.continueAfter(substitute.events(), substitute.feeder());
    block.submit({4, RequestKind::Flush, false, 0, 0}, 1us);
    block.advance(1us);
    CHECK(bench.takeEvents() == std::vector<Event>{{eventCommandArrived, 4, 0, 0}});
    std::uint32_t producer = 0;
    REQUIRE(block.readRegister(reg::RING_PRODUCER, producer) == Access::Ok);
    CHECK(producer == 7);
}
