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

} // namespace strobe::platform
