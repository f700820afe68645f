#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Power losses of a run since power-on and their effect on the data.

#include "models/base/statistics.h"
#include "models/base/time.h"

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace strobe::platform {

// One start of a drive that was used before: after a power loss, or, if the run has power losses, with the contents of
// an earlier run.
struct RecoveryReport {
    Time at{};                 // power-on
    std::optional<Time> ready; // after power-on; nothing: power was lost before
    std::uint64_t pagesScanned = 0;
    std::uint64_t otherReads = 0;
    std::uint64_t programs = 0;
    std::uint64_t erases = 0;
    std::uint64_t sectorsReadBack = 0;
    std::optional<Time> readBack; // since ready; nothing: power was lost before its end

    void declare(Statistics& stats) const
    {
        const auto given = [](const std::optional<Time>& time) {
            return time ? StatisticValue(*time) : StatisticValue(std::monostate());
        };
        stats.derive("at", Unit::Duration, "power-on", at);
        stats.derive("ready_after", Unit::Duration, "from then to ready; null: power was lost before", given(ready));
        stats.derive("pages_scanned", Unit::Count, "reads of metadata until then", pagesScanned);
        stats.derive("other_reads", Unit::Count, "reads for other purposes until then", otherReads);
        stats.derive("programs", Unit::Count, "programs until then", programs);
        stats.derive("erases", Unit::Count, "erases until then", erases);
        stats.derive("sectors_read_back", Unit::Count, "sectors that the host then read back", sectorsReadBack);
        stats.derive("read_back", Unit::Duration, "from ready until all of them were; null: power was lost before",
                     given(readBack));
    }
};

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
    std::vector<RecoveryReport> starts; // in order of time

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
