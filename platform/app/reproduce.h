#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// strobe reproduce …: the studies of the published systems. Each prints its tables beside the paper's values, and
// writes the same as JSON and CSV.

#include "platform/config/load.h"

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::platform {

struct ReproduceCommand {
    LoadOptions load;
    std::string csv; // empty: none; "-": standard output, and no text
    std::string json;
    std::size_t jobs = 0;               // simulations at a time; 0: one per processor
    std::string claims;                 // statements as CSV; empty: none
    std::vector<std::uint32_t> figures; // hydra: only these; empty: all
    std::vector<std::string> traces;    // di-ssd: files, beside its own workloads
};

int reproduceDdrNand(const ReproduceCommand& command);
int reproduceHydra(const ReproduceCommand& command);
int reproduceCpsSim(const ReproduceCommand& command);
int reproduceDiSsd(const ReproduceCommand& command);

} // namespace strobe::platform
