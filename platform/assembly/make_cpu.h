#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The CPU that a scenario asks for, with its firmware: compiled for the host, or on the RV32 core.

#include "models/cpu/cpu_module.h"
#include "models/cpu/interrupt_controller_module.h"
#include "platform/config/scenario.h"

#include <memory>
#include <string>

namespace strobe::platform {

// Throws ConfigError for an image that cannot be loaded.
std::unique_ptr<cpu::CpuModule> makeCpu(const Scenario& scenario, const std::string& image,
                                        cpu::InterruptControllerModule& interrupts, cpu::Console console);

} // namespace strobe::platform
