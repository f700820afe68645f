#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The log pages that an NVMe controller returns, as NVM Express 1.4, section 5.14, and the OCP Datacenter NVMe SSD
// specification (SMART / Health Information Extended, C0h) lay them out; the list of log pages (00h) is of NVM Express
// 2.0. Fields that are not set are zero, which means "not supported" or "not reported". Not modelled: the logs of
// telemetry, self-tests, and persistent events.

#include "models/host/drive_health.h"
#include "models/host/nvme/nvme_completions.h"
#include "models/host/nvme/nvme_format.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::host::nvme {

using LogPage = std::vector<std::byte>; // its size is that of the log

enum class Log : std::uint8_t {
    SupportedPages = 0x00,
    Errors = 0x01,
    Smart = 0x02,
    FirmwareSlots = 0x03,
    CommandEffects = 0x05,
    EnduranceGroup = 0x09, // this and those of data placement: nvme_placement.h
    PlacementConfigurations = 0x20,
    PlacementHandleUsage = 0x21,
    PlacementStatistics = 0x22,
    PlacementEvents = 0x23,
    ExtendedHealth = 0xC0
};

struct SmartValues {
    std::uint64_t sectorsRead = 0;
    std::uint64_t sectorsWritten = 0;
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    std::uint64_t mediaErrors = 0;
    std::uint64_t errors = 0; // entries of the error log since power-on
    std::uint64_t powerCycles = 1;
    std::uint64_t unsafeShutdowns = 0;
    std::uint64_t powerOnHours = 0;
};
inline constexpr std::uint8_t spareThreshold = 10;      // percent; below, the SMART log warns
inline constexpr std::uint16_t temperatureKelvin = 313; // of a drive without a thermal model

struct HeatFields { // K
    struct Management {
        std::uint32_t entries = 0;
        std::uint32_t seconds = 0;
    };
    std::uint16_t composite = temperatureKelvin;
    std::vector<std::uint16_t> sensors; // at most 8
    std::uint32_t warningMinutes = 0;
    std::uint32_t criticalMinutes = 0;
    Management light;
    Management heavy;
};

// Critical warnings: bits of the first byte of the SMART log. Of those that the specification defines, the drive
// reports these.
namespace warning {
inline constexpr std::uint8_t spare = 1U << 0U;
inline constexpr std::uint8_t temperature = 1U << 1U; // not between the thresholds
} // namespace warning
struct TemperatureThresholds {
    std::uint16_t over = 0xFFFF; // a warning at this temperature and above
    std::uint16_t under = 0;     // and at this and below; 0: none
};
// `thresholds`: of the composite temperature, then of each sensor.
std::uint8_t criticalWarnings(const DriveHealth& health, const std::vector<TemperatureThresholds>& thresholds,
                              const HeatFields& heat = {});
LogPage smartLog(const SmartValues& values, const DriveHealth& health, std::uint8_t warnings,
                 const HeatFields& heat = {});

// Of the extended log: physical media units written and read, bad blocks, uncorrectable reads, erase counts, incomplete
// shutdowns.
struct ExtendedValues {
    std::uint64_t mediaErrors = 0;
    std::uint64_t unsafeShutdowns = 0;
};
LogPage extendedHealthLog(const ExtendedValues& values, const DriveHealth& health);

LogPage errorLogPage(const ErrorLog& log);
LogPage firmwareSlotPage();
LogPage supportedLogPages(bool hasPlacement);
LogPage commandEffects(bool isZoned, bool hasPlacement);

} // namespace strobe::host::nvme
