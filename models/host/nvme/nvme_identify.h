#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The data structures that an NVMe controller returns: identify pages (4,096 bytes), the SMART log and the extended
// health log (512 bytes), as the NVMe specification and the OCP Datacenter NVMe SSD specification (SMART / Health
// Information Extended, C0h) lay them out. Fields that are not set are zero, which means "not supported" or "not
// reported".

#include "models/host/drive_health.h"
#include "models/host/nvme/nvme_format.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace strobe::host::nvme {

using IdentifyPage = std::array<std::byte, identifyBytes>;
using SmartLog = std::array<std::byte, 512>;

struct ControllerIdentity {
    std::uint32_t maxTransferPages = 0; // MDTS
    std::uint32_t asyncEvents = 1;      // outstanding requests
    std::uint32_t errorLogEntries = 1;
    bool hasVolatileCache = true;
};
IdentifyPage identifyController(const ControllerIdentity& identity);
IdentifyPage identifyNamespace(std::uint64_t sectors);
IdentifyPage activeNamespaces(std::uint32_t above); // those with a higher number
IdentifyPage namespaceDescriptors(bool isZoned);

struct SmartValues {
    std::uint64_t sectorsRead = 0;
    std::uint64_t sectorsWritten = 0;
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    std::uint64_t mediaErrors = 0;
    std::uint64_t errors = 0; // entries of the error log since power-on
    std::uint64_t powerCycles = 1;
    std::uint64_t unsafeShutdowns = 0;
};
inline constexpr std::uint8_t spareThreshold = 10; // percent; below, the SMART log warns
SmartLog smartLog(const SmartValues& values, const DriveHealth& health);

// Of the extended log: physical media units written and read, bad blocks, uncorrectable reads, erase counts, incomplete
// shutdowns.
struct ExtendedValues {
    std::uint64_t mediaErrors = 0;
    std::uint64_t unsafeShutdowns = 0;
};
SmartLog extendedHealthLog(const ExtendedValues& values, const DriveHealth& health);

} // namespace strobe::host::nvme
