// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/uart_module.h"

#include "models/base/strobe_registers.h"
#include "models/tlm/time_bridge.h"

#include <iterator>
#include <utility>

namespace strobe::cpu {

UartModule::UartModule(const sc_core::sc_module_name& name, const UartConfig& config, Uart::Line line)
    : PeripheralModule(name, regs::uart::table, std::size(regs::uart::table)), uart_(config, std::move(line))
{
}

void UartModule::onLost(std::function<void(std::uint32_t writer)> listener)
{
    uart_.onLost([this, listener = std::move(listener)] { listener(writer()); });
}

Access UartModule::readRegister(std::uint32_t offset, std::uint32_t& value, Time at)
{
    return uart_.read(offset, value, at);
}

Access UartModule::viewRegister(std::uint32_t offset, std::uint32_t& value) const
{
    return uart_.view(offset, value, now());
}

Access UartModule::writeRegister(std::uint32_t offset, std::uint32_t value)
{
    return uart_.write(offset, value, now());
}

Time UartModule::step(Time)
{
    return never;
}

} // namespace strobe::cpu
