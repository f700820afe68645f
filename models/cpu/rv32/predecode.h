#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// From an instruction to a step of threaded code.

#include "models/cpu/rv32/code_cache.h"
#include "models/cpu/rv32/cycle_table.h"
#include "models/cpu/rv32/instruction.h"
#include "models/cpu/rv32/step_kinds.h"

namespace strobe::rv32 {

// Operands of the step: Near: imm counts steps; Illegal: imm holds the bits; Csr, Atomic: rs2 resp. imm the operation.
StepKind predecode(const Instruction& instruction, std::uint32_t pc, std::uint32_t bits, const CycleTable& cycles,
                   Step& step);

} // namespace strobe::rv32
