#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// From the scenario files to the input of the assembly: makes the choices left open, and checks everything that spans
// several parameters (geometry, buffers, map tables, over-provisioning). Pure: no files, except that traces are opened
// to see that they exist and can be read.

#include "platform/config/scenario_file.h"
#include "platform/config/walkers.h"

#include <string>
#include <string_view>
#include <vector>

namespace strobe::platform {

// Also writes the choices made back into `file`, so that it can be printed in full.  The scenario is usable only if no
// problem was added. Without firmware, problems of its keys, its memory and its capacity are not reported. REQUIRES:
// `file` was read without problems (single values are in range).
Scenario resolve(ScenarioFile& file, std::vector<Problem>& problems, bool runsFirmware = true);

// Whether that is the name (not the path) of an image that comes with Strobe and contains the layer: "page_map",
// "page_map_marked".
bool isImageOf(std::string_view image, Ftl layer);

// The JSON path of a field of the workload. Phases are counted from the first that is not skipped.
std::string pathOf(const host::WorkloadPlace& place, std::uint32_t skippedPhases = 0);
// How many phases come before the first measured one.
std::uint32_t preconditioningPhases(const Scenario& scenario);

} // namespace strobe::platform
