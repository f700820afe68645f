#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A flash unit: executes linked lists of superchip operations without any help from firmware. Owns no clock; it asks to
// be woken.
//
// A descriptor is expanded into row runs (superchip.h), each of which is one to b low-level operations, one per
// channel. A row run lives in a slot with its speed-matching buffer:
//   read       in flash, decoding, storing data                program   fetching data, encoding, in flash
//   erase, copy-back   in flash; a copy-back is not sent before an earlier program is, whose data has to come first
// Descriptors with a sector table take their own way through the slot (flash_unit_tables.cpp), reads to the host leave
// it by the splitter: the slot is free when the host interface has taken the sectors.
// Several slots let the die's next operation wait in the channel's queue while the present one works (`operations`),
// and the next descriptor is fetched as soon as the present one has all its rows in slots.
//
// Order: descriptors take effect, and are reported, in the order of the lists. Rows of a later descriptor join earlier
// ones only on the same superchip (whose dies keep the order), and a program does not fetch its data while an earlier
// read is unfinished, because that may be the data. After a failed row no further row of its descriptor is started; the
// list goes on with the next descriptor. A list whose descriptor cannot be read ends there.
// At the end: the status is written into the descriptor (and the inline spare record of a read), then the event is
// reported, if asked for or if anything failed. Firmware may reuse the descriptor when it has seen either.
// REQUIRES of firmware: a descriptor and its lists do not change while they are queued.
// Not modelled: abort of a list, priorities within a unit.

#include "models/base/resource.h"
#include "models/base/ring_queue.h"
#include "models/base/statistics.h"
#include "models/controller/descriptor.h"
#include "models/controller/ecc.h"
#include "models/controller/failure_log.h"
#include "models/controller/ports.h"

#include <array>
#include <cstdint>
#include <vector>

namespace strobe::controller {

struct FlashUnitConfig {
    std::uint32_t depth = 4;      // lists that wait behind the one being executed
    std::uint32_t operations = 2; // row runs at a time
    nand::Priority priority = nand::Priority::Background;
    DataMode dataMode = DataMode::Tags;
    memory::Region dataBuffer; // holds sectors; what goes to and from elsewhere is bytes
    bool hasHost = false;      // reads may go to the host interface
};

struct FlashEvent { // what goes into the event ring
    Outcome outcome;
    BusAddress descriptor{};
    std::uint32_t cookie = 0;
    UnitId unit{};
};

// What a unit needs of its controller.
class UnitPort {
public:
    virtual ~UnitPort() = default;
    virtual void wakeUnit(UnitId unit, std::uint32_t token, Time at) = 0; // FlashUnit::wake(token) at that time
    virtual void sendOperation(Ticket ticket, const nand::Operation& op, Time at) = 0;
    virtual void reportEvent(const FlashEvent& event, Time at) = 0;
    virtual bool sendToHost(const HostRun& run, Time now) = 0; // as HostSink::deliver
    virtual void synthesizedDone(std::uint32_t cookie, bool isOk, Time now) = 0;
    virtual void noteFailure(const Failure& failure) = 0;
};

enum class Stage : std::uint8_t {
    FetchingDescriptor,
    FetchingData,
    Encoding,
    InFlash, // from the channel's queue to the last byte of the response
    Decoding,
    StoringData,
    WritingBack
};

inline constexpr std::array<EnumRow<Stage>, 7> stageTable{
    {{Stage::FetchingDescriptor, "fetching descriptor", "descriptor and block lists"},
     {Stage::FetchingData, "fetching data", "memory to speed-matching buffer"},
     {Stage::Encoding, "encoding", "ECC before the bus"},
     {Stage::InFlash, "in flash", "channel queue, bus and array"},
     {Stage::Decoding, "decoding", "ECC behind the bus"},
     {Stage::StoringData, "storing data", "speed-matching buffer to memory"},
     {Stage::WritingBack, "writing back", "status into the descriptor"}}};
constexpr const auto& enumTable(Stage)
{
    return stageTable;
}

struct FlashUnitCounters {
    std::array<std::uint64_t, 5> descriptors{}; // retired, by SuperchipOpcode; [0]: of unknown opcode or unreadable
    std::uint64_t lists = 0;                    // retired
    std::uint64_t failed = 0;                   // descriptors with another status than ok, malformed ones included
    std::uint64_t listsRefused = 0;
    std::array<Time, stageTable.size()> stageTime{}; // summed over descriptors and row runs

    void declare(Statistics& stats)
    {
        for (const auto& row : stageTable)
            stats.add(row.name, Unit::Duration, row.help, stageTime[static_cast<std::size_t>(row.value)]);
    }
};

class alignas(64) FlashUnit {
public:
    // The references must outlive the unit. `ecc` is indexed by channel.
    // `oneChip`: of the same array as 1x1 superchips.
    FlashUnit(UnitId id, const FlashUnitConfig& config, const SuperchipMap& map, const SuperchipMap& oneChip,
              IdVector<ChannelId, EccEngines>& ecc, MemoryPort& memory, UnitPort& port);

