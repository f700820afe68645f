#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a drive holds as a file: dies with pages, spare records, wear and marks, and what the host knows to be written.
// It is what a loss of power at the end of the run leaves. Format: docs/nand.md, "Contents in files".

#include "platform/assembly/dies.h"

#include <cstdint>
#include <string>

namespace strobe::platform {

// What the host knows; no versions: it checks nothing, or there was no host.
struct HostKnowledge {
    std::uint64_t capacitySectors = 0;
    std::string versions; // Integrity::save()
};

// REQUIRES: the dies have lost power.
std::string driveFile(const Scenario& scenario, const DieArray& dies, const HostKnowledge& host);

// Reads the scenario's file, if it has one that is to be loaded, into new dies. False: there is none. Throws
// ConfigError for a file that cannot be read, is damaged, or was written by another drive.
bool loadDriveFile(const Scenario& scenario, DieArray& dies, HostKnowledge& host);

// Throws ConfigError for the scenario's file: `why` it is of no use.
[[noreturn]] void refuseDriveFile(const Scenario& scenario, const std::string& why);

} // namespace strobe::platform
