// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/memory_layout.h"

#include "models/base/config_error.h"
#include "models/base/strobe_registers.h"
#include "platform/config/boot_parameters.h"
#include "platform/config/firmware_memory.h"

#include <string>

namespace strobe::platform {

MemoryLayout layOutMemory(const Scenario& scenario)
{
    MemoryLayout layout;
    layout.sram = {sramBase, scenario.sram.size};
    layout.boot = {BusAddress{regs::bootBlock::base}, bootMemoryBytes};
    layout.sdram = {sdramBase, scenario.memory.size};

    const std::uint64_t tableBytes = badBlockTableBytes(scenario);
    const std::uint64_t bufferBytes = alignedToMemory(scenario.memory.bufferSize);
    if (tableBytes + bufferBytes + memoryAlignment > scenario.memory.size) {
        throw ConfigError("/memory/size: " + std::to_string(scenario.memory.size) + " bytes do not hold a buffer of " +
                          std::to_string(bufferBytes) + " bytes and firmware's tables; make it larger");
    }
    const auto table = static_cast<std::uint32_t>(tableBytes);
    const auto buffer = static_cast<std::uint32_t>(bufferBytes);
    layout.badBlockTable = {sdramBase, table};
    layout.control = {sdramBase + table, scenario.memory.size - table - buffer};
    layout.dataBuffer = {sdramBase + (scenario.memory.size - buffer), buffer};
    layout.hasTemperatureSensor = scenario.thermal.isEnabled;
    return layout;
}

cpu::BootBlock makeBootBlock(const Scenario& scenario, const MemoryLayout& layout, PowerOn powerOn)
{
    cpu::BootBlock boot = bootParameters(scenario);
    boot.memoryBase = raw(layout.control.base);
    boot.memorySize = layout.control.size;
    boot.bufferBase = raw(layout.dataBuffer.base);
    boot.bufferSize = layout.dataBuffer.size;
    boot.badBlockTable = layout.badBlockTable.size == 0 ? 0 : raw(layout.badBlockTable.base);
    boot.statistics = raw(layout.boot.base) + statisticsOffset;
    boot.recover = static_cast<std::uint32_t>(powerOn);
    return boot;
}

} // namespace strobe::platform
