// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/word_arithmetic.h"
#include "tests/support/catch.h"

using namespace strobe::rv32;

namespace {

constexpr Word minusOne = 0xFFFFFFFF;
constexpr Word minusSeven = 0xFFFFFFF9;

} // namespace

TEST_CASE("signed division rounds towards zero, and the remainder has the sign of the dividend")
{
    CHECK(quotientOf(7, 2) == 3);
    CHECK(remainderOf(7, 2) == 1);
    CHECK(quotientOf(minusSeven, 2) == 0xFFFFFFFD);
    CHECK(remainderOf(minusSeven, 2) == minusOne);
    CHECK(quotientOf(7, 0xFFFFFFFE) == 0xFFFFFFFD);
    CHECK(remainderOf(7, 0xFFFFFFFE) == 1);
    CHECK(quotientOf(minusSeven, minusSeven) == 1);
}

TEST_CASE("division by zero has all bits set as its quotient and the dividend as its remainder")
{
    for (const Word a : {Word{0}, Word{7}, minusSeven, mostNegative}) {
        CHECK(quotientOf(a, 0) == minusOne);
        CHECK(remainderOf(a, 0) == a);
    }
}

TEST_CASE("the most negative number divided by minus one is itself, without a remainder")
{
    CHECK(quotientOf(mostNegative, minusOne) == mostNegative);
    CHECK(remainderOf(mostNegative, minusOne) == 0);
    CHECK(quotientOf(mostNegative, 1) == mostNegative);
    CHECK(quotientOf(mostNegative + 1, minusOne) == 0x7FFFFFFF);
}

TEST_CASE("the high half of a product keeps its sign")
{
    CHECK(highOf(std::int64_t{-1}) == minusOne);
    CHECK(highOf(std::int64_t{0x7FFFFFFF} * 0x7FFFFFFF) == 0x3FFFFFFF);
    CHECK(highOf(std::int64_t{asSigned(mostNegative)} * asSigned(mostNegative)) == 0x40000000);
    CHECK(highOf(std::int64_t{asSigned(minusOne)} * std::int64_t{minusOne}) == minusOne);
}

TEST_CASE("signed and unsigned are two readings of the same bits")
{
    CHECK(asSigned(minusOne) == -1);
    CHECK(asSigned(mostNegative) == INT32_MIN);
    CHECK(asUnsigned(-7) == minusSeven);
    CHECK(asUnsigned(INT32_MAX) == 0x7FFFFFFF);
}
