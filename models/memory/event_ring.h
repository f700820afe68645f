#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The hardware's side of an event ring in control memory (flash_event, host_event in firmware/regs/strobe.rdl). Entries
// of four words; bit 31 of the first is the phase: 1 in the first round of the ring, 0 in the second, and so on, so
// that firmware detects a new entry without reading a register. Producer and consumer are free-running 32-bit counts.
// The hardware never writes over an entry that firmware has not taken: events that find the ring full (or not set up)
// are held back, in order, and counted as overflow; consumed() frees entries for them. Not modelled: moving the bytes.
// The owner's writer does that, with whatever timing its memory port has. An event waits from push() until firmware
// acknowledges it, once per batch.

#include "models/base/ids.h"
#include "models/base/ring_queue.h"
#include "models/base/time.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>

namespace strobe::memory {

struct EventRingCounters {
    std::uint64_t events = 0;           // pushed
    std::uint64_t overflows = 0;        // of these, held back because the ring was full
    std::uint64_t maxHeldBack = 0;      // most held back at once
    std::uint64_t maxWaiting = 0;       // most events at once that firmware had not taken, held back ones included
    std::uint64_t refusedConsumers = 0; // firmware acknowledged events that were never put: ignored
    std::uint64_t taken = 0;            // by firmware
    Time waited{};                      // sum over those, from push to taken
    Time maxWaited{};                   // the longest of those waits
};

class EventRing {
public:
    using Entry = std::array<std::uint32_t, 4>;
    // Puts the four words of an entry, phase included, at a bus address.
    using Writer = std::function<void(BusAddress address, const Entry& entry)>;

    static constexpr std::uint32_t entryBytes = 16;
    static constexpr std::uint32_t phaseBit = 0x80000000;

    explicit EventRing(Writer writer) : writer_(std::move(writer)) {}

    // Sets both counts to zero; events held back go into the new ring. Returns false, and leaves the ring without
    // space, unless `entries` is a power of two (at most 2^27, the whole address space) and `base` is word-aligned.
    bool configure(BusAddress base, std::uint32_t entries);

    // Puts an event; bit 31 of its first word is ignored. False: held back.
    bool push(const Entry& entry, Time now);

    // Firmware has taken `count` events in all (free-running). False: more than were put; nothing changes.
    bool consumed(std::uint32_t count, Time now);

    // For a substitute that writes the ring while it is not used (functional_ring.h): where it is, and then how far the
    // substitute got. REQUIRES: firmware has taken all events, before and after.
    struct Position {
        BusAddress base{};
        std::uint32_t entries = 0;
        std::uint32_t count = 0; // events put and taken
    };
    Position position() const;
    void moveTo(std::uint32_t count);

    bool lineAsserted() const { return producer_ != consumer_; }
    std::uint32_t entries() const { return entries_; } // 0: not set up
    std::uint32_t producer() const { return producer_; }
    std::uint32_t consumer() const { return consumer_; }
    std::size_t heldBack() const { return heldBack_.size(); }
    const EventRingCounters& counters() const { return counters_; }
    void resetCounters(Time now); // waiting events are counted from now on

private:
    bool hasRoom() const { return producer_ - consumer_ < entries_; }
    void put(Entry entry);
    void putHeldBack();

    Writer writer_;
    BusAddress base_{};
    std::uint32_t entries_ = 0; // 0: not set up
    std::uint32_t producer_ = 0;
    std::uint32_t consumer_ = 0;
    std::deque<Entry> heldBack_;
    RingQueue<Time> arrivals_; // of the events that firmware has not taken, held back ones included
    Time measuredFrom_{};
    EventRingCounters counters_;
};

} // namespace strobe::memory
