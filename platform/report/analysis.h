#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Analysis of the figures of a report: ratios, groups of resources, and which of them limits the run. Pure functions
// over Report; both views (JSON and terminal) print their results.

#include "platform/report/report.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strobe::platform {

// --- totals ---------------------------------------------------------------------------------------------------------
std::uint64_t requestsOf(const std::vector<KindTotals>& kinds);
std::uint64_t bytesOf(const std::vector<KindTotals>& kinds, host::RequestKind kind);
std::uint64_t bytesWritten(const std::vector<KindTotals>& kinds); // by writes and appends
std::uint64_t bytesOf(const std::vector<KindTotals>& kinds);      // read and written
Throughput throughputOf(const std::vector<KindTotals>& kinds, Time time);

// Bytes programmed into flash (copy-back included) for each byte that the host wrote; zero if it wrote nothing.
double writeAmplification(const Report& report);
FlashCounts flashTotal(const Report& report);
double totalJoule(const Report& report);
EnergyUse energyUse(const Report& report, double joule); // of a component, or the total
// Why the write amplification is below its final value, or empty.
std::string writeAmplificationNote(const Report& report);
void declareAmplification(Statistics& stats, const Report& report);

// --- resources ------------------------------------------------------------------------------------------------------
struct GroupUsage {
    ResourceGroup group = ResourceGroup::Link;
    std::size_t members = 0;
    double mean = 0; // utilisation, 0..1
    double maximum = 0;
    std::string busiest; // name of the member with the maximum
    Time meanWait{};     // per job
    Time maxWait{};
    std::uint64_t jobs = 0;
    double meanQueue = 0;       // jobs waiting at a time, per member
    std::uint64_t maxQueue = 0; // most at once at one member
    std::optional<PoolReport> pool;

    void declareUse(Statistics& stats) const;
    void declareWaits(Statistics& stats) const;
};
// In the order of a request's way through the drive; groups that the report does not have are left out.
std::vector<GroupUsage> groupResources(const Report& report);

// --- what limits the run --------------------------------------------------------------------------------------------
enum class Limit : std::uint8_t {
    Nothing,   // nothing was measured
    Resource,  // all members of a group of resources are busy
    Imbalance, // single members of a group are busy, the group is not
    Arrivals,  // open loop: the arrival rate of the workload
    Latency    // closed loop: each request waits only for its own latency
};
std::string_view limitName(Limit limit);

struct Limiting {
    Limit limit = Limit::Nothing;
    std::string group;      // the busiest group (or the one out of balance)
    double utilisation = 0; // of that group (or of its busiest member)
    std::string sentence;   // "limited by the host link (98 % busy)"

    void declare(Statistics& stats) const;
};
Limiting limitingResource(const Report& report);

} // namespace strobe::platform
