#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The contents of a drive as a file: dies with pages, spare records, wear and marks, and the record of its user's
// written data: of the host of a drive with firmware, or of the operation source of `strobe operations`. It is the
// state after a power loss at the end of the run. Format: docs/nand.md, "Contents in files".

#include "platform/assembly/dies.h"

#include <cstdint>
#include <string>

namespace strobe::platform {

enum class DriveUser : std::uint8_t { Firmware, Operations }; // neither can use the other's contents

// The user's record; no versions: nothing is checked.
struct UserRecord {
    std::uint64_t capacitySectors = 0; // of a drive with firmware
    std::string versions;              // Integrity::save(), or OperationSource::save()
};

// REQUIRES: the dies have lost power.
std::string driveFile(const Scenario& scenario, DriveUser user, const DieArray& dies, const UserRecord& known);

// Reads the scenario's file, if it has one that is to be loaded, into new dies. False: no file. Throws
// ConfigError for a file that cannot be read, is damaged, or was written by another drive.
bool loadDriveFile(const Scenario& scenario, DriveUser user, DieArray& dies, UserRecord& known);

// Throws ConfigError for the scenario's file: `why` it cannot be used.
[[noreturn]] void refuseDriveFile(const Scenario& scenario, const std::string& why);

} // namespace strobe::platform
