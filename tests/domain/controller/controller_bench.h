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
inline nand::Part benchPart()
{
    nand::Part part;
    part.geometry = {2, 4, 4, 2048, 64};
    part.times = {25us, 200us, 2ms, 5us, 6us, 10us, 500us};
    part.id = {0xEC};
    return part;
}

// The same with pages of 16 KiB, which have four spare records.
inline nand::Part largePagePart()
{
    nand::Part part = benchPart();
    part.geometry.pageBytes = 16384;
    return part;
}

inline constexpr BusAddress memoryBase{0x80000000};
inline constexpr BusAddress ringAt{0x80000000}; // 16 entries
inline constexpr BusAddress descriptorsAt{0x80001000};
inline constexpr BusAddress listsAt{0x80008000}; // block lists, spare records
inline constexpr memory::Region dataBuffer{BusAddress{0x80010000}, 0x10000};
inline constexpr std::uint32_t ringEntries = 16;

inline BusAddress descriptorAt(std::uint32_t number)
{
    return descriptorsAt + number * descriptorBytes;
}
inline BusAddress bufferAt(std::uint32_t sector)
{
    return dataBuffer.base + static_cast<std::uint32_t>(sector * sectorBytes);
}

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

    explicit Bench(const FlashControllerConfig& config = oneUnit(), const nand::Part& part = benchPart())
        : part_(part), memory(memoryConfig(config.dataMode)), controller(withGeometry(config), *this, *this),
          dieFree_(config.array.dies()), planeFree_(config.array.dies() * std::size_t{part.geometry.planes})
    {
        for (std::uint32_t i = 0; i < config.array.dies(); ++i)
            dies.push_back(std::make_unique<nand::Die>(DieId{static_cast<std::uint16_t>(i)}, part_, 0, Rng(1, "die")));
        controller.onLine([this](bool asserted, Time at) { lines.push_back({asserted, at}); });
        controller.connectHost(*this);
        write(regs::flash::RING_BASE, raw(ringAt));
        write(regs::flash::RING_ENTRIES, ringEntries);
    }

    static FlashControllerConfig oneUnit()
    {
        FlashControllerConfig config;
        config.ecc = {2us, 3us, 0};
        return config;
    }
    static Time burst(std::uint32_t bytes) { return 100ns + picoseconds(1000) * bytes; } // on an idle memory
    // Unloaded descriptor of one whole page, from HEAD to the line.
    static Time programTime()
    {
        return burst(64) + burst(2048) + 2us + request + 200us + statusRead + burst(4) + burst(16);
    }
    static Time readTime() { return burst(64) + request + 25us + response + 3us + burst(2048) + burst(4) + burst(16); }

    // --- firmware's side ---
    void write(std::uint32_t offset, std::uint32_t value, Time delay = {})
    {
        REQUIRE(controller.writeRegister(offset, value, now, now + delay) == Access::Ok);
    }
    std::uint32_t read(std::uint32_t offset)
    {
        std::uint32_t value = 0;
        REQUIRE(controller.readRegister(offset, value, now) == Access::Ok);
        return value;
    }
    void head(std::uint32_t unit, BusAddress list, Time delay = {})
    {
        write(regs::flash::UNIT_HEAD + regs::flash::UNIT_HEAD_step * unit, raw(list), delay);
    }
    void put(std::uint32_t number, const FlashDescriptor& descriptor) // descriptor `number` of the array
    {
        putWords(descriptorAt(number), toWords(descriptor));
    }
    DescriptorWords descriptorWords(std::uint32_t number)
    {
        DescriptorWords words{};
        std::memcpy(words.data(), memory.bytes(descriptorAt(number), descriptorBytes), sizeof words);
        return words;
    }
    Outcome outcome(std::uint32_t number) { return parseStatus(descriptorWords(number)[10]); }
    template <std::size_t size>
    void putWords(BusAddress address, const std::array<std::uint32_t, size>& words)
    {
        std::memcpy(memory.bytes(address, sizeof words), words.data(), sizeof words);
    }
    std::uint32_t word(BusAddress address)
    {
        std::uint32_t value = 0;
        std::memcpy(&value, memory.bytes(address, 4), sizeof value);
        return value;
    }
    // Takes the events that are new in the ring, in order.
    std::vector<Event> takeEvents()
    {
        std::vector<Event> events;
        for (;; ++taken_) {
            const BusAddress entry = ringAt + taken_ % ringEntries * 16;
            const std::uint32_t status = word(entry);
            const bool isNew = (status >> 31 != 0) == (taken_ / ringEntries % 2 == 0);
            if (!isNew)
                break;
            events.push_back({parseStatus(status), BusAddress{word(entry + 4)}, word(entry + 8), word(entry + 12)});
        }
        return events;
    }
    void acknowledge(Time delay = {}) { write(regs::flash::RING_CONSUMER, taken_, delay); }

    void putTags(std::uint32_t sector, std::uint32_t lba, std::uint32_t sectors, std::uint32_t version = 1)
    {
        makeTagRun(lba, version, sectors, memory.sectors(bufferAt(sector), sectors).data);
    }
    bool hasTags(std::uint32_t sector, std::uint32_t lba, std::uint32_t sectors, std::uint32_t version = 1)
    {
        std::vector<std::byte> expected(sectors * stride(DataMode::Tags));
        makeTagRun(lba, version, sectors, expected.data());
        return expected.empty() ||
               std::memcmp(memory.sectors(bufferAt(sector), sectors).data, expected.data(), expected.size()) == 0;
    }

    // Tags of a run of the host's sectors.
    static bool isTagged(const Sunk& sunk, std::uint32_t first, std::uint32_t lba, std::uint32_t sectors,
                         std::uint32_t version = 1)
    {
        return isTagRunOf(sunk.data.data() + first * stride(DataMode::Tags), lba, version, sectors);
    }
    // A sector table in control memory: the data buffer's sectors, -1 for those that are not buffered.
    BusAddress putTable(BusAddress at, const std::vector<int>& sectors)
    {
        for (std::size_t i = 0; i < sectors.size(); ++i) {
            const std::uint32_t entry = sectors[i] < 0 ? 0 : raw(bufferAt(static_cast<std::uint32_t>(sectors[i])));
            std::memcpy(memory.bytes(at + static_cast<std::uint32_t>(4 * i), 4), &entry, 4);
        }
        return at;
    }

    // A unit table in control memory: the data buffer's units of 4 KiB, -1 for word 0, then the records.
    BusAddress putUnitTable(BusAddress at, const std::vector<int>& units, const std::vector<nand::Spare>& records = {})
    {
        for (std::size_t i = 0; i < units.size(); ++i) {
            const std::uint32_t entry = units[i] < 0 ? 0 : raw(bufferAt(static_cast<std::uint32_t>(units[i]) * 8));
            std::memcpy(memory.bytes(at + static_cast<std::uint32_t>(4 * i), 4), &entry, 4);
        }
        const auto bytes = static_cast<std::uint32_t>(records.size() * sizeof(nand::Spare));
        if (bytes != 0)
            std::memcpy(memory.bytes(at + static_cast<std::uint32_t>(4 * units.size()), bytes), records.data(), bytes);
        return at;
    }
    nand::Spare recordAt(BusAddress table, std::uint32_t units, std::uint32_t number)
    {
        nand::Spare spare{};
        std::memcpy(spare.data(), memory.bytes(table + units * 4 + number * 16, 16), sizeof spare);
        return spare;
    }

    // --- time ---
    void run(Time until = never)
    {
        for (;;) {
            const Time next = std::min({controller.nextTime(), completions_.nextTime(), takenByHost_.nextTime()});
            if (next == never || next > until)
                break;
            now = next;
            controller.advance(now);
            while (completions_.isDue(now)) {
                const Completion done = completions_.pop();
                controller.operationDone(done.ticket, done.op, now);
            }
            while (takenByHost_.isDue(now))
                controller.hostTook(takenByHost_.pop(), now);
        }
        if (until != never)
            now = until;
    }

