// SPDX-License-Identifier: Apache-2.0
//
// What wear does to the operations of one die: the draws themselves are tested in test_wear.cpp.
#include "models/nand/cell_aging.h"
#include "tests/support/catch.h"

#include <chrono>

using namespace strobe;
using namespace strobe::nand;
using namespace std::chrono_literals;

namespace {

// Program time between half and twice the fresh one; no errors at wear 0, every tenth bit at wear 1.
WearCurve curve()
{
    return {"test", {{0, 1, 0.5, 2, 0}, {1, 1, 0.5, 2, 0.1}}};
}

} // namespace

TEST_CASE("the last plane of a group takes the longest time of all its planes")
{
    const WearCurve wear = curve();
    CellAging aging(wear, {}, Rng(1, "aging"));
    CellAging same(wear, {}, Rng(1, "aging"));
    Time longest{};
    for (int plane = 0; plane < 3; ++plane)
        longest = std::max(longest, same.programTime(200us, 0, false));
    aging.programTime(200us, 0, true);
    aging.programTime(200us, 0, true);
    CHECK(aging.programTime(200us, 0, false) == longest);
    CHECK(aging.drawn() == longest);
    CHECK(aging.takeGroup() == Time{}); // the group has ended
}

TEST_CASE("the longest time of latched planes can be taken or dropped")
{
    const WearCurve wear = curve();
    CellAging aging(wear, {}, Rng(1, "aging"));
    const Time first = aging.programTime(200us, 0, true);
    CHECK(aging.takeGroup() == first);
    CHECK(aging.takeGroup() == Time{});
    aging.programTime(200us, 0, true);
    aging.dropGroup();
    CHECK(aging.takeGroup() == Time{});
}

TEST_CASE("read errors follow the bit error rate of the wear")
{
    const WearCurve wear = curve();
    CellAging aging(wear, {0.25, 1024}, Rng(1, "aging"));
    CHECK(aging.before() == 0.25);
    CHECK(aging.readErrors(4, 0) == 0);
    const std::uint32_t errors = aging.readErrors(4, 1); // two codewords of 8192 bits
    CHECK(errors > 700);
    CHECK(errors < 1000);
}
