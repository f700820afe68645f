#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// strobe powercut: the same run again and again, each with power cut at another random instant between its first
// power-on and its end, each in a separate process. Written data is read back after every cut.

#include "platform/app/coverage_output.h"
#include "platform/config/load.h"

#include <cstdint>
#include <string>

namespace strobe::platform {

struct PowercutCommand {
    std::string scenario;
    LoadOptions load;
    std::uint32_t cuts = 100;
    std::uint64_t seed = 1;   // of the instants
    std::size_t jobs = 0;     // simulations at a time; 0: one per processor
    std::string json;         // empty: none; "-": standard output, and no text
    CoverageCommand coverage; // of all runs, except for those that firmware ends
    std::string saveCuts;     // directory for the drives at failing cuts; empty: none
};

int powercutCommand(const PowercutCommand& command);

} // namespace strobe::platform
