#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A drive as a file (docs/drive_images.md): dies with pages, spare records, wear and marks, and the record of its
// user's written data: of the host of a drive with firmware, or of the operation source of `strobe operations`. It is
// the state of a drive that has no power. Firmware has no state in it but what it keeps in flash: it recovers.

#include "platform/assembly/dies.h"

#include <cstdint>
#include <string>

namespace strobe::platform {

inline constexpr std::uint32_t driveFileVersion = 4; // of the format

enum class DriveUser : std::uint8_t { Firmware, Operations }; // neither can use the other's contents

// The user's record; no versions: nothing is checked.
struct UserRecord {
    std::uint64_t capacitySectors = 0; // of a drive with firmware
    std::uint64_t writtenSectors = 0;  // by the host, at least once
    std::string versions;              // Integrity::save(), or OperationSource::save()
    bool isOrderly = false;            // power was switched off when nothing was in progress, and was never lost
};

// `program`: the version that writes it. REQUIRES: the dies have lost power.
std::string driveFile(const Scenario& scenario, DriveUser user, const DieArray& dies, const UserRecord& known,
                      const std::string& program);

// Reads the scenario's file, if it has one that is to be loaded, into new dies. False: no file. Throws
// ConfigError for a file that cannot be read, is damaged, or was written by another drive.
bool loadDriveFile(const Scenario& scenario, DriveUser user, DieArray& dies, UserRecord& known);

// Throws ConfigError for the scenario's file: `why` it cannot be used.
[[noreturn]] void refuseDriveFile(const Scenario& scenario, const std::string& why);

// The description in a file, as JSON, after all its checksums were verified. Throws ConfigError.
std::string describeDriveFile(const std::string& path);

} // namespace strobe::platform
