#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A descriptor in execution (job), and the jobs of a flash unit in order of their lists: which one starts next, which
// one may run concurrently with earlier ones, which one is retired.
//
// A job starts when all earlier jobs have all their rows in slots. It joins their rows only on the same superchip
// (whose dies keep the order); a program waits for earlier reads into memory, which may bring its data; reads to the
// host wait for earlier ones of the same command; a stepped operation is executed alone. Not modelled: aborting a job.

#include "models/base/strobe_registers.h"
#include "models/controller/descriptor.h"
#include "models/controller/superchip.h"
#include "models/controller/unit_port.h"

#include <array>
#include <cstdint>
#include <vector>

namespace strobe::controller {

// The first words of a descriptor, up to STATUS: what it orders.
inline constexpr std::size_t ordersOfDescriptor = wordAt(regs::flashDescriptor::STATUS);

struct alignas(64) UnitJob { // from fetched to retired; first what each program needs, in two cache lines
    FlashDescriptor descriptor;
    BusAddress address{};
    const SuperchipMap* map = nullptr;
    std::uint32_t cursor = 0; // next sector of the superblock; erase: next row of chips
    std::uint32_t end = 0;
    std::uint32_t pagesStarted = 0;
    std::uint32_t sent = 0; // to the host: sectors, in order
    std::uint16_t rowsOpen = 0;
    bool isReadable = true;
    bool isSynthesized = false;
    bool endsList = false;
    bool isStopped = false; // no further row will start
    bool isRetired = false; // before a job that was fetched earlier
    Outcome outcome;
    const std::uint32_t* targetBlocks = nullptr;            // by chip: in the descriptor, or as fetched
    const std::uint32_t* sourceBlocks = nullptr;            // copy-back: the same for the source
    nand::Spare spare{};                                    // read, inline
    std::array<std::uint32_t, ordersOfDescriptor> orders{}; // as they were fetched

    bool isStarted() const { return isStopped || cursor == end; }
    // Its pages are sent when all of a word line are here.
    bool writesWordLines() const
    {
        return descriptor.opcode == SuperchipOpcode::Program && !descriptor.isPslc && map->dieGeometry().hasWordLines();
    }
    bool takesData() const { return descriptor.opcode == SuperchipOpcode::Program || descriptor.hasSectorTable; }
};

// The descriptor is malformed: no further part of it is started.
void refuseJob(UnitJob& job, const UnitContext& unit, MalformedReason reason, Time now);
// The memory of its descriptor holds other orders than those that were fetched: a failure, though the job is done.
void checkOwnership(const UnitJob& job, const UnitContext& unit, Time now);
// An operation of it has failed on chip `chip` of the superchip. The first failure decides the outcome.
void failJob(UnitJob& job, const UnitContext& unit, const nand::Operation& op, nand::Status status, std::uint32_t chip,
             Time now);

// A read of it was corrected: the outcome of the job has the most bits.
inline void noteCorrected(UnitJob& job, const nand::Operation& read)
{
    if (job.outcome.code == StatusCode::Pending)
        job.outcome.page = std::max(job.outcome.page, correctedBits(read));
}

class JobWindow {
public:
    explicit JobWindow(std::uint32_t places) : places_(places), jobs_(places) {}

    bool empty() const { return count_ == 0; }
    bool isFull() const { return count_ == places_; }
    bool areAllStarted() const { return started_ == count_; }
    std::uint32_t places() const { return places_; }
    // Of a job: its number among the places.
    std::size_t placeOf(const UnitJob& job) const { return static_cast<std::size_t>(&job - jobs_.data()); }

    // The place after the last job, for the job being fetched. REQUIRES: !isFull()
    UnitJob& arriving() { return jobs_[index(count_)]; }
    // The caller sets its descriptor.
    UnitJob& beginArrival(BusAddress address, const SuperchipMap& map);
    void admit() { ++count_; } // the arriving one

    // A job that is not retired has the descriptor at this address.
    bool holds(BusAddress address) const
    {
        for (std::uint32_t i = 0; i < count_; ++i) {
            const UnitJob& job = jobs_[index(i)];
            if (job.address == address && job.isReadable && !job.isRetired && !job.isSynthesized)
                return true;
        }
        return false;
    }

    void skipStarted()
    {
        while (started_ < count_ && jobs_[index(started_)].isStarted())
            ++started_;
    }
    UnitJob& starting() { return jobs_[index(started_)]; } // REQUIRES: !areAllStarted()
    // Whether the rows in progress of the started jobs allow it.
    bool mayStart(const UnitJob& job) const;

    // The oldest job has started and has no rows in slots any more. REQUIRES: all that have started are skipped.
    bool isFirstDone() const { return started_ != 0 && jobs_[first_].rowsOpen == 0; }
    // Takes the oldest job out; it stays readable until the next beginArrival(). REQUIRES: isFirstDone().
    UnitJob& retire()
    {
        UnitJob& job = jobs_[first_];
        dropFirst();
        for (; early_ != 0 && jobs_[first_].isRetired; --early_)
            dropFirst();
        return job;
    }
    // Takes out a read that is done before the oldest job, if all jobs before it are reads, too: those of different
    // planes of a die end at their own times. Not of reads to the host, whose sectors go there in order. Its place
    // stays in use until the jobs before it are retired. Null: there is none. REQUIRES: !isFirstDone().
    UnitJob* retireEarly();

private:
    void dropFirst()
    {
        first_ = index(1);
        --count_;
        --started_;
    }
    std::uint32_t index(std::uint32_t place) const // place is at most one round
    {
        return first_ + place < places_ ? first_ + place : first_ + place - places_;
    }

    std::uint32_t first_ = 0;
    std::uint32_t count_ = 0;   // fetched and not retired
    std::uint32_t started_ = 0; // of these, from the front: those that have all rows in slots
    std::uint32_t early_ = 0;   // of these: retired before the oldest one
    std::uint32_t places_;
    std::vector<UnitJob> jobs_; // a ring
};

} // namespace strobe::controller
