// SPDX-License-Identifier: Apache-2.0
#include "platform/report/firmware_report.h"

#include "platform/report/throughput.h"

#include <algorithm>
#include <cmath>

namespace strobe::platform {

double FirmwareCost::deviation() const
{
    if (times == 0)
        return 0;
    const auto n = static_cast<double>(times);
    const double mean = static_cast<double>(cycles) / n;
    return std::sqrt(std::max(0.0, squares / n - mean * mean));
}

double FirmwareCost::share(std::uint64_t all) const
{
    return all == 0 ? 0 : static_cast<double>(cycles) / static_cast<double>(all);
}

void FirmwareCost::declare(Statistics& stats, std::uint64_t all)
{
    stats.add("times", Unit::Count, "charges of the cost point", times);
    stats.add("cycles", Unit::Count, "CPU cycles of all charges", cycles);
    stats.keep(squares);
    stats.derive("share", Unit::Ratio, "share of the cycles of all cost points", share(all));
}

void FirmwareCost::declareDeviation(Statistics& stats) const
{
    stats.derive("deviation", Unit::Ratio, "standard deviation of the cycles of a charge", deviation());
}

double ExecutedInstructions::perSecond(Time measured) const
{
    return platform::perSecond(static_cast<double>(count), measured);
}

void ExecutedInstructions::declare(Statistics& stats, Time measured)
{
    stats.add("instructions", Unit::Count, "instructions executed in the measured time, on all cores", count);
    stats.derive("instructions_per_second", Unit::PerSecond, "the same per second of simulated time",
                 perSecond(measured));
}

std::uint64_t FirmwareReport::cycles() const
{
    std::uint64_t sum = 0;
    for (const FirmwareCost& cost : costs)
        sum += cost.cycles;
    return sum;
}

void FirmwareReport::declare(Statistics& stats) const
{
    stats.derive("cycles", Unit::Count, "CPU cycles of all cost points in the measured time", cycles());
}

} // namespace strobe::platform
