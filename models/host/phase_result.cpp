// SPDX-License-Identifier: Apache-2.0
#include "models/host/phase_result.h"

#include <algorithm>

namespace strobe::host {

void PhaseResult::add(const Request& request, bool isOk, Time arrived, Time sent, Time now)
{
    KindResult& kind = kinds[static_cast<std::size_t>(request.kind)];
    ++kind.requests;
    kind.sectors += isOk ? request.sectors : 0;
    kind.failed += isOk ? 0 : 1;
    kind.latency.record(now - arrived);
    kind.device.record(now - sent);
    ++completed;
    end = now;
}

void KindResult::merge(const KindResult& other)
{
    requests += other.requests;
    sectors += other.sectors;
    failed += other.failed;
    latency.merge(other.latency);
    device.merge(other.device);
}

std::string FailedRequest::text() const
{
    return std::string(enumName(request.kind)) + " of " + std::to_string(request.sectors) + " sectors at " +
           std::to_string(request.lba) + " failed at " + toText(at) + ": " + std::string(enumName(status));
}

KindResults measuredResults(const std::vector<PhaseResult>& results)
{
    KindResults total;
    for (const PhaseResult& result : results) {
        for (std::size_t kind = 0; result.measured && kind < total.size(); ++kind)
            total[kind].merge(result.kinds[kind]);
    }
    return total;
}

Time measuredLength(const std::vector<PhaseResult>& results)
{
    Time total{};
    Time counted{};
    for (const PhaseResult& result : results) {
        if (!result.measured)
            continue;
        total += std::max(result.end - std::max(result.start, counted), Time{});
        counted = std::max(counted, result.end);
    }
    return total;
}

} // namespace strobe::host
