#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The description of a core for GDB: its registers by number (GDB's numbers of RISC-V: x0..x31, pc 32, a CSR 65 + its
// number) and the features' XML.

#include "models/cpu/rv32/core.h"

#include <cstdint>
#include <optional>
#include <string>

namespace strobe::cpu {

inline constexpr std::uint32_t gdbRegisters = 33; // of packet g: x0..x31, pc

std::optional<std::uint32_t> gdbRegister(const rv32::Core& core, std::uint32_t number);
bool setGdbRegister(rv32::Core& core, std::uint32_t number, std::uint32_t value); // false: none, or read-only
std::string gdbTargetXml(const rv32::Core& core);

} // namespace strobe::cpu
