#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The interrupt controller on the bus and on its lines. Sources call setLine(); CPUs look at active() and sleep on
// wake(). Registers, levels and masks are InterruptController's.

#include "models/cpu/interrupt_controller.h"
#include "models/cpu/peripheral_module.h"

namespace strobe::cpu {

class InterruptControllerModule : public PeripheralModule {
public:
    explicit InterruptControllerModule(const sc_core::sc_module_name& name);

    // The level of a line from `at` on. REQUIRES: `at` is not in the past; not the software line.
    void setLine(InterruptLine line, bool asserted, Time at);

    std::uint32_t active();                                 // asserted and enabled lines, now
    const sc_core::sc_event& wake() const { return wake_; } // active() has become non-zero
    const InterruptController& controller() const { return controller_; }

private:
    struct LineChange {
        InterruptLine line;
        bool asserted;
    };
    Access readRegister(std::uint32_t offset, std::uint32_t& value, Time at) override;
    Access writeRegister(std::uint32_t offset, std::uint32_t value) override;
    Time step(Time now) override;

    InterruptController controller_;
    EventHeap<LineChange> changes_;
    sc_core::sc_event wake_;
    bool wasActive_ = false;
};

} // namespace strobe::cpu
