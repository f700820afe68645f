#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Power losses of a run since power-on and their effect on the data.

#include "models/base/statistics.h"
#include "models/base/time.h"

#include <cstdint>

namespace strobe::platform {

struct PowerReport {
    std::uint64_t cuts = 0;
    std::uint64_t cutsInRecovery = 0;
    std::uint64_t operationsCut = 0;
    std::uint64_t recoveries = 0;
    Time recovery{}; // of all of them
    Time longestRecovery{};
    std::uint64_t pagesScanned = 0;
    std::uint64_t commandsLost = 0;
    std::uint64_t sectorsAtRisk = 0;
    std::uint64_t sectorsReadBack = 0;
    std::uint64_t sectorsReverted = 0;
    std::uint64_t unreadable = 0;
    std::uint64_t cutsAfterEnd = 0;
    std::uint64_t holdUps = 0;
    std::uint64_t notSaved = 0;
    Time longestHoldUp{};
    double holdUpWatt = 0;

    double holdUpJoule() const { return holdUpWatt * static_cast<double>(longestHoldUp.count()) * 1e-12; }
    Time meanRecovery() const { return recoveries == 0 ? Time{} : recovery / static_cast<std::int64_t>(recoveries); }
    void declare(Statistics& stats)
    {
        stats.add("cuts", Unit::Count, "power losses", cuts);
        stats.add("cuts_in_recovery", Unit::Count, "of these, before the drive was ready again", cutsInRecovery);
        stats.add("operations_cut", Unit::Count, "programs and erases in an array at a power loss", operationsCut);
        stats.add("recoveries", Unit::Count, "times that the drive was ready again", recoveries);
        stats.keep(recovery);
        stats.derive("mean_recovery", Unit::Duration, "mean time from power-on to ready", meanRecovery());
        stats.add("longest_recovery", Unit::Duration, "longest time from power-on to ready", longestRecovery,
                  Merge::Maximum);
        stats.add("pages_scanned", Unit::Count, "reads of metadata until the drive was ready or lost power again",
                  pagesScanned);
        stats.add("commands_lost", Unit::Count, "commands in progress at a power loss", commandsLost);
        stats.add("sectors_at_risk", Unit::Count, "sectors acknowledged but not flushed at a power loss",
                  sectorsAtRisk);
        stats.add("sectors_read_back", Unit::Count, "sectors read back by the host after power losses",
                  sectorsReadBack);
        stats.add("sectors_reverted", Unit::Count, "of those at risk, found in an older version, which is allowed",
                  sectorsReverted);
        stats.add("sectors_unreadable", Unit::Count, "sectors that could not be read back: errors", unreadable);
        stats.add("hold_ups", Unit::Count, "power losses at which capacitors supplied the drive", holdUps);
        stats.add("not_saved", Unit::Count, "of these, the capacitors were empty before the buffer was saved: errors",
                  notSaved);
        stats.add("longest_hold_up", Unit::Duration, "longest time that the capacitors had to supply the drive",
                  longestHoldUp, Merge::Maximum);
        stats.add("cuts_after_end", Unit::Count, "power losses listed in the scenario for times after the run",
                  cutsAfterEnd);
    }
};

} // namespace strobe::platform
