#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Who called the function in which a hart is, or was: ra, if it is not inside that function, then the return addresses
// on the stack, innermost first. Works for any image, without unwind tables: a word of the stack counts as a return
// address if the instruction before the place that it names is a call. So a place may be listed that an earlier call
// has left on the stack. Each is the address of the call.

#include "models/cpu/elf_image.h"
#include "models/cpu/rv32/core.h"

#include <cstdint>
#include <vector>

namespace strobe::platform {

inline constexpr std::size_t mostCalls = 12;

std::vector<std::uint32_t> callChain(const rv32::Core& hart, const rv32::Registers& at, const cpu::ElfImage& image);

} // namespace strobe::platform
