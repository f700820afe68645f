#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What the DI-SSD slides say in words, judged by the cells of the study alone. Cells: `cell` is a corner or what is
// special about a run (table 1), a rate (2) or a workload (3, 4, 5), `operation` a quantity, `interface` supply and
// temperature ("90% 70C"), or SI and DI; `cell` of tables 6 and 7 is a family of interfaces, and an interface.

#include "platform/reproduce/study.h"

#include <vector>

namespace strobe::platform {

inline constexpr const char* diSsdNominal = "100% 25C";
inline constexpr const char* diSsdFinely = " at 800 MHz"; // behind a corner: a fast clock that divides more finely
inline constexpr const char* diSsdTooSlow = "slow 90% 70C and bytes of 20 ns";
inline constexpr const char* diSsdSaturated = "saturated"; // as many reads as the drive takes
inline constexpr const char* diSsdRv32Rate = "10000";
inline constexpr const char* diSsdBothWays = "both directions fast";

std::vector<Statement> diSsdStatements(const Study& study);

// Null: there is no such cell.
const StudyCell* diSsdCell(const Study& study, std::uint32_t table, const std::string& cell,
                           const std::string& quantity, const std::string& interface);

} // namespace strobe::platform
