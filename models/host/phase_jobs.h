#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The jobs of a phase: its own, number 0, and those beside it. Each has a pacer (request_pacer.h). When several have
// a request that is due, they take turns, one request each, so no job waits while another issues two. The phase's own
// job decides the length: when it has nothing more to issue, but for a closing flush, the others stop.
//
// Owns no clock and no command slots: the caller asks only while it has a free slot. A job that is restricted to some
// submission queues waits, and does not hold up the others, while those are all full.

#include "models/host/request_pacer.h"

#include <cstddef>
#include <vector>

namespace strobe::host {

class PhaseJobs {
public:
    struct Due {
        RequestPacer::Due request;
        std::size_t job = 0;      // for completed() and lost()
        std::uint64_t queues = 0; // bit q - 1: it may use queue q; 0: any
    };

    void begin(Phase& phase, Time now); // `phase` outlives its end()
    void end();                         // requests of this phase are no longer reported by completed()
    bool isActive() const { return phase_ != nullptr; }
    void stop(); // no request that has arrived will be issued

    // None: nothing is due now. `fullQueues`: bit q - 1: queue q takes no command.
    std::optional<Due> next(Time now, std::uint64_t fullQueues = 0);
    void completed(std::size_t job, std::uint64_t number, Time now) { pacers_[job].completed(number, now); }
    void lost(std::size_t job, std::uint64_t number, Time now) { pacers_[job].lost(number, now); } // with the power

    void advance(Time now);                               // ends of think times
    Time nextThinkEnd() const;                            // never: none
    Time nextArrival(std::uint64_t fullQueues = 0) const; // of a request that needs a slot. never: none is known

private:
    void stopBeside();
    bool waitsForQueue(std::size_t job, std::uint64_t fullQueues) const
    {
        return fullQueues != 0 && queues_[job] != 0 && (queues_[job] & ~fullQueues) == 0;
    }

    Phase* phase_ = nullptr;
    std::vector<RequestPacer> pacers_ = std::vector<RequestPacer>(1);   // by job
    std::vector<std::uint64_t> queues_ = std::vector<std::uint64_t>(1); // by job
    std::size_t turn_ = 0;
};

} // namespace strobe::host
