#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// strobe bench: how fast the simulator is on this machine, and how much memory it takes. Each case is a scenario of
// scenarios/bench/, run in a separate child process (SystemC elaborates once per process). Times are CPU times of the
// measured phase alone; costs are also given in units of U, the cost of one timed SC_METHOD activation with 100 events
// pending, measured before and after the case in the same run: a figure that hardly depends on the machine or on its
// other load. docs/performance.md explains the metrics.

#include "platform/config/load.h"

#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

struct BenchMetric {
    std::string name;
    double value = 0;
    std::string unit;
};

// Dies 8 x 4 and, with as many bytes, 16 x 16; and, with dies that are always the same, 8 x 4, 32 x 32 and 64 x 64.
enum class BenchSize { Dies8x4, Dies16x16, Scale32, Scale1024, Scale4096 };

struct BenchCase {
    const char* name;
    const char* scenario; // in scenarios/bench/; null: no drive, only two RV32 CPUs
    BenchSize size;
    const char* dataMode;
    bool isOnCore = false; // firmware on the RV32 core; measured next to the same case natively
};
const std::vector<BenchCase>& benchCases();

// Runs a case in this process. `quick`: a smaller drive and fewer requests, for tests.
std::vector<BenchMetric> runBenchCase(const BenchCase& c, bool quick, LoadOptions options);

// Two RV32 CPUs in a loop with register accesses. Needs a process that has not elaborated.
std::vector<BenchMetric> runFirmwareCase(bool quick);

// Nanoseconds of CPU time for one timed activation of one of 100 SC_METHODs. Needs a process that has not elaborated.
double activationCost(bool quick);

double cpuSeconds(); // CPU time of this process

struct BenchCommand {
    LoadOptions load;
    std::string csv; // empty: none; "-": standard output, and no table
    std::string json;
    std::vector<std::string> cases; // empty: all
    bool quick = false;
};
int benchCommand(const BenchCommand& command);

} // namespace strobe::platform
