// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/memory_map.h"

#include "firmware/hal/cores.h"
#include "models/base/strobe_registers.h"

#include <algorithm>
#include <iterator>

namespace strobe::platform {

std::vector<BusMapping> memoryMap(const MemoryLayout& layout, std::uint32_t cores)
{
    std::vector<BusMapping> map{{BusTarget::Sram, 0, "sram", layout.sram},
                                {BusTarget::Boot, 0, "boot", layout.boot},
                                {BusTarget::Uart,
                                 0,
                                 "uart",
                                 {BusAddress{regs::uart::base}, regs::uart::size},
                                 regs::uart::table,
                                 std::size(regs::uart::table)},
                                {BusTarget::HostInterface,
                                 0,
                                 "host interface",
                                 {BusAddress{regs::host::base}, regs::host::size},
                                 regs::host::table,
                                 std::size(regs::host::table)},
                                {BusTarget::FlashController,
                                 0,
                                 "flash controller",
                                 {BusAddress{regs::flash::base}, regs::flash::size},
                                 regs::flash::table,
                                 std::size(regs::flash::table)},
                                {BusTarget::Sdram, 0, "sdram", layout.sdram}};
    if (layout.hasTemperatureSensor)
        map.push_back({BusTarget::TemperatureSensor,
                       0,
                       "temperature sensor",
                       {BusAddress{regs::thermal::base}, regs::thermal::size},
                       regs::thermal::table,
                       std::size(regs::thermal::table)});
    for (std::uint32_t core = 0; core < cores; ++core) {
        const std::uint32_t step = core * HAL_CORE_STEP;
        const std::string suffix = core == 0 ? "" : " " + std::to_string(core);
        map.push_back({BusTarget::InterruptController,
                       core,
                       "interrupt controller" + suffix,
                       {BusAddress{regs::intc::base + step}, regs::intc::size},
                       regs::intc::table,
                       std::size(regs::intc::table)});
        map.push_back({BusTarget::Timer,
                       core,
                       "timer" + suffix,
                       {BusAddress{regs::timer::base + step}, regs::timer::size},
                       regs::timer::table,
                       std::size(regs::timer::table)});
    }
    std::sort(map.begin(), map.end(),
              [](const BusMapping& a, const BusMapping& b) { return raw(a.region.base) < raw(b.region.base); });
    return map;
}

} // namespace strobe::platform
