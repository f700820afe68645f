// SPDX-License-Identifier: Apache-2.0
#include "models/memory/event_ring.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::memory {

namespace {
constexpr bool isPowerOfTwo(std::uint32_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}
} // namespace

bool EventRing::configure(BusAddress base, std::uint32_t entries)
{
    constexpr std::uint32_t mostEntries = 1u << 27;
    const bool isUsable = isPowerOfTwo(entries) && entries <= mostEntries && raw(base) % 4 == 0;
    base_ = base;
    entries_ = isUsable ? entries : 0;
    while (arrivals_.size() > heldBack_.size()) // the entries of the old ring are lost
        arrivals_.pop();
    producer_ = 0;
    consumer_ = 0;
    putHeldBack();
    return isUsable;
}

bool EventRing::push(const Entry& entry, Time now)
{
    ++counters_.events;
    arrivals_.push(now);
    counters_.maxWaiting = std::max<std::uint64_t>(counters_.maxWaiting, arrivals_.size());
    if (hasRoom() && heldBack_.empty()) {
        put(entry);
        return true;
    }
    heldBack_.push_back(entry);
    ++counters_.overflows;
    counters_.maxHeldBack = std::max<std::uint64_t>(counters_.maxHeldBack, heldBack_.size());
    return false;
}

bool EventRing::consumed(std::uint32_t count, Time now)
{
    const std::uint32_t taken = count - consumer_; // the counts wrap
    if (taken > producer_ - consumer_) {
        ++counters_.refusedConsumers;
        return false;
    }
    consumer_ = count;
    for (std::uint32_t i = 0; i < taken; ++i) {
        const Time waited = now - std::max(arrivals_.pop(), measuredFrom_);
        counters_.waited += std::max(waited, Time{});
        counters_.maxWaited = std::max(counters_.maxWaited, waited);
    }
    counters_.taken += taken;
    putHeldBack();
    return true;
}

EventRing::Position EventRing::position() const
{
    check(producer_ == consumer_ && heldBack_.empty(), "a ring changes hands with events in it");
    return {base_, entries_, producer_};
}

void EventRing::moveTo(std::uint32_t count)
{
    check(producer_ == consumer_ && heldBack_.empty(), "a ring changes hands with events in it");
    producer_ = consumer_ = count;
}

void EventRing::resetCounters(Time now)
{
    counters_ = {};
    counters_.maxWaiting = arrivals_.size();
    measuredFrom_ = now;
}

void EventRing::put(Entry entry)
{
    const std::uint32_t slot = producer_ & (entries_ - 1);
    const bool isPhaseOne = (producer_ & entries_) == 0; // the bit above the slot number counts the rounds
    entry[0] = isPhaseOne ? entry[0] | phaseBit : entry[0] & ~phaseBit;
    ++producer_; // before the writer, which may read the ring
    writer_(base_ + slot * entryBytes, entry);
}

void EventRing::putHeldBack()
{
    while (!heldBack_.empty() && hasRoom()) {
        const Entry entry = heldBack_.front();
        heldBack_.pop_front();
        put(entry);
    }
}

} // namespace strobe::memory
