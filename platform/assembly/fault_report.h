#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Firmware on the RV32 core that has failed, as text for its engineer: the last exception, the registers and calls at
// that instruction (or now, without an exception), and what the hardware has refused before. Works for any image: the
// core keeps the registers of an exception before its handler runs. Takes no simulated time.

#include "platform/assembly/ssd_module.h"

#include <cstddef>
#include <string>
#include <vector>

namespace strobe::platform {

// "store access fault"; an interrupt is "external interrupt".
std::string causeText(std::uint32_t mcause);

// Lines, each after a newline; nothing for native firmware. REQUIRES: core 0, or 1 if there is a second one.
std::string describeFault(const SsdModule& ssd, std::size_t core);
// The same of an exception that is about to be entered, the first line without a newline.
std::string describeException(const SsdModule& ssd, std::size_t core, const rv32::Trap& trap);

// What the hardware has refused so far, of the first that are kept.
std::vector<std::string> refusals(const SsdModule& ssd);

} // namespace strobe::platform
