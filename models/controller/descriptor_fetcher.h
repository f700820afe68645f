#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Descriptor list fetcher of a flash unit: walks the lists whose heads firmware wrote, fetches one descriptor at a time
// and its block lists, validates it, and puts it into the job window. Descriptors of the request synthesizer come from
// a queue instead of memory, after all lists.
// A list whose descriptor cannot be read ends there.
// Owns no clock: the unit calls fetch() when there is a place for another job, and arrived() at the time for which it
// ordered a wake-up.

#include "models/base/ring_queue.h"
#include "models/controller/list_loop.h"
#include "models/controller/unit_job.h"

#include <cstdint>
#include <vector>

namespace strobe::controller {

class DescriptorFetcher {
public:
    enum class Result : std::uint8_t {
        Nothing,  // too early (a wake-up is ordered)
        Done,     // a job joined the window, or a fetch of block lists began
        Arriving, // a descriptor arrives at arrivesAt(); the caller orders the wake-up, or continues for that time
    };

    DescriptorFetcher(const UnitContext& unit, std::size_t places);

    void addList(BusAddress head) { heads_.push(head); }
    void addSynthesized(const FlashDescriptor& descriptor) { synthesized_.push(descriptor); }

    // Nothing is being fetched, all jobs have started, and there are a descriptor and a place for its job.
    bool mayFetch(const JobWindow& window) const
    {
        const bool hasPlace = !isFetching_ && window.areAllStarted() && !window.isFull();
        return hasPlace && (hasLists() || !synthesized_.empty());
    }
    Result fetch(UnitContext& unit, JobWindow& window, Time now); // REQUIRES: mayFetch()
    Time arrivesAt() const { return arrivesAt_; }
    // The arriving descriptor needs no further burst before the bus: its rows may be sent now for arrivesAt().
    bool needsNoMore(const UnitJob& job) const;

    // The wake-up for arrivesAt() or for block lists. False: it is no longer needed.
    bool takeWake()
    {
        isWakeOrdered_ = false;
        return isFetching_;
    }
    // The descriptor has arrived or, at the second call, its block lists.
    void arrived(UnitContext& unit, JobWindow& window, Time now);

    static std::uint32_t token(const UnitContext& unit) { return unit.config.operations; } // of its wake-ups

private:
    bool hasLists() const { return raw(next_) != 0 || !heads_.empty(); }
    Result takeSynthesized(UnitContext& unit, JobWindow& window, Time now);
    bool fetchBlockLists(UnitContext& unit, JobWindow& window, UnitJob& job, Time now);
    void admit(const UnitContext& unit, JobWindow& window, UnitJob& job, Time now);
    static void reportJob(const UnitContext& unit, const JobWindow& window, const UnitJob& job, Time now);
    std::uint32_t* blocksOf(const UnitContext& unit, const JobWindow& window, const UnitJob& job)
    {
        return &blocks_[window.placeOf(job) * 2 * unit.map.chips()];
    }

    // First what each descriptor needs.
    bool isFetching_ = false;
    bool isFetchingLists_ = false;
    bool isWakeOrdered_ = false;                        // at arrivesAt_
    MalformedReason malformed_ = MalformedReason::None; // of the descriptor that is fetched
    BusAddress next_{};                                 // 0: the next list
    ListLoop loop_;                                     // in the list that is fetched
    Time arrivesAt_{}; // the last descriptor has arrived; its first rows may have been sent ahead for that time
    RingQueue<BusAddress> heads_; // of lists of which nothing has been fetched
    RingQueue<FlashDescriptor> synthesized_;
    std::vector<std::uint32_t> blocks_; // of the jobs, by chip: targets, then sources of copy-backs
};

} // namespace strobe::controller
