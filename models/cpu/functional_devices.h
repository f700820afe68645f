#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The devices of firmware that runs without time (NativeCpuModule::runFunctional). Register accesses take effect at
// once. What would take time happens while firmware sleeps: a call of sleep() is the next thing that happens to it.

#include "firmware/hal/strip.h"

#include <cstdint>

namespace strobe::cpu {

class FunctionalDevices {
public:
    virtual ~FunctionalDevices() = default;
    // By bus address. False: not a register of these devices; the access goes to the bus.
    virtual bool read(std::uint32_t address, std::uint32_t& value) = 0;
    virtual bool write(std::uint32_t address, std::uint32_t value) = 0;
    virtual std::uint32_t lines() = 0; // interrupt lines that are asserted, by bit
    // hal_store(), hal_arrive()
    virtual std::uint32_t store(const hal_strip& strip) = 0;
    virtual bool arrive() = 0;
    // Firmware sleeps. Makes something happen and returns the lines; 0: nothing will, or the caller of runFunctional()
    // is to go on.
    virtual std::uint32_t sleep() = 0;
};

} // namespace strobe::cpu
