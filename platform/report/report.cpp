// SPDX-License-Identifier: Apache-2.0
#include "platform/report/report.h"

#include <algorithm>
#include <cmath>

namespace strobe::platform {

LatencySummary summarise(const LatencyHistogram& histogram)
{
    return {histogram.count(),        histogram.minimum(),        histogram.mean(),
            histogram.maximum(),      histogram.percentile(50),   histogram.percentile(90),
            histogram.percentile(99), histogram.percentile(99.9), histogram.percentile(99.99)};
}

double FirmwareCost::deviation() const
{
    if (times == 0)
        return 0;
    const auto n = static_cast<double>(times);
    const double mean = static_cast<double>(cycles) / n;
    return std::sqrt(std::max(0.0, squares / n - mean * mean));
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
