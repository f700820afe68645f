#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What the CPS-SIM paper says in words (all of its section 5.2, and what sections 3 and 5.1 say of single operations),
// judged by the cells of the study alone. Cells: `cell` is a workload ("reads", "writes", "mix", "ftl") or an
// operation, `operation` a quantity, `ways` chips on a bus, `interface` the bandwidth of the bus ("40MB/s").

#include "platform/reproduce/study.h"

#include <vector>

namespace strobe::platform {

// A bus is saturated if it is held for this share of the time or more, and almost so from the second on.
inline constexpr double cpsSaturated = 0.99;
inline constexpr double cpsAlmostSaturated = 0.90;

std::vector<Statement> cpsSimStatements(const Study& study);

} // namespace strobe::platform
