#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Observer of a CPU's sleep: a CPU that is asleep has nothing to do, so whatever a request waits for then is
// not firmware. The times are the CPU's local times, in order; falling asleep is reported when firmware calls for it,
// which may be ahead of the present. Changes nothing.

#include "models/base/time.h"

#include <cstdint>

namespace strobe::cpu {

class SleepObserver {
public:
    virtual ~SleepObserver() = default;
    virtual void fellAsleep(std::uint32_t core, Time at) = 0;
    virtual void wokeUp(std::uint32_t core, Time at) = 0; // maybe at the same instant
};

} // namespace strobe::cpu
