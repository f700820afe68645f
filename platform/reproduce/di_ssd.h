#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// "DI-SSD: Desymmetrized Interconnection Architecture and Dynamic Timing Calibration for Solid-State Drives" (slides),
// symmetric (SI) against desymmetrized (DI). Figures of the study: what calibration reaches by corner, supply and
// temperature (1); response of the 8 x 8 drive under random reads by load (2), under workloads and traces (3), and of
// writes (4); a USB drive's shares (5); clock grades (6); a clock for each direction (7). Firmware performs every
// calibration, in the run that is measured. The slides print their figures as drawings; their verbal statements are
// judged. Runs and statements are data (scenarios/papers/di-ssd/paper.json). Here: traces of the command line, and the
// clock grades.

#include "platform/reproduce/study.h"
#include "platform/reproduce/variants.h"

#include <string>
#include <vector>

namespace strobe::platform {

// `traces`: files, beside the workloads of the study.
Study runDiSsd(const std::string& scenariosDirectory, const VariantOptions& options,
               const std::vector<std::string>& traces);
std::string diSsdText(const Study& study);

} // namespace strobe::platform
