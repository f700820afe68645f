#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a port contributes to the report, whatever the protocol: its lines, the counters of its protocol, and the power
// states that the protocol has.

#include "models/base/resource.h"
#include "models/base/statistics.h"

#include <string>
#include <vector>

namespace strobe::host {

class PortFigures {
public:
    struct PowerState { // of the drive, by the host's protocol
        double watt = 0;
        Time time{}; // in the state since power-on
        std::uint64_t entries = 0;
        bool isOperational = false;
    };
    struct Line {
        std::string name;
        const Resource* resource;
    };

    virtual ~PortFigures() = default;
    virtual std::vector<Line> lines() const = 0;                     // valid as long as the port
    virtual std::vector<Statistic> statistics() const { return {}; } // of the protocol: always the same declaration
    virtual std::vector<PowerState> powerStates(Time) const { return {}; } // at an instant; empty: there is one
    virtual void resetUsage() = 0;
};

} // namespace strobe::host
