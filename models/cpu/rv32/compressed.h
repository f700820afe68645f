#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The compressed instructions of RV32C (Unprivileged ISA, chapter 16), without floating point.

#include "models/cpu/rv32/instruction.h"

#include <cstdint>

namespace strobe::rv32 {

Instruction decodeCompressed(std::uint16_t bits); // REQUIRES: isCompressed(bits)

} // namespace strobe::rv32
