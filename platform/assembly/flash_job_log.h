#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The way of each descriptor (flash job) from firmware's write of HEAD until firmware can see the result, observed at
// the flash units. A job of several row runs follows the run that ends last, and in a slot the runs of the job before
// it; a run of several chips follows the operation that ends last. Waiting for the unit counts as waiting for a die
// while the unit executes a job of the same superchip.
// The last jobs are kept, with what they put into the data buffer, so that a transfer to the host finds the job that
// its data came from. There are 4,096 of them, or as many as have ended since the oldest request began (keepSince()),
// up to 131,072.

#include "models/base/ring_queue.h"
#include "models/controller/flash_observer.h"
#include "models/memory/region.h"
#include "platform/assembly/cpu_sleep.h"
#include "platform/assembly/die_activity.h"
#include "platform/assembly/growing_table.h"
#include "platform/assembly/segment_ring.h"

#include <array>
#include <cstdint>
#include <vector>

namespace strobe::platform {

inline constexpr DieId noDie{UINT16_MAX}; // of several dies none was the last, or none took part

// Which dies a job uses.
struct JobDies {
    std::uint32_t superchip = UINT32_MAX; // UINT32_MAX: not known
    bool isOneChip = false;

    friend bool operator==(const JobDies& a, const JobDies& b)
    {
        return a.superchip == b.superchip && a.isOneChip == b.isOneChip;
    }
};

inline constexpr std::array<DieWork, 5> workOfJob{// by opcode, from 1
                                                  DieWork::Reading, DieWork::Reading, DieWork::Programming,
                                                  DieWork::Erasing, DieWork::Copying};
// Descriptors with another opcode are refused, but have been fetched.
constexpr DieWork workOf(controller::SuperchipOpcode opcode)
{
    const auto index = static_cast<std::size_t>(opcode);
    return index < workOfJob.size() ? workOfJob[index] : DieWork::Reading;
}

// What is kept of a job.
struct FlashJob {
    std::uint64_t number = 0;   // of a run; jobs and their rows are numbered in order of their beginnings
    std::uint64_t request = 0;  // of the host that it works for; 0: none that is known
    Time listed{};              // HEAD
    Time visible{};             // the result, for firmware
    std::uint64_t segments = 0; // of its path, from listed to visible: position in the ring
    CpuSleep::Mark sleeps{};    // when it was listed
    Time wokeUp = never;        // firmware, before it listed the job; never: not known yet
    std::uint32_t cause = 0;    // id of the last job whose result was visible then; 0: none
    std::uint32_t id = 0;       // from 1, in order of retirement; wraps after 2^32
    std::uint32_t before = 0;   // id of the last job that had retired when it was listed
    std::uint32_t again = 0;    // id of the job that last read into the same place, for a read that is tried again
    JobDies dies;
    DieId die = noDie; // of the operation that ended last; noDie: operations of several dies did
    controller::SuperchipOpcode opcode = controller::SuperchipOpcode::Read;
    nand::Purpose purpose = nand::Purpose::Host;
    std::uint8_t segmentCount = 0;

    StageId work() const { return dieWait(purpose, workOf(opcode)); } // of who waits for it
    bool readsMap() const { return opcode == controller::SuperchipOpcode::Read && purpose == nand::Purpose::Metadata; }
};

// What else is known when it ends.
struct EndedJob : FlashJob {
    UnitId unit{};
    BusAddress buffer{};
    std::uint32_t sectors = 0;
    Time fetched{};
};

class StageSink; // platform/assembly/stage_sink.h

// What is used of a descriptor.
struct ObservedJob {
    ObservedJob(const controller::FlashObserver::Job& job); // implicitly
    UnitId unit;
    bool isSynthesized;
    bool endsList;
    bool isToBuffer;   // a read without a unit table
    bool hasUnitTable; // `buffer` is not used
    controller::SuperchipOpcode opcode;
    nand::Purpose purpose;
    std::uint32_t place;
    JobDies dies;
    BusAddress buffer;
    std::uint32_t sectors;
    std::uint32_t step;
};

// Its functions are called for what controller::FlashObserver reports, in the same order.
class FlashJobLog {
public:
    static constexpr std::uint32_t leastKept = 4096; // jobs
    static constexpr std::uint32_t mostKept = 1U << 17U;
    // `buses`: of a superchip. `planes`: DieActivity. `before`: the ids of the jobs follow it.
    FlashJobLog(std::size_t dies, std::size_t units, std::uint32_t buses, const memory::Region& dataBuffer,
                std::uint32_t planes, std::uint32_t before = 0);

    DieActivity& dies() { return dies_; }
    void tell(StageSink* sink) { sink_ = sink; } // null: none

    void listed(UnitId unit, bool isSynthesized, Time at, const CpuSleep::Mark& sleeps = {});
    void fetched(const ObservedJob& job, Time at);
    // listed() and fetched() of a job of that unit and source, one directly after the other.
    void listedAndFetched(const ObservedJob& job, Time listed, const CpuSleep::Mark& sleeps, Time at);
    void rowStarted(UnitId unit, std::uint32_t slot, std::uint32_t place, Time at);
    void unitsPlaced(UnitId unit, std::uint32_t slot, BusAddress first, std::uint32_t sectors);
    void sent(controller::Ticket ticket, std::uint32_t slot, Time dataAt, Time at);
    void finished(controller::Ticket ticket, std::uint32_t slot, const WhichOperation& op, Time at, Time decoded);
    void rowEnded(UnitId unit, std::uint32_t slot, Time at);
    void retired(UnitId unit, std::uint32_t place, Time at, Time visible);
    std::uint64_t jobOf(UnitId unit, std::uint32_t slot) { return rowOf(unit, slot).job; } // FlashJob::number

