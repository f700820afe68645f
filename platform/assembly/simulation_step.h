#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// One step of the simulated drive, and what of it concerns its firmware: a fault gets its registers and calls, and
// firmware that has ended is reported to the caller, who knows what that means.

#include "models/tlm/agenda.h"
#include "platform/assembly/ssd_module.h"

namespace strobe::platform {

enum class StepEnd {
    Simulated,     // the whole step, or less if the agenda was told to pause
    FirmwareEnded, // by its own request
};

// Throws cpu::FirmwareFault with the description of the core (fault_report.h). REQUIRES: length > 0.
StepEnd simulateStep(SsdModule& ssd, Agenda& agenda, Time length);

} // namespace strobe::platform
