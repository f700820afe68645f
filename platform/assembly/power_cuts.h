#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// When power is lost: at the times that the scenario lists, and at random ones, drawn at each power-on from a separate
// stream, uniform from 0 to twice the mean interval. Pure.

#include "models/base/instants.h"
#include "platform/config/scenario.h"

namespace strobe::platform {

class PowerCuts {
public:
    PowerCuts(const PowerConfig& config, std::uint64_t seed);

    // The drive is switched on at `powerOn`, later than at the previous call. Returns the time of the next cut, or
    // never.
    Time next(Time powerOn);

private:
    Instants instants_;
    std::uint32_t mostRandom_; // 0: no limit
};

} // namespace strobe::platform