    // Of the kept jobs, null if there is none: the one with that number, the last one whose result was visible at that
    // time, and the last one that read some of those sectors from flash into the data buffer.
    FlashJob* job(std::uint32_t id);
    JobSegments pathOf(const FlashJob& job) const { return {job.listed, segments_.at(job.segments), job.segmentCount}; }
    std::uint32_t lastId() const { return lastId_; }
    // A quarter of the kept jobs has been replaced since the last keepSince().
    bool isKeepDue() const { return static_cast<std::int32_t>(lastId_ - keepDue_) >= 0; }
    // Jobs whose results were visible after that time are still needed. True: twice as many as before are kept from now
    // on, and references to jobs are not valid any more.
    bool keepSince(Time time);
    std::uint32_t lastVisible(Time at, std::uint32_t near) const; // its id; 0: none. The search begins near that one.
    FlashJob* readerOf(std::uint32_t buffer, std::uint32_t sectors);
    bool hasOpenBefore(Time time) const; // a job that began before that time and is not over
    void stop()                          // nothing more is observed
    {
        isStopped_ = true;
        dies_.stop();
    }
    // The host fills the sectors of the data buffer, for jobs that will write them.
    void filled(std::uint32_t buffer, std::uint32_t sectors, std::uint64_t request);
    // A row that goes to the host directly at `at`, for that request: its way until then.
    struct RowWay {
        JobPath path;
        DieId die = noDie;
        JobDies dies;
    };
    void takeRow(controller::Ticket ticket, std::uint64_t request, Time at, RowWay& into);

private:
    static constexpr std::size_t keptPast = 64;
    struct Lane { // an operation of a row
        std::uint64_t row = 0;
        JobPath path; // from the start of its row
    };
    struct Row {
        std::uint64_t number = 0;
        std::uint64_t job = 0; // FlashJob::number
        std::uint32_t place = 0;
        JobPath path; // from when its job was listed to the start of the row; with one bus per superchip to its end
        JobPath way;  // from there, of the operation that ended last
        DieId die = noDie;
    };
    static constexpr std::uint32_t noRow = UINT32_MAX;
    struct Placed {
        BusAddress first{};
        std::uint32_t sectors = 0;
    };
    struct OpenJob {
        EndedJob job;
        std::uint32_t last = noRow; // slot of the row that ended last, which has the path of the job
        JobPath path;               // otherwise
        Time end{};                 // of the path
        std::uint32_t step = 1;
        std::vector<std::uint64_t> served; // requests whose sectors it writes, for the sink
        std::vector<Placed> placed;        // a read with a unit table: where its units go
        bool isToBuffer = false;
        bool hasUnitTable = false;
        bool isOpen = false;
        Time started = never; // its first row
    };
    struct Past {
        Time start{};
        Time end{};
        JobDies dies;
        StageId work = 0;
    };
    struct Listed {
        Time at{};
        CpuSleep::Mark sleeps{};
        std::uint32_t before = 0;
    };
    struct Unit {
        std::array<RingQueue<Listed>, 2> listed; // lists not begun: of firmware, of the synthesizer
        bool isInList = false;
        Listed last;                // list begun
        GrowingTable<OpenJob> jobs; // by place
        GrowingTable<Row> rows;     // by slot
        GrowingTable<Lane> lanes;
        std::vector<Past> past = std::vector<Past>(keptPast); // ring
        std::size_t pastCount = 0;
        std::uint32_t openJobs = 0;
    };

    bool isInBuffer(std::uint32_t buffer, std::uint32_t sectors) const;
    std::uint32_t sectorOf(std::uint32_t buffer) const
    {
        return (buffer - raw(dataBuffer_.base)) / static_cast<std::uint32_t>(sectorBytes);
    }
    std::uint64_t writerOf(BusAddress buffer) const; // the request that filled it; 0: none
    // The job writes these sectors of the data buffer: notes their owners, for the sink.
    void writes(OpenJob& open, BusAddress first, std::uint32_t sectors) const;
    std::uint32_t oldestKept() const // its id
    {
        return lastId_ - oldestOnce_ > mask_ ? lastId_ - mask_ : oldestOnce_;
    }
    std::uint32_t readInto(const OpenJob& open) const;
    void beginJob(Unit& unit, const ObservedJob& job, const Listed& list, Time at);
    Row& rowOf(UnitId unit, std::uint32_t slot);
    static void waitForUnit(const Unit& unit, const FlashJob& job, Time until, JobPath& path);

    memory::Region dataBuffer_;
    std::uint32_t buses_;
    StageSink* sink_ = nullptr;
    bool isStopped_ = false;
    DieActivity dies_;
    IdVector<UnitId, Unit> units_;
    std::vector<FlashJob> kept_; // ring by id
    std::uint32_t mask_ = leastKept - 1;
    std::uint32_t oldestOnce_;  // at the last keepSince(), its id; at first the one before the jobs
    std::uint32_t keepDue_;     // isKeepDue() from that id on
    SegmentRing segments_;      // of their paths
    std::vector<Time> visible_; // the same: when the results of the jobs up to this one were visible
    std::uint32_t lastId_;
    std::uint64_t numbers_ = 0;          // of jobs and rows
    std::vector<std::uint32_t> readers_; // jobs, by sector of the data buffer
    std::vector<std::uint64_t> writers_; // requests, the same
};

} // namespace strobe::platform
