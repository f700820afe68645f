#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Receives what the observation of requests finds (request_stages.h), for pictures over time: requests, the flash jobs
// that work for them, NAND operations and bus segments. Calls come in order of the events that end them; none changes
// anything. They may come some time after these events, and in another thread (comesLate()).

#include "models/channel/nand_interface.h"
#include "models/nand/operation.h"
#include "platform/assembly/flash_job_log.h"
#include "platform/report/stage_tally.h"

#include <algorithm>

namespace strobe::platform {

// A NAND operation that has left its channel.
struct EndedOperation {
    EndedOperation(const nand::Operation& ended) // implicitly
        : op(ended), requestEnd(ended.requestEnd), arrayEnd(std::max(ended.ready, ended.arrayEnd)), done(ended.done)
    {
    }
    ObservedOperation op;
    Time requestEnd; // array time begins
    Time arrayEnd;
    Time done;
};

class StageSink {
public:
    virtual ~StageSink() = default;
    virtual Time until() const = 0; // what begins then or later is not needed; may become earlier
    // Its calls may be put off as long as they are made before the end of the run. Then all of them but handOver() are
    // made in the thread of the analysis (stage_events.h).
    virtual bool comesLate() const = 0;
    // comesLate(): in the thread of the simulation, from time to time: what the sink has been told there by others is
    // for the other thread. takeOver(), there: the events until then have been told. As many calls as of handOver().
    virtual void handOver() = 0;
    virtual void takeOver() = 0;
    virtual void opened(std::uint64_t request, Time from) = 0; // its latency counts from there
    // A segment of the operation holds the bus of the die's channel. Operations of a die differ by requestStart.
    virtual void segment(const ObservedOperation& op, channel::NandInterface::Phase phase, Time start, Time end) = 0;
    virtual void operation(const EndedOperation& op, std::uint64_t job) = 0;
    virtual void job(const EndedJob& job) = 0;                         // firmware can see its result
    virtual void serves(std::uint64_t job, std::uint64_t request) = 0; // known when its data goes to the host
    // A request has been completed: request() if its stages are wanted, skipped() otherwise.
    virtual bool wants(Time latency, bool isMeasured) const = 0;
    virtual void request(const TracedRequest& request, bool isMeasured) = 0;
    virtual void skipped(std::uint64_t request) = 0;
};

} // namespace strobe::platform
