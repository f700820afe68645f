// SPDX-License-Identifier: Apache-2.0
#include "models/host/host_events.h"

#include <utility>

namespace strobe::host {

HostEvents::HostEvents(HostDmaPort& memory, FaultListener fault, std::function<void(std::uint32_t, Time)> schedule)
    : memory_(memory), fault_(std::move(fault)), schedule_(std::move(schedule)),
      ring_([this](BusAddress address, const memory::EventRing::Entry& entry) { write(address, entry); })
{
}

void HostEvents::write(BusAddress address, const memory::EventRing::Entry& entry)
{
    memory::EventRing::Entry copy = entry;
    const Content bytes{reinterpret_cast<std::byte*>(copy.data()), DataMode::Bytes};
    const Time end = memory_.move(address, memory::EventRing::entryBytes, bytes, true, now_);
    if (end == never)
        fault_("RING_BASE: the event ring is not in memory", now_);
    else
        announced_.push(end);
}

bool HostEvents::configure(BusAddress base, std::uint32_t entries, Time at)
{
    now_ = at; // for events that are held back
    const bool isPossible = ring_.configure(base, entries);
    if (!isPossible)
        fault_("RING_ENTRIES: " + std::to_string(entries) + " entries at " + std::to_string(raw(base)) +
                   " are no power of two or not word-aligned",
               at);
    return isPossible;
}

Time HostEvents::post(const memory::EventRing::Entry& event, Time now)
{
    catchUp(now);
    now_ = now;
    ring_.push(event, now);
    while (ring_.heldBack() != 0 && !taken_.empty()) {
        const Taken taken = taken_.pop();
        schedule_(taken.count, taken.at);
    }
    raiseLine(now);
    return announced_.empty() ? now : announced_[announced_.size() - 1];
}

void HostEvents::take(std::uint32_t count, Time at)
{
    if (ring_.heldBack() == 0)
        taken_.push({at, count});
    else
        schedule_(count, at);
}

void HostEvents::takeHeldBack(std::uint32_t count, Time now)
{
    consume(count, now);
    raiseLine(now); // for the events that were held back
}

void HostEvents::consume(std::uint32_t count, Time at)
{
    now_ = at; // for events that were held back and have space now
    if (!ring_.consumed(count, at))
        fault_("RING_CONSUMER: " + std::to_string(count) + " events taken, but only " +
                   std::to_string(ring_.producer()) + " were put",
               at);
    if (!ring_.lineAsserted())
        line_.set(false, at);
}

void HostEvents::catchUp(Time now)
{
    while (!taken_.empty() && taken_.front().at <= now) {
        const Taken taken = taken_.pop();
        consume(taken.count, taken.at);
    }
}

void HostEvents::reportLine(Time until)
{
    for (std::size_t i = 0; line_.isHigh() && i < taken_.size() && taken_[i].at <= until; ++i) {
        if (taken_[i].count == ring_.producer())
            line_.set(false, taken_[i].at);
    }
}

void HostEvents::resetCounters(Time now)
{
    catchUp(now);
    ring_.resetCounters(now);
}

// The line rises at the end of the next burst of an event, if there is an event to take. A fall scheduled for later
// than now is cancelled.
void HostEvents::raiseLine(Time now)
{
    while (!announced_.empty() && announced_.front() < now)
        announced_.pop();
    if (line_.isHigh() || !ring_.lineAsserted())
        return;
    if (line_.changedAt() > now)
        line_.set(true, line_.changedAt());
    else if (!announced_.empty())
        line_.set(true, announced_.front());
}

} // namespace strobe::host
