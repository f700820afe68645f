#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Reads a finished simulation out into a Report. Changes nothing, simulates nothing.

#include "platform/assembly/power_cycle.h"
#include "platform/assembly/wear.h"
#include "platform/config/scenario.h"
#include "platform/report/report.h"

namespace strobe::platform {

struct Finished {
    const Scenario& scenario;
    LastingState& lasting;
    Time end{};
};

Dies diesOf(const DieArray& array);

Report collect(const Finished& finished);

// The same for a host that is not Strobe's driver: its phases, in place of the driver's.
struct HostFindings {
    const std::vector<host::PhaseResult>& phases;
    Time ready{}; // never: the drive was not
    std::uint64_t capacitySectors = 0;
};
void addHostFindings(Report& report, const HostFindings& findings);

} // namespace strobe::platform
