#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Ties simulated time to real time: a fixed number of seconds of real time for each simulated second. A simulation that
// cannot keep up lags. A lag above `patience` of real time is not recovered, so that clients wait no longer than that
// for what happened before their requests. Pure: the clock is an argument.

#include "models/base/config_error.h"
#include "models/base/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace strobe::platform::serve {

class Pace {
public:
    using Wall = std::chrono::nanoseconds; // since any origin

    static constexpr Wall patience = std::chrono::milliseconds(100);

    static constexpr double least = 1e-3;
    static constexpr double most = 1e6;

    // Of the option --pace. Throws ConfigError.
    static void requireFactor(double factor)
    {
        if (!(factor >= least && factor <= most))
            throw ConfigError(fmt::format("--pace: {:g}: must be from {} to {:.0f}", factor, least, most));
    }
    // `factor`: seconds of the clock for a simulated second, as requireFactor() has it.
    Pace(double factor, Time simulated, Wall wall) : factor_(factor), simulated_(simulated), wall_(wall) {}

    // Where the simulation should be.
    Time target(Wall wall) const
    {
        const double since = static_cast<double>((wall - wall_).count()) * 1000 / factor_;
        return simulated_ + Time{static_cast<Time::rep>(std::min(since, longest))};
    }
    // How long until an instant of the simulation is due; not less than 0.
    Wall until(Time at, Wall wall) const
    {
        const auto due = static_cast<double>((at - simulated_).count()) / 1000 * factor_;
        const double left = due - static_cast<double>((wall - wall_).count());
        return Wall{static_cast<Wall::rep>(std::clamp(left, 0.0, longest))};
    }
    // The simulation has come to `present`.
    void came(Time present, Wall wall)
    {
        const Time behind = std::max(target(wall) - present, Time{});
        mostBehind_ = std::max(mostBehind_, behind);
        if (static_cast<double>(behind.count()) / 1000 * factor_ <= static_cast<double>(patience.count()))
            return;
        lost_ += behind;
        simulated_ = present;
        wall_ = wall;
    }

    double factor() const { return factor_; }
    Time mostBehind() const { return mostBehind_; } // in simulated time
    Time lost() const { return lost_; }             // was never made up

private:
    static constexpr double longest = 1e18; // 31 years

    double factor_;
    Time simulated_;
    Wall wall_;
    Time mostBehind_{};
    Time lost_{};
};

} // namespace strobe::platform::serve
