#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The report for people: aligned tables with units, at most 100 columns, drawn from the same data and the same analysis
// as the JSON. Sections that have nothing to say are left out; errors come last, where they are seen.

#include "platform/report/report.h"

#include <string>

namespace strobe::platform {

struct TerminalStyle {
    bool colour = false; // headings and errors set off by escape sequences; only for a terminal
};

std::string terminalReport(const Report& report, const TerminalStyle& style = {});

} // namespace strobe::platform
