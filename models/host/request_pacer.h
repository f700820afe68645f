#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Decides which request of a phase is next and when it is due:
//
//   closed loop  as many requests outstanding as the queue depth; after a completion, and after think time, the next.
//                With an interval, the n-th request not before n - 1 intervals have passed: what was late is caught up
//   open loop    each request at its arrival
//   dependent    each request of a trace when those that preceded it in the recording are complete
//                (workload/trace_dependencies.h)
//
// Owns no clock and no command slots: the caller asks only while it has a free slot.

#include "models/base/ring_queue.h"
#include "models/base/time.h"
#include "models/host/request.h"
#include "models/host/workload/trace_dependencies.h"
#include "models/host/workload/workload_phase.h"

#include <cstdint>
#include <optional>

namespace strobe::host {

class RequestPacer {
public:
    struct Due {
        Request request;
        Time arrived{};           // closed loop: now
        std::uint64_t number = 0; // for completed() and lost()
    };

    void begin(Phase& phase, Time now); // `phase` outlives its end()
    void end();                         // requests of this phase are no longer reported by completed()
    bool isActive() const { return phase_ != nullptr; }
    void stop(); // no request that has arrived will be issued

    std::optional<Due> next(Time now); // none: nothing is due now
    void completed(std::uint64_t number, Time now);
    void lost(std::uint64_t number, Time now); // with the power; there is no think time after it

    void advance(Time now);    // ends of think times
    Time nextThinkEnd() const; // never: none
    Time nextArrival() const;  // of a request that needs a slot. never: none is known

private:
    std::optional<Due> nextOfLoop(Time now);
    std::optional<Due> nextAtItsTime(Time now);
    void takeArrival(Time now);

    Phase* phase_ = nullptr;
    Time start_{};
    std::uint32_t credits_ = 0;      // closed loop: requests that may be issued now
    Time nextOfRate_{};              // closed loop with an interval: the next request is not issued before
    RingQueue<Time> thinking_;       // closed loop: ends of think times
    std::optional<Request> waiting_; // the next arrival; closed loop: what waits for its interval
    TraceDependencies dependencies_;
};

} // namespace strobe::host
