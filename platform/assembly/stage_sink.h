#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Receives what the observation of requests finds (request_stages.h), for pictures over time: requests, the flash jobs
// that work for them, NAND operations and bus segments. Calls come in order of the events that end them; none changes
// anything.

#include "models/channel/nand_interface.h"
#include "models/nand/operation.h"
#include "platform/assembly/flash_job_log.h"
#include "platform/report/stage_tally.h"

namespace strobe::platform {

class StageSink {
public:
    virtual ~StageSink() = default;
    virtual Time until() const = 0; // what begins then or later is not needed; may become earlier
    virtual void opened(std::uint64_t request, Time from) = 0; // its latency counts from there
    // A segment of the operation holds the bus of the die's channel. Operations of a die differ by requestStart.
    virtual void segment(const nand::Operation& op, channel::NandInterface::Phase phase, Time start, Time end) = 0;
    virtual void operation(const nand::Operation& op, std::uint64_t job) = 0; // it has left its channel
    virtual void job(const EndedJob& job) = 0;                                // firmware can see its result
    virtual void serves(std::uint64_t job, std::uint64_t request) = 0;        // known when its data goes to the host
    virtual void request(const TracedRequest& request, bool isMeasured) = 0;  // it has been completed
};

} // namespace strobe::platform