    // HEAD was written. False: too many lists are waiting, nothing happens (but it is counted and noted).
    bool submit(BusAddress head, Time now);
    // A descriptor of the synthesizer: not in memory, so neither fetched nor written back, and no event. Any number.
    void submitSynthesized(const FlashDescriptor& descriptor, Time now);
    void wake(std::uint32_t token, Time now);
    void operationDone(std::uint16_t lane, const nand::Operation& op, Time now);
    void hostTook(std::uint16_t lane, Time now); // the sectors of a slot, of which this is the first lane

    bool isBusy() const { return !unfinished_.empty(); }
    std::uint32_t waitingLists() const { return isBusy() ? static_cast<std::uint32_t>(unfinished_.size() - 1) : 0; }

    // Busy while a list is being executed; jobs are lists, waiting from HEAD to the end of the list before.
    const Resource& resource() const { return usage_; }
    const FlashUnitCounters& counters() const { return counters_; }
    std::uint32_t maxWaitingLists() const { return maxWaiting_; }
    void resetCounters(Time now); // a list that is being executed counts from now on

private:
    struct alignas(64) Job { // a descriptor, from fetched to retired
        FlashDescriptor descriptor;
        const SuperchipMap* map = nullptr;
        BusAddress address{};
        std::uint32_t cursor = 0; // next sector of the superblock; erase: next row of chips
        std::uint32_t end = 0;
        std::uint32_t pagesStarted = 0;
        std::uint32_t sent = 0; // to the host: sectors, in order
        std::uint16_t rowsOpen = 0;
        bool isReadable = true;
        bool isSynthesized = false;
        bool endsList = false;
        bool isStopped = false; // no further row will start
        Outcome outcome;
        nand::Spare spare{}; // read, inline

        bool isStarted() const { return isStopped || cursor == end; }
    };
    struct alignas(64) CacheLine {
        std::array<std::byte, 64> bytes;
    };
    static std::size_t linesOf(std::size_t bytes) { return (bytes + sizeof(CacheLine) - 1) / sizeof(CacheLine); }
    struct alignas(64) Slot { // a row run; first what each needs
        bool isFree = true;
        bool isWaiting = false; // for the rows before it to be sent to the host
        Stage stage = Stage::InFlash;
        DataMode mode = DataMode::None; // of what stands in the buffer
        bool hasFailed = false;
        std::uint16_t job = 0; // index in jobs_
        RowRun run;
        std::uint32_t offset = 0;    // first sector, counted from the descriptor's first
        std::uint32_t firstPage = 0; // of the descriptor: number of its first spare record
        std::uint32_t pages = 0;
        std::uint32_t pending = 0;         // operations not done
        const SuperchipMap* map = nullptr; // of its descriptor
        Time since{};                      // of the stage
        Time decoded{};
        std::vector<nand::Spare> manySpares; // one per page of the row, if there are several buses
        nand::Spare onlySpare{};             // else
        std::vector<CacheLine> lanes;        // speed-matching buffers, one page per bus
        std::vector<std::byte> sequence;     // b > 1: the row's sectors in order of memory

        // With a sector table.
        std::vector<std::uint32_t> table;    // of the row, as firmware wrote it
        std::vector<std::byte> fed;          // what the outbound feeder has fetched, in order of memory
        std::vector<std::uint64_t> replaced; // by bus: sectors of the page that are buffered, bit by bit

        std::uint32_t buses() const { return map->degrees().bus; }
        nand::Spare* spares() { return manySpares.empty() ? &onlySpare : manySpares.data(); }
    };

    // Descriptors (flash_unit.cpp). The three steps return whether they did anything.
    void advance(Time now);
    void skipStarted();
    bool startRow(Time now);
    bool retireJob(Time now);
    bool fetchDescriptor(Time now);
    bool takeSynthesized(Time now);
    Job& newJob(BusAddress address);
    void admitJob(Job& job);
    bool startAhead(Time arrival);
    void descriptorArrived(Time now);
    bool fetchBlockLists(Job& job, Time now);
    bool mayStart(const Job& job) const;
    bool mayOvertake(std::uint32_t jobNumber) const;
    void refuse(Job& job, MalformedReason reason, Time now);
    Time writeBack(const Job& job, Time now);
    void finishList(Time now);
    Moved moveControl(BusAddress address, void* data, std::uint32_t bytes, Direction direction, Time at);

