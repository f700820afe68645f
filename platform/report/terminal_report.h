#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The text report: aligned tables with units, at most 100 columns, drawn from the same data and the same analysis
// as the JSON. Empty sections are omitted; errors come last, where they are noticed.

#include "platform/report/report.h"

#include <string>

namespace strobe::platform {

struct TerminalStyle {
    bool colour = false; // headings and errors set off by escape sequences; only for a terminal
};

std::string terminalReport(const Report& report, const TerminalStyle& style = {});

} // namespace strobe::platform
