#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The temperature of a drive as a protocol front reports it, and what the host asks for. Implemented by the assembly,
// because sensor and firmware are behind the drive's own bus. Whole degrees Celsius.

#include "models/base/time.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::host {

struct HeatReading {
    struct Management { // throttling at a level since the host has managed it
        std::uint64_t entries = 0;
        Time time{};
    };
    std::int32_t composite = 0;
    std::vector<std::int32_t> sensors;
    Time warning{}; // time at or above the thresholds, since the model was made
    Time critical{};
    Management light;
    Management heavy;
};

class DriveHeat {
public:
    struct Range { // of the temperatures that the host may set; 0: it cannot manage
        std::int32_t lowest = 0;
        std::int32_t highest = 0;
    };
    virtual ~DriveHeat() = default;
    virtual HeatReading reading(Time now) const = 0;
    virtual std::size_t sensors() const = 0;  // of a reading
    virtual std::int32_t warning() const = 0; // thresholds
    virtual std::int32_t critical() const = 0;
    virtual Range management() const = 0;
    // Temperatures at which firmware is to throttle; 0: none.
    virtual void manage(std::int32_t light, std::int32_t heavy, Time now) = 0;
    virtual void limitPower(double watt) = 0; // its mean; 0: no limit
};

} // namespace strobe::host
