#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The host interface's events to firmware: the ring in control memory and the interrupt line. Owns no clock.
//
// An event is in memory from the start of its burst, so firmware that polls may see it a burst before the line rises.
// What firmware has taken counts from the time of its register write, which may be in the future (a CPU runs ahead by
// its cost points). Changes of the line are reported ahead: a rise when the event is put, for the end of the burst; a
// fall when it is queried (reportLine) or something else happens. Neither costs a separate wake-up, except while events
// find the ring full: then firmware's write frees entries for them at its time, so it is scheduled.

#include "models/base/interrupt_output.h"
#include "models/base/ring_queue.h"
#include "models/host/dma_port.h"
#include "models/memory/event_ring.h"

#include <cstdint>
#include <functional>

namespace strobe::host {

class HostEvents {
public:
    // `schedule`: the owner has to call takeHeldBack(count, at) at `at`.
    HostEvents(HostDmaPort& memory, FaultListener fault, std::function<void(std::uint32_t count, Time at)> schedule);
    HostEvents(const HostEvents&) = delete;
    HostEvents& operator=(const HostEvents&) = delete;

    InterruptOutput& line() { return line_; }
    bool configure(BusAddress base, std::uint32_t entries, Time at); // false: impossible; a fault has been reported

    // Returns when firmware can see it; `now` if it was held back.
    Time post(const memory::EventRing::Entry& event, Time now);

    // Firmware writes at `at` that it has taken `count` events in all.
    void take(std::uint32_t count, Time at);
    void takeHeldBack(std::uint32_t count, Time now);
    void catchUp(Time now); // what firmware has taken by now
    // Reports the line's changes up to `until`, which may be in the future, as far as they are known.
    void reportLine(Time until);

    const memory::EventRing& ring() const { return ring_; }
    void resetCounters(Time now);
    void moveTo(std::uint32_t count) { ring_.moveTo(count); }

private:
    struct Taken {
        Time at{};
        std::uint32_t count = 0;
    };

    void write(BusAddress address, const memory::EventRing::Entry& entry);
    void consume(std::uint32_t count, Time at);
    void raiseLine(Time now);

    HostDmaPort& memory_;
    FaultListener fault_;
    std::function<void(std::uint32_t, Time)> schedule_;
    memory::EventRing ring_;
    InterruptOutput line_;
    Time now_{};                // for the ring's writer
    RingQueue<Taken> taken_;    // by firmware, not applied yet
    RingQueue<Time> announced_; // ends of the bursts of events, from the present on
};

} // namespace strobe::host
