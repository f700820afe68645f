#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A flash controller without a kernel: real bulk memory and real dies, channels whose bus is never short (fixed request
// and response times, one operation per die at a time, one word line at a time in all), and a time that is stepped from
// event to event.

#include "models/base/event_heap.h"
#include "models/base/strobe_registers.h"
#include "models/controller/flash_controller.h"
#include "models/memory/bulk_memory.h"
#include "models/nand/die.h"
#include "tests/support/catch.h"

#include <array>
#include <cstring>
#include <memory>
#include <vector>

namespace strobe::controller::test {

using namespace std::chrono_literals;

// 2 planes x 4 blocks x 4 pages of 2 KiB.
nand::Part benchPart();

// The same with pages of 16 KiB, which have four spare records.
nand::Part largePagePart();

inline constexpr BusAddress memoryBase{0x80000000};
inline constexpr BusAddress ringAt{0x80000000}; // 16 entries
inline constexpr BusAddress descriptorsAt{0x80001000};
inline constexpr BusAddress listsAt{0x80008000}; // block lists, spare records
inline constexpr memory::Region dataBuffer{BusAddress{0x80010000}, 0x10000};
inline constexpr std::uint32_t ringEntries = 16;

BusAddress descriptorAt(std::uint32_t number);
BusAddress bufferAt(std::uint32_t sector);

class Bench : private FlashDmaPort, private ChannelPort, private HostSink {
public:
    static constexpr Time request = 1us;      // of every operation
    static constexpr Time response = 10us;    // of reads
    static constexpr Time statusRead = 500ns; // and spare record of a copy-back in halves
    static constexpr Time hostTime = 5us;     // for the host interface to take a row

    struct Sent {
        nand::Operation op;
        Time at;
    };
    struct Burst {
        BusAddress address;
        std::uint32_t bytes;
        Direction direction;
        Time at;
        Time end;
    };
    struct Sunk {
        HostRun run;
        std::vector<std::byte> data;
        Time at;
    };
    struct LineChange {
        bool asserted;
        Time at;
    };
    struct Event {
        Outcome outcome;
        BusAddress descriptor;
        std::uint32_t cookie;
        std::uint32_t unit;
    };

    explicit Bench(const FlashControllerConfig& config = oneUnit(), const nand::Part& part = benchPart());
    ~Bench();

    static FlashControllerConfig oneUnit();
    static Time burst(std::uint32_t bytes) { return 100ns + picoseconds(1000) * bytes; } // on an idle memory
    // Unloaded descriptor of one whole page, from HEAD to the line.
    static Time programTime();
    static Time readTime() { return burst(64) + request + 25us + response + 3us + burst(2048) + burst(4) + burst(16); }

    // --- firmware's side ---
    void write(std::uint32_t offset, std::uint32_t value, Time delay = {});
    std::uint32_t read(std::uint32_t offset);
    void head(std::uint32_t unit, BusAddress list, Time delay = {});
    void put(std::uint32_t number, const FlashDescriptor& descriptor); // descriptor `number` of the array
    DescriptorWords descriptorWords(std::uint32_t number);
    Outcome outcome(std::uint32_t number) { return parseStatus(descriptorWords(number)[10]); }
    template <std::size_t size>
    void putWords(BusAddress address, const std::array<std::uint32_t, size>& words)
    {
        std::memcpy(memory.bytes(address, sizeof words), words.data(), sizeof words);
    }
    std::uint32_t word(BusAddress address);
    // Takes the events that are new in the ring, in order.
    std::vector<Event> takeEvents();
    void acknowledge(Time delay = {}) { write(regs::flash::RING_CONSUMER, taken_, delay); }

    void putTags(std::uint32_t sector, std::uint32_t lba, std::uint32_t sectors, std::uint32_t version = 1);
    bool hasTags(std::uint32_t sector, std::uint32_t lba, std::uint32_t sectors, std::uint32_t version = 1);

    // Tags of a run of the host's sectors.
    static bool isTagged(const Sunk& sunk, std::uint32_t first, std::uint32_t lba, std::uint32_t sectors,
                         std::uint32_t version = 1);
    // A sector table in control memory: the data buffer's sectors, -1 for those that are not buffered.
    BusAddress putTable(BusAddress at, const std::vector<int>& sectors);

    // A unit table in control memory: the data buffer's units of 4 KiB, -1 for word 0, then the records.
    BusAddress putUnitTable(BusAddress at, const std::vector<int>& units, const std::vector<nand::Spare>& records = {});
    nand::Spare recordAt(BusAddress table, std::uint32_t units, std::uint32_t number);

    // --- time ---
    void run(Time until = never);

private:
    struct Completion {
        Ticket ticket;
        nand::Operation op;
    };

    static memory::BulkMemoryConfig memoryConfig(DataMode mode);
    FlashControllerConfig withGeometry(FlashControllerConfig config) const;

    Moved move(BusAddress address, std::uint32_t bytes, Content content, Direction direction, Time at) override;

    bool peek(BusAddress address, std::uint32_t bytes, std::byte* data) override;

    void send(ChannelId channel, Ticket ticket, const nand::Operation& op, Time at) override;

    void proceed(ChannelId channel, UnitId unit) override;

    bool deliver(const HostRun& run, Time at) override;

    void handBack(std::uint16_t slot, Time at) override { handedBack.push_back({slot, at}); }
    void fail(std::uint16_t slot, Time at) override { failedReads.push_back({slot, at}); }

    nand::Part part_;

public:
    static constexpr std::uint16_t refusedSlot = 31;
    memory::BulkMemory memory;
    FlashController controller;
    std::vector<std::unique_ptr<nand::Die>> dies;
    Time now{};
    std::vector<Sent> sent;
    std::vector<Burst> bursts;
    std::vector<Sunk> sunk;                                 // at the host interface
    std::vector<std::pair<std::uint16_t, Time>> handedBack; // by the synthesizer
    std::vector<std::pair<std::uint16_t, Time>> failedReads;
    std::vector<LineChange> lines;
    std::uint32_t bitErrors = 0; // of reads that are sent from now on

private:
    std::vector<Time> dieFree_;
    std::vector<Time> planeFree_; // for plane-independent reads, of planes that nothing else uses
    EventHeap<Completion> completions_;
    std::vector<Completion> held_; // pages of a word line
    struct Stepped {
        Completion completion;
        bool isRecordOut = false;
    };
    std::vector<Stepped> stepped_; // operations in progress
    EventHeap<Ticket> takenByHost_;
    std::uint32_t taken_ = 0;
};

// Descriptors of 1x1 superchips with an inline block number, reporting.
FlashDescriptor descriptor(SuperchipOpcode opcode, std::uint32_t die, std::uint32_t block);
FlashDescriptor pages(SuperchipOpcode opcode, std::uint32_t die, nand::PageAddress first, std::uint32_t count,
                      std::uint32_t bufferSector);

} // namespace strobe::controller::test
