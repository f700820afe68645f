#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Handles what StageEvents has observed: follows flash jobs and requests (request_stages.h), adds up their stages and
// tells the sink. A function of the events alone, in their order. Used by one thread at a time.

#include "platform/assembly/request_stages.h"
#include "platform/assembly/stage_event.h"

#include <cstddef>

namespace strobe::platform {

class StageAnalysis {
public:
    // `statistics` and `sink` as in RequestStages.
    StageAnalysis(const ObservedDrive& drive, RequestStatistics* statistics, StageSink* sink);
    void handle(const std::byte* begin, const std::byte* end); // a block of events

private:
    void granted(const ObservedOperation& op, stage_event::BusPhase phase, Time possible, Time start, Time busTime);

    StageSink* sink_;
    RequestStages stages_;
};

} // namespace strobe::platform
