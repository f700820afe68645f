// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/register_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

// As in firmware/regs/strobe_regs.h.
const char* prefixOf(BusTarget target)
{
    switch (target) {
    case BusTarget::InterruptController: return "INTC";
    case BusTarget::Timer: return "TIMER";
    case BusTarget::Uart: return "UART";
    case BusTarget::TemperatureSensor: return "THERMAL";
    case BusTarget::HostInterface: return "HOST";
    case BusTarget::FlashController: return "FLASH";
    case BusTarget::Sram:
    case BusTarget::Boot:
    case BusTarget::Sdram: break;
    }
    return "";
}

} // namespace

std::string RegisterNames::blockOf(const BusMapping& mapping)
{
    std::string name = prefixOf(mapping.target);
    std::transform(name.begin(), name.end(), name.begin(), [](char c) { return static_cast<char>(c - 'A' + 'a'); });
    return mapping.core == 0 ? name : name + std::to_string(mapping.core);
}

std::string RegisterNames::of(std::uint32_t address) const
{
    for (const BusMapping& mapping : map_) {
        const std::uint32_t offset = address - raw(mapping.region.base);
        if (offset >= mapping.region.size)
            continue;
        for (std::size_t i = 0; i < mapping.registerCount; ++i) {
            const RegisterInfo& row = mapping.registers[i];
            const std::uint32_t element = (offset - row.offset) / row.step;
            if (offset < row.offset || element >= row.count || (offset - row.offset) % row.step != 0)
                continue;
            const std::string name = fmt::format("{}{}.{}", prefixOf(mapping.target),
                                                 mapping.core == 0 ? "" : std::to_string(mapping.core), row.name);
            return row.count == 1 ? name : fmt::format("{}[{}]", name, element);
        }
    }
    return fmt::format("{:#010x}", address);
}

} // namespace strobe::platform
