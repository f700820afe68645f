// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/power_cuts.h"

#include <algorithm>

namespace strobe::platform {

PowerCuts::PowerCuts(const PowerConfig& config, std::uint64_t seed) : config_(config), draws_(seed, "power cuts") {}

Time PowerCuts::next(Time powerOn)
{
    while (listed_ < config_.cuts.size() && config_.cuts[listed_] <= powerOn)
        ++listed_; // there was no power then
    const Time listed = listed_ < config_.cuts.size() ? config_.cuts[listed_] : never;
    Time random = never;
    if (config_.meanCutInterval > Time{} && (config_.maxCuts == 0 || random_ < config_.maxCuts)) {
        const auto most = static_cast<std::uint64_t>(config_.meanCutInterval.count()) * 2;
        random = powerOn + Time{1 + static_cast<std::int64_t>(draws_.below(most))};
        if (random < listed)
            ++random_;
    }
    return std::min(listed, random);
}

} // namespace strobe::platform
