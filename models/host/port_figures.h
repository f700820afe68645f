#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a port contributes to the report, whatever the protocol: its lines, and the counters of its protocol.

#include "models/base/resource.h"
#include "models/base/statistics.h"

#include <string>
#include <vector>

namespace strobe::host {

class PortFigures {
public:
    struct Line {
        std::string name;
        const Resource* resource;
    };

    virtual ~PortFigures() = default;
    virtual std::vector<Line> lines() const = 0;                     // valid as long as the port
    virtual std::vector<Statistic> statistics() const { return {}; } // of the protocol: always the same declaration
    virtual void resetUsage() = 0;
};

} // namespace strobe::host
