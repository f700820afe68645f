#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// strobe reproduce …: the studies of the published systems. Each prints its tables beside the paper's values and
// writes them as JSON and CSV; all of them together make one page.

#include "platform/config/load.h"

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::platform {

struct ReproduceCommand {
    LoadOptions load;
    std::string study; // which one: "ddr-nand"
    std::string csv;   // empty: none; "-": standard output, and no text
    std::string json;
    std::size_t jobs = 0;             // simulations at a time; 0: one per processor
    std::size_t seeds = 0;            // of statements that depend on random choices; 0: as the study says
    std::string claims;               // statements as CSV; empty: none
    std::vector<std::string> figures; // of a study that is data alone: only these; empty: all
    std::vector<std::string> traces;  // di-ssd: files, beside its own workloads
    std::string page;                 // all: the file of the page
};

// False: the study is data alone; its figures can be chosen.
bool hasOwnProgram(const std::string& study);

int reproduceStudy(const ReproduceCommand& command);
int reproduceAll(const ReproduceCommand& command);

} // namespace strobe::platform