    // Row runs (flash_unit_rows.cpp).
    void startSlot(std::uint32_t index, std::uint32_t job, Time now);
    Time fetchRow(Slot& slot, Job& job, Time now);
    Moved moveRow(Slot& slot, const Job& job, Direction direction, Time at);
    void sendRow(std::uint32_t index, Time dataAt);
    nand::Operation operation(Slot& slot, const Job& job, std::uint32_t bus, const PageRun& share) const;
    void storeRow(std::uint32_t index, Time now);
    void finishRow(Slot& slot);
    Moved moveSpares(Slot& slot, const Job& job, Direction direction, Time at);
    void dealSectors(Slot& slot, Direction direction);
    void setMode(Slot& slot, const Job& job) const;
    void fail(Job& job, const nand::Operation& op, nand::Status status, std::uint32_t chip, Time now);
    std::uint32_t placeInRow(const Slot& slot, std::uint32_t bus) const;
    void sendToHost(std::uint32_t job, Time now);
    Content wholeRow(Slot& slot) const { return slot.buses() > 1 ? sequence(slot) : lane(slot, 0); }
    BusAddress bufferOf(const Slot& slot, const Job& job) const
    {
        return job.descriptor.buffer + static_cast<std::uint32_t>(slot.offset * job.descriptor.step * sectorBytes);
    }
    Content lane(Slot& slot, std::uint32_t bus) const;
    Content sequence(Slot& slot) const; // of the row's sectors as they stand in memory

    // Sector tables (flash_unit_tables.cpp).
    Time fetchBuffered(Slot& slot, Job& job, Time now);
    Moved feed(Slot& slot, Time at, MalformedReason& reason);
    void markReplaced(Slot& slot);
    void fillFromFed(Slot& slot);
    bool needsFlash(const Slot& slot, const Job& job, const PageRun& share, std::uint32_t bus) const;
    void shapeOperation(nand::Operation& op, Slot& slot, const Job& job, std::uint32_t bus, const PageRun& share) const;
    void replaceFed(Slot& slot, const Job& job, Content destination);
    bool programsInstead(const Slot& slot, const Job& job, const nand::Operation& op, std::uint16_t lane, Time now);

    void spend(Stage stage, Time duration) { counters_.stageTime[static_cast<std::size_t>(stage)] += duration; }
    std::uint32_t jobIndex(std::uint32_t place) const
    {
        const auto jobs = static_cast<std::uint32_t>(jobs_.size()); // place is at most one round
        return firstJob_ + place < jobs ? firstJob_ + place : firstJob_ + place - jobs;
    }
    std::uint32_t fetchToken() const { return static_cast<std::uint32_t>(slots_.size()); }
    std::uint32_t buses() const { return map_.degrees().bus; }
    // By chip: in the descriptor, or as fetched: targets, then sources.
    std::size_t fetchedBlocks(const Job& job) const
    {
        return static_cast<std::size_t>(&job - jobs_.data()) * 2 * map_.chips();
    }
    const std::uint32_t* targetBlocks(const Job& job) const
    {
        return job.descriptor.inlineBlocks ? &job.descriptor.blocks : &blocks_[fetchedBlocks(job)];
    }
    const std::uint32_t* sourceBlocks(const Job& job) const
    {
        return job.descriptor.inlineBlocks ? &job.descriptor.sourceBlocks : &blocks_[fetchedBlocks(job) + map_.chips()];
    }
    bool hasSynthesized() const { return synthesizedOpen_ != 0 && !synthesized_.empty(); }

    // First what each operation needs, in as few cache lines as it takes.
    UnitId id_;
    bool isFetching_ = false;
    bool isFetchingLists_ = false;
    bool isToldToFetch_ = false;                        // a wake-up at fetchedAt_ is ordered
    MalformedReason malformed_ = MalformedReason::None; // of the descriptor being fetched
    std::uint32_t firstJob_ = 0;
    std::uint32_t jobCount_ = 0;    // fetched and not retired
    std::uint32_t jobsStarted_ = 0; // of these, from the front: those that have all rows in slots
    BusAddress nextDescriptor_{};   // of the list fetched from last; 0: it has no more
    std::vector<Job> jobs_;         // a ring; behind the last one is the one being fetched
    Time fetchedAt_{};              // the last descriptor is here; its first rows may have been sent ahead for then
    Time programsSent_{};           // the last row with data is at its channels
    std::vector<Slot> slots_;
    const SuperchipMap& map_;
    const SuperchipMap& oneChip_;
    IdVector<ChannelId, EccEngines>& ecc_;
    MemoryPort& memory_;
    UnitPort& port_;
    RingQueue<Time> unfinished_;  // lists, by arrival; the front is executed
    RingQueue<BusAddress> heads_; // of these, those of which nothing has been fetched
    FlashUnitConfig config_;
    std::uint32_t synthesizedOpen_ = 0; // of unfinished_: one each
    std::uint32_t maxWaiting_ = 0;
    Time lastFinish_{};
    Time measuredFrom_{}; // the last reset of the counters
    FlashUnitCounters counters_;
    Resource usage_;

    std::vector<std::uint32_t> blocks_; // of the jobs, by chip: targets, then sources of copy-backs
    RingQueue<FlashDescriptor> synthesized_;
};

} // namespace strobe::controller
