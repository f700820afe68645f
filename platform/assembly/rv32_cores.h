#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The cores of a drive whose firmware runs on the RV32 core, by number.

#include "models/cpu/rv32_cpu_module.h"
#include "platform/assembly/ssd_module.h"

#include <vector>

namespace strobe::platform {

std::vector<cpu::Rv32CpuModule*> rv32CoresOf(SsdModule& ssd); // REQUIRES: firmware.mode rv32

} // namespace strobe::platform
