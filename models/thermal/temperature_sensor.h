#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The temperature sensor without a kernel (regs::thermal): registers in front of a ThermalRecord, which outlives it.
// The line is asserted from each sample until firmware reads TEMPERATURE, while CONTROL.enable is set. Time is an
// argument. Not modelled: errors and noise of the sensor, a sensor for each package: firmware sees the composite
// temperature.

#include "models/base/register_bank.h"
#include "models/thermal/thermal_record.h"

#include <cstdint>

namespace strobe::thermal {

inline constexpr std::int32_t stepsPerDegree = 16; // of the registers

class TemperatureSensor {
public:
    explicit TemperatureSensor(ThermalRecord& record);

    Access read(std::uint32_t offset, std::uint32_t& value);
    Access view(std::uint32_t offset, std::uint32_t& value) const { return registers_.view(offset, value); }
    Access write(std::uint32_t offset, std::uint32_t value, Time now);

    void sample(Time now, const PerNode& joule, bool isMeasured); // as ThermalRecord::sample()
    bool isAsserted() const;
    bool isListened() const; // firmware has enabled the line

    // What the host wants, for firmware: whole degrees, 0: nothing; W, 0: no limit.
    void setManagement(std::int32_t light, std::int32_t heavy);
    void setPowerLimit(double watt);

    const ThermalRecord& record() const { return record_; }

private:
    ThermalRecord& record_;
    RegisterBank registers_;
    bool isNew_ = false; // a sample that has not been read
    Time now_{};         // of the current write
};

} // namespace strobe::thermal
