#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The jobs of a phase: its own, number 0, and those beside it. Each has a pacer (request_pacer.h). When several have
// a request that is due, they take turns, one request each, so no job waits while another issues two. The phase's own
// job decides the length: when it has nothing more to issue, but for a closing flush, the others stop.
//
// Owns no clock and no command slots: the caller asks only while it has a free slot.

#include "models/host/request_pacer.h"

#include <cstddef>
#include <vector>

namespace strobe::host {

class PhaseJobs {
public:
    struct Due {
        RequestPacer::Due request;
        std::size_t job = 0; // for completed() and lost()
    };

    void begin(Phase& phase, Time now); // `phase` outlives its end()
    void end();                         // requests of this phase are no longer reported by completed()
    bool isActive() const { return phase_ != nullptr; }
    void stop(); // no request that has arrived will be issued

    std::optional<Due> next(Time now); // none: nothing is due now
    void completed(std::size_t job, std::uint64_t number, Time now) { pacers_[job].completed(number, now); }
    void lost(std::size_t job, std::uint64_t number, Time now) { pacers_[job].lost(number, now); } // with the power

    void advance(Time now);    // ends of think times
    Time nextThinkEnd() const; // never: none
    Time nextArrival() const;  // of a request that needs a slot. never: none is known

private:
    void stopBeside();

    Phase* phase_ = nullptr;
    std::vector<RequestPacer> pacers_ = std::vector<RequestPacer>(1); // by job
    std::size_t turn_ = 0;
};

} // namespace strobe::host
