#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// "CPS-SIM: Configurable and Accurate Clock Precision Solid State Drive Simulator": throughput of reads and writes by
// chips and bandwidth of a bus (Figs. 8a, 8b), time of a mix of operations (Fig. 9), writes through a page-mapping FTL
// (Fig. 10), and the times of single operations (equations 1 to 4). The paper prints its figures as drawings without
// numbers; its verbal statements about them are judged. Figs. 8 and 9 are operations directly on the channels, as the
// paper's workload generator issues them; Fig. 10 is the whole platform with its firmware. Runs and statements are data
// (scenarios/papers/cps-sim/paper.json). Here: the terms of the equations.

#include "platform/reproduce/study.h"
#include "platform/reproduce/variants.h"

#include <string>

namespace strobe::platform {

Study runCpsSim(const std::string& scenariosDirectory, const VariantOptions& options);
std::string cpsSimText(const Study& study);

} // namespace strobe::platform
