#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Cutting bit fields out of instructions.

#include <cstdint>

namespace strobe::rv32 {

constexpr std::uint32_t field(std::uint32_t bits, unsigned high, unsigned low)
{
    return bits >> low & ((2U << (high - low)) - 1); // 2U << 31 is 0: all bits
}

constexpr std::int32_t signExtend(std::uint32_t value, unsigned bits)
{
    const std::uint32_t sign = 1U << (bits - 1);
    return static_cast<std::int32_t>((value ^ sign) - sign);
}

} // namespace strobe::rv32
