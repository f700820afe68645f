#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// strobe calibrate: cycles of the cost points of native firmware on the RV32 core, compared with the table in use.

#include "platform/config/load.h"

#include <cstddef>
#include <string>

namespace strobe::platform {

struct CalibrateCommand {
    LoadOptions load;
    bool check = false; // exit code 1 if a point has drifted
    std::string write;  // file for the table (firmware/hal/cost_cycles.h); empty: none
    std::size_t jobs = 0;
};

int calibrateCommand(const CalibrateCommand& command);
int compareModesCommand(const CalibrateCommand& command); // of it `load` and `jobs`

} // namespace strobe::platform
