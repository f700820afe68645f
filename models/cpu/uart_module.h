#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The UART on the bus.

#include "models/cpu/peripheral_module.h"
#include "models/cpu/uart.h"

#include <cstdint>
#include <functional>

namespace strobe::cpu {

class UartModule : public PeripheralModule {
public:
    UartModule(const sc_core::sc_module_name& name, const UartConfig& config, Uart::Line line);

    void flush() { uart_.flush(); }
    // Called when a byte is lost, with who wrote it (locateWriter(); 0: not known).
    void onLost(std::function<void(std::uint32_t writer)> listener);

private:
    Access readRegister(std::uint32_t offset, std::uint32_t& value, Time at) override;
    Access writeRegister(std::uint32_t offset, std::uint32_t value) override;
    Access viewRegister(std::uint32_t offset, std::uint32_t& value) const override;
    Time step(Time now) override;

    Uart uart_;
};

} // namespace strobe::cpu
