#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A drive that has stopped serving its host, as text for the firmware engineer: the likely mistake, if the state shows
// one, then the state itself (commands, cores, interrupts, event rings, flash units and dies, the last register
// accesses, what the hardware has refused). Takes no simulated time.

#include "models/host/outstanding_commands.h"
#include "platform/assembly/ssd_module.h"
#include "platform/config/scenario.h"

#include <string>
#include <vector>

namespace strobe::platform {

struct HostState {
    const host::OutstandingCommands& commands; // at the drive
    bool isReady;                              // the drive has become ready since its power is on
};

// Lines, the first without an indent: "stalled at 10.5 ms: <reason>". `at`: when anything happened last, or now.
std::string describeStall(SsdModule& ssd, const HostState& host, Time at, const std::string& reason);

// To be called when the time of firmware.stallAfter is over. Throws ConfigError if it is shorter than the default and
// the image is one of the project's: then the time is too short for the drive.
void requireUsualStallLimit(const Scenario& scenario, const std::string& reason);

// The commands at the drive, one line each, at most the first eight: how long, and what they wait for.
std::vector<std::string> describeCommands(const SsdModule& ssd, const host::OutstandingCommands& all, Time at);

// Ends the run because of what firmware has done: a bug of Strobe only if it is Strobe's own firmware.
[[noreturn]] void throwFirmwareFailure(const FirmwareConfig& firmware, const std::string& text);

} // namespace strobe::platform
