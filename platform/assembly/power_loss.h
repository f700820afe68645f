#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A power loss of a drive, whatever host it has: capacitors that supply it for a while, the dies, and what the drive
// had done since it was switched on.

#include "models/tlm/agenda.h"
#include "platform/assembly/dies.h"
#include "platform/assembly/ssd_module.h"
#include "platform/report/power_report.h"

#include <cstdint>

namespace strobe::platform {

// Firmware saves what it has acknowledged, for at most `most`; that takes simulated time.
struct HoldUp {
    bool isSaved = false;
    bool hasFirmwareEnded = false;
    Time length{}; // `most` if it is not saved
};
HoldUp holdUp(SsdModule& ssd, Agenda& agenda, Time most);
void addHoldUp(PowerReport& power, const HoldUp& held);

// Operations that were interrupted. `at`: now, or never: each die ends the operation that is in its array.
std::uint64_t powerOff(const DieArray& dies, Time at);

// Operations of the drive until now, since `powerOn`. REQUIRES: no measured phase has begun.
RecoveryReport operationsSince(Time powerOn, const SsdModule& ssd);

} // namespace strobe::platform
