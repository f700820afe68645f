#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Mistakes of firmware that nothing else would show, because the memory accepts them: stores into code and constants of
// its image, stores through a null pointer, execution of the stack, writes to read-only registers, which do nothing.
// Each is counted as a misuse of memory (SsdModule::memoryFaults()) and takes effect as usual. Costs nothing but for
// stores to pages of code and to registers. Not seen: stores to constants in the page that they share with data; null
// pointers with a member beyond the first 16 bytes; the stack of an image without __stack_limit and __stack_top
// (firmware/hal/rv32/link.ld).

#include "models/cpu/rv32_cpu_module.h"
#include "models/cpu/rv32_firmware.h"

#include "platform/assembly/memory_map.h"

#include <functional>
#include <string>
#include <vector>

namespace strobe::platform {

// `report` is called with the text of a mistake. The firmware must outlive the core.
using MistakeListener = std::function<void(const std::string& text)>;
void guardMemory(cpu::Rv32CpuModule& core, const cpu::Rv32Firmware& firmware, MistakeListener report);
void guardRegisters(cpu::Rv32CpuModule& core, const cpu::Rv32Firmware& firmware, const MemoryLayout& layout,
                    std::uint32_t cores, MistakeListener report);

} // namespace strobe::platform
