#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What firmware took of its CPUs over the measured time: cycles by cost point and, where instructions are executed,
// their number; how fast it responded; and what a check of its memory has found.

#include "models/base/statistics.h"
#include "models/base/time.h"
#include "platform/report/firmware_memory.h"
#include "platform/report/firmware_response.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

struct FirmwareCost {
    std::string point;
    std::uint64_t times = 0;
    std::uint64_t cycles = 0;
    double squares = 0;       // sum of the squared cycles of a charge; only if they were measured
    double deviation() const; // of one charge's cycles
    double share(std::uint64_t all) const;

    // `all`: the cycles of all cost points
    void declare(Statistics& stats, std::uint64_t all = 0);
    void declareDeviation(Statistics& stats) const; // if the cycles of a charge were measured
};

// On all cores.
struct ExecutedInstructions {
    std::uint64_t count = 0;

    double perSecond(Time measured) const;
    void declare(Statistics& stats, Time measured = {}); // `measured`: the time that the rate refers to
};

struct FirmwareReport {
    std::string image;
    std::string mode;
    std::vector<FirmwareCost> costs;                  // of the cost points; none where instructions take the time
    std::optional<ExecutedInstructions> instructions; // in the measured time; nothing: not counted
    std::vector<std::string> log;                     // lines written by hal_log
    FirmwareResponse response;
    std::optional<FirmwareMemory> memory; // nothing: not checked

    std::uint64_t cycles() const; // of all cost points
    void declare(Statistics& stats) const;
};

} // namespace strobe::platform
