// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/timer_module.h"

#include "models/base/strobe_registers.h"
#include "models/tlm/time_bridge.h"

#include <iterator>

namespace strobe::cpu {

TimerModule::TimerModule(const sc_core::sc_module_name& name, InterruptControllerModule& interrupts)
    : PeripheralModule(name, regs::timer::table, std::size(regs::timer::table)), interrupts_(interrupts)
{
}

Access TimerModule::readRegister(std::uint32_t offset, std::uint32_t& value, Time at)
{
    return timer_.read(offset, value, at);
}

Access TimerModule::viewRegister(std::uint32_t offset, std::uint32_t& value) const
{
    return timer_.view(offset, value, now());
}

Access TimerModule::writeRegister(std::uint32_t offset, std::uint32_t value)
{
    return timer_.write(offset, value);
}

bool TimerModule::isOnlyStored(std::uint32_t offset) const
{
    return offset == regs::timer::COMPARE_LO;
}

Time TimerModule::step(Time now)
{
    const bool isAsserted = timer_.isAsserted(now);
    if (isAsserted != wasAsserted_) {
        interrupts_.setLine(InterruptSource::Timer, isAsserted, now);
        wasAsserted_ = isAsserted;
    }
    return isAsserted ? never : timer_.risesAt();
}

} // namespace strobe::cpu
