#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The sections of the text report about the drive: resources, flash, energy, firmware and calibration. What the host
// saw and what went wrong: terminal_report.h.

#include "platform/report/report.h"
#include "platform/report/terminal_page.h"

namespace strobe::platform {

void writeDriveSections(const Report& report, TerminalPage& page);

} // namespace strobe::platform
