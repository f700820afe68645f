#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Mistakes of firmware that nothing else would show, because the memory accepts them: stores into code and constants of
// its image, stores through a null pointer, execution of the stack. Each is counted as a misuse of memory
// (SsdModule::memoryFaults()) and takes effect as usual. Costs nothing but for stores to the first 4 KiB of memory and
// to pages of code. Not seen: stores to constants in the page that they share with data; null pointers with a member
// beyond the first 16 bytes; the stack of an image without __stack_limit and __stack_top (firmware/hal/rv32/link.ld).

#include "models/cpu/rv32_cpu_module.h"
#include "models/cpu/rv32_firmware.h"

#include <functional>
#include <string>

namespace strobe::platform {

// `report` is called with the text of a mistake. The firmware must outlive the core.
void guardMemory(cpu::Rv32CpuModule& core, const cpu::Rv32Firmware& firmware,
                 std::function<void(const std::string& text)> report);

} // namespace strobe::platform
