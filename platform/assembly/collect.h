#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Reads a finished simulation out into a Report. Changes nothing, simulates nothing.

#include "models/host/driver.h"
#include "platform/assembly/measurement.h"
#include "platform/assembly/ssd_module.h"
#include "platform/assembly/wear.h"
#include "platform/config/scenario.h"
#include "platform/report/report.h"

#include <string>
#include <vector>

namespace strobe::platform {

struct Finished {
    const Scenario& scenario;
    const SsdModule& ssd;
    host::HostDriver& driver;
    const Measurement& measurement;
    const std::vector<std::string>& log;
    const std::vector<WearSample>& wearHistory;
    Time end{};
    bool hasFirmwareEnded = false; // by itself, before the workload was done
};

Dies diesOf(const SsdModule& ssd);

Report collect(const Finished& finished);

} // namespace strobe::platform
