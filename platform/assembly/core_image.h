#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// An image of firmware for the RV32 core, checked against its drive: its segments lie in SRAM or control memory, a
// second core can execute its start-up code, and the spare records that it describes fit the pages of the flash.

#include "models/cpu/elf_image.h"
#include "platform/assembly/memory_layout.h"
#include "platform/config/scenario.h"

#include <string>

namespace strobe::platform {

// Throws ConfigError.
cpu::ElfImage loadCoreImage(const std::string& path, const Scenario& scenario, const MemoryLayout& layout);

// All that can be refused about the firmware of a scenario before it runs. Throws ConfigError.
// A native image is found and not opened: this would execute its initialization.
void checkFirmwareImage(const Scenario& scenario);

} // namespace strobe::platform
