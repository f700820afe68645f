#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Runs QEMU's machine (qemu-system-x86_64, with its own emulation of the processors) with the drive of a scenario in a
// PCI slot. The serial port of the machine is this program's standard input and output. QEMU finds the drive through
// two pairs of sockets that it inherits; nothing listens. One run per process.
//
// Errors: ConfigError for what the user can mend; cpu::FirmwareFault of the drive; what else goes wrong is in the
// result.

#include "models/host/command_port.h"
#include "platform/config/scenario.h"
#include "platform/qemu/qemu_program.h"
#include "platform/report/report.h"

#include <functional>
#include <optional>
#include <string>

namespace strobe::platform::qemu {

struct QemuRunOptions {
    QemuOptions program;
    std::string image;          // file, written to the drive before the machine starts; empty: none
    std::optional<double> pace; // seconds of the clock per simulated second; nothing: free-running
    bool printsToError = false; // the machine's serial port
    std::function<void(const host::Command& command, Time at)> command; // that the drive gets; empty: no one asks
    std::function<bool()> stopRequested;                                // polled; true: the run ends
};

struct QemuResult {
    Report report;
    std::string problem; // why it ended early; empty: it did not
    int status = 0;      // exit status of QEMU
    std::uint64_t interrupts = 0;
};

QemuResult runQemu(const Scenario& scenario, const QemuRunOptions& options);

} // namespace strobe::platform::qemu