private:
    struct Completion {
        Ticket ticket;
        nand::Operation op;
    };

    static memory::BulkMemoryConfig memoryConfig(DataMode mode)
    {
        memory::BulkMemoryConfig config;
        config.region = {memoryBase, 0x20000};
        config.dataBuffer = dataBuffer;
        config.dataMode = mode;
        config.bytesPerSecond = 1'000'000'000;
        config.latency = 100ns;
        config.ports = {"flash"};
        return config;
    }
    FlashControllerConfig withGeometry(FlashControllerConfig config) const
    {
        config.die = part_.geometry;
        config.dataBuffer = dataBuffer;
        return config;
    }

    Moved move(BusAddress address, std::uint32_t bytes, Content content, Direction direction, Time at) override
    {
        CHECK(at >= now);
        if (memory.isDataBuffer(address, bytes)) {
            const auto count = static_cast<std::uint32_t>(bytes / sectorBytes);
            const Content store = memory.sectors(address, count);
            direction == Direction::ToMemory ? copySectors(store, content, count) : copySectors(content, store, count);
        } else {
            std::byte* store = memory.bytes(address, bytes);
            if (store == nullptr)
                return {at, false};
            direction == Direction::ToMemory ? std::memcpy(store, content.data, bytes)
                                             : std::memcpy(content.data, store, bytes);
        }
        const Time end = memory.access(0, bytes, at);
        bursts.push_back({address, bytes, direction, at, end});
        return {end, true};
    }

    void send(ChannelId channel, Ticket ticket, const nand::Operation& op, Time at) override
    {
        CHECK(at >= now);
        CHECK(channel == controller.config().array.channelOf(op.die));
        sent.push_back({op, at});
        Completion completion{ticket, op};
        nand::Operation& running = completion.op;
        const bool isOfWordLine = part_.geometry.hasWordLines() && op.opcode == nand::Opcode::Program && !op.pslc;
        const bool isHeld = isOfWordLine && !part_.geometry.isLastOfWordLine(op.target.page);
        if (isOfWordLine)
            running.form = isHeld ? nand::Form::WordLinePage : nand::Form::WordLineEnd;
        const bool isPlaneRead = part_.hasPlaneReads() && op.opcode == nand::Opcode::Read;
        Time& planeFree = planeFree_[raw(op.die) * part_.geometry.planes + part_.geometry.planeOf(op.target.block)];
        if (isPlaneRead)
            running.form = nand::Form::PlaneRead;
        running.requestEnd = std::max({at, dieFree_[raw(op.die)], planeFree}) + request;
        running.ready = dies[raw(op.die)]->issue(running, running.requestEnd);
        running.bitErrors = op.opcode == nand::Opcode::Read ? bitErrors : 0;
        const bool hasDataOut = op.opcode == nand::Opcode::Read || op.opcode == nand::Opcode::ReadId;
        if (hasDataOut && running.status == nand::Status::Ok)
            dies[raw(op.die)]->fetch(running); // before the next operation is issued
        if (running.form == nand::Form::CopyOut && running.status == nand::Status::Ok && !running.blank) {
            running.form = nand::Form::CopyIn;
            running.requestEnd = running.ready + statusRead + request;
            running.ready = dies[raw(op.die)]->issue(running, running.requestEnd);
        }
        if (isHeld) { // a word line finishes with its last page
            dieFree_[raw(op.die)] = running.ready;
            held_.push_back(completion);
            return;
        }
        running.done = running.ready + (op.opcode == nand::Opcode::Read ? response : statusRead);
        (isPlaneRead ? planeFree : dieFree_[raw(op.die)]) = running.done;
        const Time done = running.done;
        for (const Completion& page : held_)
            completions_.push(done, page);
        held_.clear();
        completions_.push(done, completion);
    }

    bool deliver(const HostRun& run, Time at) override
    {
        if (run.slot == refusedSlot)
            return false;
        const std::size_t bytes = run.sectors * stride(run.content.mode);
        sunk.push_back({run, {run.content.data, run.content.data + bytes}, at});
        takenByHost_.push(at + hostTime, run.ticket);
        return true;
    }

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
    EventHeap<Ticket> takenByHost_;
    std::uint32_t taken_ = 0;
};

// Descriptors of 1x1 superchips with an inline block number, reporting.
inline FlashDescriptor descriptor(SuperchipOpcode opcode, std::uint32_t die, std::uint32_t block)
{
    FlashDescriptor d;
    d.opcode = opcode;
    d.report = true;
    d.inlineBlocks = true;
    d.superchip = die;
    d.blocks = block;
    return d;
}
inline FlashDescriptor pages(SuperchipOpcode opcode, std::uint32_t die, nand::PageAddress first, std::uint32_t count,
                             std::uint32_t bufferSector)
{
    FlashDescriptor d = descriptor(opcode, die, first.block);
    d.startSector = first.page * 4;
    d.sectors = count * 4;
    d.buffer = bufferAt(bufferSector);
    return d;
}

} // namespace strobe::controller::test
