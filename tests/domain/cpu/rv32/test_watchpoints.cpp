// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/watchpoints.h"
#include "tests/support/catch.h"

using namespace strobe::rv32;

TEST_CASE("an access hits a watchpoint of its kind that it touches")
{
    Watchpoints points;
    points.add({0x100, 4, false, true});
    CHECK_FALSE(points.accessed(0x100, 4, false)); // a load
    CHECK_FALSE(points.accessed(0x0FC, 4, true));
    CHECK_FALSE(points.accessed(0x104, 1, true));
    CHECK_FALSE(points.takeHit());
    CHECK(points.accessed(0x0FE, 4, true));
    CHECK(points.hit().address == 0x0FE);
    CHECK(points.hit().watchpoint.address == 0x100);
    CHECK(points.takeHit());
    CHECK_FALSE(points.takeHit());
}

TEST_CASE("a range is watched if a part of it is")
{
    Watchpoints points;
    points.add({0x100, 1, true, false});
    CHECK(points.watches(0x000, 0x101, false));
    CHECK_FALSE(points.watches(0x000, 0x100, false));
    CHECK_FALSE(points.watches(0x000, 0x101, true));
    CHECK(points.remove({0x100, 1, true, false}));
    CHECK_FALSE(points.remove({0x100, 1, true, false}));
    CHECK(points.empty());
}

TEST_CASE("a watchpoint may end with the address space")
{
    const Watchpoint point{0xFFFFFFFC, 4, true, true};
    CHECK(point.last() == UINT32_MAX);
    CHECK(point.touches(0xFFFFFFFF, 1));
    CHECK_FALSE(point.touches(0, 4));
    CHECK(Watchpoint{0xFFFFFFFC, 16, true, true}.last() == UINT32_MAX);
}
