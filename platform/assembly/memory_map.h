#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What is mapped on the system bus, and where: the list from which SsdModule wires its fabric and from which
// `strobe inspect memory-map` prints. Registers are described by the generated tables of strobe_registers.h. A second
// core has its own interrupt controller and timer, HAL_CORE_STEP above those of the first
// (firmware/hal/cores.h).

#include "models/base/register_bank.h"
#include "models/memory/region.h"
#include "platform/assembly/memory_layout.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace strobe::platform {

enum class BusTarget : std::uint8_t {
    Sram,
    Boot,
    InterruptController,
    Timer,
    Uart,
    TemperatureSensor,
    HostInterface,
    FlashController,
    Sdram
};

struct BusMapping {
    BusTarget target;
    std::uint32_t core; // its owner; 0 if all cores share it
    std::string name;
    memory::Region region;
    const RegisterInfo* registers = nullptr; // null: memory
    std::size_t registerCount = 0;
};

std::vector<BusMapping> memoryMap(const MemoryLayout& layout, std::uint32_t cores); // in ascending order of address

} // namespace strobe::platform
