#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Results of the calibration of data out, for the report. Counts add up over power cycles, settings are the last.

#include "models/controller/flash_controller.h"
#include "platform/report/report.h"

#include <optional>

namespace strobe::platform {

// Nothing changes if there is no read capture.
void addCalibration(std::optional<CalibrationReport>& report, const controller::FlashController& controller);

} // namespace strobe::platform
