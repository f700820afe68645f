#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of 32-bit registers where C++ differs from RV32: signed values, the high half of a product, division.
// Source: Unprivileged ISA, chapter 7 (M extension).

#include <cstdint>

namespace strobe::rv32 {

using Word = std::uint32_t;
using SignedWord = std::int32_t;

constexpr SignedWord asSigned(Word value)
{
    return static_cast<SignedWord>(value);
}
constexpr Word asUnsigned(SignedWord value)
{
    return static_cast<Word>(value);
}

constexpr Word highOf(std::int64_t product)
{
    return static_cast<Word>(static_cast<std::uint64_t>(product) >> 32);
}

// Division by zero and the overflow of the most negative number have results, not traps (7.2).
inline constexpr Word mostNegative = 0x80000000;
constexpr Word quotientOf(Word a, Word b) // signed
{
    if (b == 0)
        return ~Word{0};
    return a == mostNegative && b == ~Word{0} ? a : asUnsigned(asSigned(a) / asSigned(b));
}
constexpr Word remainderOf(Word a, Word b) // signed; it has the sign of a
{
    if (b == 0)
        return a;
    return a == mostNegative && b == ~Word{0} ? 0 : asUnsigned(asSigned(a) % asSigned(b));
}

} // namespace strobe::rv32
