#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The words of the boot block that follow from the scenario alone. Addresses in memory, and whether the drive is new,
// come later (assembly/memory_layout.h).

#include "models/cpu/boot_block.h"
#include "platform/config/scenario.h"

namespace strobe::platform {

cpu::BootBlock bootParameters(const Scenario& scenario);

} // namespace strobe::platform
