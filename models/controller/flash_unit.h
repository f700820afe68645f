#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A flash unit: executes linked lists of superchip operations without help from firmware. Coordinates its parts:
//   DescriptorFetcher  lists, descriptors, block lists             descriptor_fetcher.h
//   JobWindow          descriptors in execution and their order    unit_job.h
//   RowSlots           row runs (superchip.h), each of which is one to b low-level operations, one per channel, with
//                      speed-matching buffers, sector tables and the splitter to the host
//                                                                   row_slots.h, row_buffer.h, sector_table.h
// The unit itself counts lists, retires jobs in order, writes statuses back and reports events. Owns no clock; it
// orders wake-ups from its controller.
//
// The next descriptor is fetched as soon as the present one has all its rows in slots.
// Order: descriptors take effect, and are reported, in the order of the lists. Rows of a later descriptor join earlier
// ones only on the same superchip (whose dies keep the order), and a program does not fetch its data while an earlier
// read is unfinished, because that may be the data. Exception: if the dies have plane-independent reads, a read that is
// done is reported although reads before it are not. After a failed row no further row of its descriptor is started;
// the list continues with the next descriptor. A list whose descriptor cannot be read ends there. At the end: the
// status is written into the descriptor (and the inline spare record of a read), then the event is reported, if the
// descriptor says so or if anything failed. Firmware may reuse the descriptor when it has seen either. REQUIRES of
// firmware: a descriptor and its lists do not change while they are queued. Not modelled: abort of a list, priorities
// within a unit.

#include "models/base/resource.h"
#include "models/base/ring_queue.h"
#include "models/controller/descriptor_fetcher.h"
#include "models/controller/row_slots.h"
#include "models/controller/unit_job.h"
#include "models/controller/unit_port.h"

#include <cstdint>

namespace strobe::controller {

class alignas(64) FlashUnit {
public:
    // The references must outlive the unit. `ecc` is indexed by channel.
    // `oneChip`: of the same array as 1x1 superchips.
    FlashUnit(UnitId id, const FlashUnitConfig& config, const SuperchipMap& map, const SuperchipMap& oneChip,
              IdVector<ChannelId, EccEngines>& ecc, FlashDmaPort& memory, UnitPort& port);

    // HEAD was written. False: too many lists are waiting; the write is ignored, but counted and logged.
    bool submit(BusAddress head, Time now);
    // A descriptor of the synthesizer. It is not in memory, so it is neither fetched nor written back and causes no
    // event. Their number is not limited.
    void submitSynthesized(const FlashDescriptor& descriptor, Time now);
    void wake(std::uint32_t token, Time now);
    void operationDone(std::uint16_t lane, const nand::Operation& op, Time now);
    // Of a stepped operation: at the end of a primitive, and when PRIMITIVE is written.
    void primitiveEnded(std::uint16_t lane, Time now) { rows_.primitiveEnded(context_, lane, now); }
    void issuePrimitive(std::uint32_t primitive, Time now) { rows_.issuePrimitive(context_, primitive, now); }
    void hostTook(std::uint16_t lane, Time now); // the sectors of a slot, of which this is the first lane

    void observe(FlashObserver& observer) { context_.observer = &observer; }

    bool isBusy() const { return !unfinished_.empty(); }
    std::uint32_t waitingLists() const { return isBusy() ? static_cast<std::uint32_t>(unfinished_.size() - 1) : 0; }

    // Busy while a list is being executed; jobs are lists, waiting from HEAD to the end of the list before.
    const Resource& resource() const { return usage_; }
    const FlashUnitCounters& counters() const { return context_.counters; }
    std::uint32_t maxWaitingLists() const { return maxWaiting_; }
    void resetCounters(Time now); // a list that is being executed counts from now on

private:
    void addUnfinished(bool isSynthesized, Time now);
    void advance(Time now);
    void retire(UnitJob& job, Time now); // its descriptor is written back and reported
    bool startRow(Time now);             // false: it has to wait. REQUIRES: !window_.areAllStarted()
    bool fetchDescriptor(Time now);      // false: nothing was fetched. REQUIRES: fetcher_.mayFetch()
    bool startAhead(Time arrival);
    std::uint32_t placeOf(const UnitJob& job) const { return static_cast<std::uint32_t>(window_.placeOf(job)); }
    Time writeBack(const UnitJob& job, Time now);
    void finishList(Time now);

    // First what each operation needs, in as few cache lines as possible.
    UnitContext context_;
    JobWindow window_;
    DescriptorFetcher fetcher_;
    RowSlots rows_;
    RingQueue<Time> unfinished_;        // lists, by arrival; the front is executed
    std::uint32_t synthesizedOpen_ = 0; // of unfinished_: one each
    std::uint32_t maxWaiting_ = 0;
    Time lastFinish_{};
    Time measuredFrom_{}; // the last reset of the counters
    Resource usage_;
};

} // namespace strobe::controller
