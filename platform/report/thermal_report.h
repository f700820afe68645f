#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The temperature of a drive over the whole run, measured or not, as plain data.

#include "models/thermal/thermal_record.h"

#include <vector>

namespace strobe::platform {

struct ThermalReport {
    thermal::ThermalFigures figures;
    std::vector<thermal::ThermalPoint> course;
};

} // namespace strobe::platform
