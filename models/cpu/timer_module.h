#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The timer on the bus; drives the timer line of its interrupt controller at the exact instant.

#include "models/cpu/interrupt_controller_module.h"
#include "models/cpu/timer.h"

namespace strobe::cpu {

class TimerModule : public PeripheralModule {
public:
    TimerModule(const sc_core::sc_module_name& name, InterruptControllerModule& interrupts);

private:
    Access readRegister(std::uint32_t offset, std::uint32_t& value, Time at) override;
    Access writeRegister(std::uint32_t offset, std::uint32_t value) override;
    Access viewRegister(std::uint32_t offset, std::uint32_t& value) const override;
    Time step(Time now) override;
    bool isOnlyStored(std::uint32_t offset) const override; // half of a compare value, until the other one comes

    Timer timer_;
    InterruptControllerModule& interrupts_;
    bool wasAsserted_ = false;
};

} // namespace strobe::cpu
