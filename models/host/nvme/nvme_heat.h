#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Temperature in NVM Express 1.4: host controlled thermal management (feature 10h, sections 5.21.1.16 and 8.4.5), and
// the fields of the SMART log and of Identify that depend on it. Temperatures are in kelvin there, and the
// specification has whole ones: 0 degrees Celsius are 273 K. A drive without a thermal model has 313 K.

#include "models/host/drive_heat.h"
#include "models/host/nvme/nvme_format.h"
#include "models/host/nvme/nvme_logs.h"

#include <algorithm>
#include <cstdint>

namespace strobe::host::nvme {

inline constexpr std::int32_t celsiusZero = 273;

constexpr std::uint16_t toKelvin(std::int32_t celsius)
{
    return static_cast<std::uint16_t>(std::clamp(celsius + celsiusZero, 0, 0xFFFF));
}

// Values of the feature; of the host's for the drive with these temperatures.
class ThermalManagement {
public:
    // InvalidField: a temperature that the drive does not have, or a light one that is not below the heavy one.
    NvmeStatus set(std::uint32_t value, DriveHeat& heat, Time now);
    std::uint32_t value() const { return value_; }

private:
    std::uint32_t value_ = 0; // bits 31:16 light, 15:0 heavy; 0: none
};

HeatFields heatFields(const DriveHeat* heat, Time now); // null: no thermal model

} // namespace strobe::host::nvme
