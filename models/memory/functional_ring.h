#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// An event ring without time: in place of an EventRing, from which it takes its position and which goes on from where
// it ends. The same entries in the same memory; events that find the ring full are held back. Not modelled: waiting
// times and counters.

#include "models/base/check.h"
#include "models/memory/bulk_memory.h"
#include "models/memory/event_ring.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>

namespace strobe::memory {

class FunctionalRing {
public:
    // REQUIRES: firmware has set the ring up in control memory.
    FunctionalRing(const EventRing::Position& at, BulkMemory& memory)
        : entries_(at.entries), producer_(at.count), consumer_(at.count),
          place_(memory.bytes(at.base, at.entries * EventRing::entryBytes))
    {
        check(entries_ != 0 && place_ != nullptr, "an event ring that firmware has not set up in control memory");
    }

    void push(const EventRing::Entry& entry)
    {
        if (producer_ - consumer_ < entries_) // then none is held back: consumed() leaves some only if the ring is full
            put(entry);
        else
            holdBack(entry);
    }
    // Firmware has taken `count` events in all. False: more than were put; nothing changes.
    bool consumed(std::uint32_t count)
    {
        if (count - consumer_ > producer_ - consumer_)
            return false;
        consumer_ = count;
        if (!heldBack_.empty())
            putHeldBack();
        return true;
    }
    bool lineAsserted() const { return producer_ != consumer_; }
    std::uint32_t producer() const { return producer_; }

private:
    void holdBack(const EventRing::Entry& entry);
    void putHeldBack(); // as many as there is space for
    void put(const EventRing::Entry& entry)
    {
        std::byte* at = place_ + std::size_t{producer_ & (entries_ - 1)} * EventRing::entryBytes;
        const std::uint32_t phase = (producer_ & entries_) == 0 ? EventRing::phaseBit : 0;
        const EventRing::Entry words{(entry[0] & ~EventRing::phaseBit) | phase, entry[1], entry[2], entry[3]};
        std::memcpy(at, words.data(), sizeof words);
        ++producer_;
    }

    std::uint32_t entries_;
    std::uint32_t producer_;
    std::uint32_t consumer_;
    std::byte* place_;
    std::deque<EventRing::Entry> heldBack_;
};

} // namespace strobe::memory
