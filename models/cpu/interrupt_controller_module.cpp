// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/interrupt_controller_module.h"

#include "models/base/strobe_registers.h"
#include "models/tlm/time_bridge.h"

#include <iterator>

namespace strobe::cpu {

InterruptControllerModule::InterruptControllerModule(const sc_core::sc_module_name& name)
    : PeripheralModule(name, regs::intc::table, std::size(regs::intc::table))
{
}

void InterruptControllerModule::setLine(InterruptLine line, bool asserted, Time at)
{
    check(at >= now(), "an interrupt line cannot change in the past");
    changes_.push(at, LineChange{line, asserted});
    settle();
}

std::uint32_t InterruptControllerModule::active()
{
    settle();
    return controller_.active();
}

Access InterruptControllerModule::readRegister(std::uint32_t offset, std::uint32_t& value, Time)
{
    return controller_.read(offset, value);
}

Access InterruptControllerModule::writeRegister(std::uint32_t offset, std::uint32_t value)
{
    return controller_.write(offset, value);
}

Time InterruptControllerModule::step(Time now)
{
    while (changes_.isDue(now)) {
        const LineChange change = changes_.pop();
        controller_.setLine(change.line, change.asserted);
    }
    const bool isActive = controller_.active() != 0;
    if (isActive && !wasActive_)
        wake_.notify(sc_core::SC_ZERO_TIME);
    wasActive_ = isActive;
    return changes_.nextTime();
}

} // namespace strobe::cpu
