#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// How fast firmware responded over the measured time: to commands in the host ring, to interrupts, and in rounds of its
// main loop, each with the longest and where it was. docs/firmware/observation.md defines the terms.

#include "models/base/response_times.h"
#include "models/cpu/interrupt_latency.h"
#include "models/host/command_pickup.h"

#include <string>
#include <vector>

namespace strobe::platform {

template <class Times>
struct PlacedTimes {
    Times times;
    std::string place; // in the code, where the longest ended; empty: firmware executes no instructions
};

struct FirmwareResponse {
    struct Core {
        PlacedTimes<cpu::InterruptTimes> interrupts;
        PlacedTimes<ResponseTimes> rounds;
    };
    PlacedTimes<host::CommandTimes> commands;
    PlacedTimes<host::HandlingTimes> handling;
    std::vector<Core> cores;

    static void declareRounds(Statistics& stats, const ResponseTimes& rounds);
};

std::string commandText(const host::Command& command); // "read of 8 sectors at 1234, slot 3"

} // namespace strobe::platform
