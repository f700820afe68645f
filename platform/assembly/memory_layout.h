#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The memory map, and the boot block that passes it to firmware. From the bottom of the bulk SDRAM: the factory bad
// block table (if firmware gets one), control memory for firmware, the data buffer. Throws ConfigError if it does not
// fit.

#include "models/cpu/boot_block.h"
#include "models/memory/region.h"
#include "platform/config/scenario.h"

namespace strobe::platform {

inline constexpr BusAddress sramBase{0x00000000};
inline constexpr BusAddress sdramBase{0x80000000};
inline constexpr std::uint32_t bootMemoryBytes = 4096;
inline constexpr std::uint32_t statisticsOffset = 2048; // in boot memory

struct MemoryLayout {
    memory::Region sram;
    memory::Region boot;
    memory::Region sdram;
    memory::Region badBlockTable; // size 0: none, firmware scans
    memory::Region control;
    memory::Region dataBuffer;
    bool hasTemperatureSensor = false; // its registers
};

MemoryLayout layOutMemory(const Scenario& scenario);

// In what state firmware finds the flash: the boot word RECOVER.
enum class PowerOn : std::uint32_t {
    First,     // blank: firmware recovers nothing
    AfterLoss, // power was lost: operations may have been interrupted
    AfterOff   // power was switched off when nothing was in progress, and was never lost before
};

cpu::BootBlock makeBootBlock(const Scenario& scenario, const MemoryLayout& layout, PowerOn powerOn);

} // namespace strobe::platform
