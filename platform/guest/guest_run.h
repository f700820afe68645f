#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Runs a Linux kernel (User-Mode Linux) on the drive of a scenario, with one clock: the guest's time is the
// simulation's. The guest computes in no time (GuestCosts); it runs at whole nanoseconds; between two of its instants
// the drive is simulated. One run per process.
//
// Guest and drive lose power together where the scenario says so. The drive then recovers, a new kernel boots on it,
// and the script starts again from its first line, with the number of power losses so far in $POWER_LOSSES.
//
// The guest mounts a directory of this machine as its root file system, read-only, and runs a shell script on the
// drive. Marks of the script divide the run into phases of the report.
//
// Errors: ConfigError for what the user can mend, which includes a kernel that refuses one of its options, that ends
// before the script, or that has not begun the script after bootLimit (after a power loss, when the drive may be the
// reason, the last two are in the result); what goes wrong in the run is in the result.

#include "models/host/command_port.h"
#include "platform/config/scenario.h"
#include "platform/guest/transactions.h"
#include "platform/report/report.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strobe::platform::guest {

// Of simulated time, from power-on to the script. The guest's first program waits 31 s for a drive; drivers give up
// sooner or within about two minutes.
inline constexpr Time bootLimit = std::chrono::seconds(300);

struct GuestOptions {
    std::string kernel;    // User-Mode Linux with virt-pci and external time travel
    std::string root;      // directory for the guest's root file system
    std::string script;    // its text
    std::string init;      // file: first program of the guest, a shell script
    std::string directory; // for files of the run; empty: TMPDIR or /tmp
    std::uint32_t memoryMiB = 256;
    std::vector<std::string> kernelOptions; // more of them, NAME=VALUE; REQUIRES: without white space
    bool showsKernel = false;               // the kernel prints its messages, too
    std::function<void(Time at, std::string_view line, bool isScript)> line; // printed by the guest: by the script?
    std::function<void(const host::Command& command, Time at)> command;      // that the drive gets; empty: no one asks
    std::function<bool()> stopRequested;                                     // polled; true: the run ends
};

struct GuestResult {
    Report report;
    int status = 0;                   // exit status of the script; -1: it did not end
    std::string problem;              // why the guest ended before its script; empty: it did not
    std::optional<Time> commitsBegin; // when the script first reported a transaction; nothing: never
    Time end{};                       // of the script
    std::vector<PowerLossFindings> losses;
};

GuestResult runGuest(const Scenario& scenario, const GuestOptions& options);

} // namespace strobe::platform::guest
