// SPDX-License-Identifier: Apache-2.0
#include "platform/report/report.h"

#include "models/base/content.h"

#include <algorithm>

namespace strobe::platform {

LatencySummary summarise(const LatencyHistogram& histogram)
{
    return {histogram.count(),        histogram.minimum(),        histogram.mean(),
            histogram.maximum(),      histogram.percentile(50),   histogram.percentile(90),
            histogram.percentile(99), histogram.percentile(99.9), histogram.percentile(99.99)};
}

void Report::declare(Statistics& stats) const
{
    stats.derive("capacity", Unit::Bytes, "size of the drive as the host sees it", capacitySectors * sectorBytes);
    stats.derive("simulated", Unit::Duration, "simulated time since power-on", simulated);
    stats.derive("ready", Unit::Duration, "simulated time at which firmware had enabled the host port", ready);
    stats.derive("measured", Unit::Duration, "length of the measured phases", measured);
}

bool Report::foundErrors() const
{
    const auto failed = [](const std::vector<KindTotals>& totals) {
        return std::any_of(totals.begin(), totals.end(), [](const KindTotals& k) { return k.failed != 0; });
    };
    return integrity.mismatches != 0 || power.unreadable != 0 || power.notSaved != 0 || failed(kinds) ||
           std::any_of(phases.begin(), phases.end(), [&](const PhaseReport& p) { return failed(p.kinds); }) ||
           std::any_of(failures.begin(), failures.end(),
                       [](const FailureReport& f) { return f.isError && f.count != 0; });
}

} // namespace strobe::platform
