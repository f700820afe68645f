// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

#include <string>

using namespace strobe::test;

TEST_CASE("the arena aligns, clears, and names an allocation that did not fit")
{
    FakeHal hal;
    arena small;
    arena_init(&small, 0x1010, 256);
    CHECK(arena_take(&small, 1, 4, 64, "a") == 0x1040);
    CHECK(arena_take(&small, 2, 4, 16, "b") == 0x1050);
    CHECK(*hal.words(0x1050) == 0);
    CHECK(*hal.words(0x1054) == 0);
    CHECK(*hal.words(0x1058) == 0xA5A5A5A5);
    try {
        arena_take(&small, 0x100000000ull, 4, 16, "the mapping table");
        FAIL("it fitted");
    } catch (const Panic& panic) {
        CHECK(std::string(panic.what()) == "control memory too small: up to and including the mapping table, "
                                           "firmware needs 17179869264 bytes; available: 256");
    }
}

TEST_CASE("everything taken since a mark is released at once, and cleared when it is taken again")
{
    FakeHal hal;
    arena small;
    arena_init(&small, 0x1000, 256);
    arena_take(&small, 4, 4, 16, "kept");
    const std::uint64_t mark = arena_mark(&small);
    const bus_address first = arena_take(&small, 60, 4, 16, "a part of the start");
    *hal.words(first) = 7;
    arena_release(&small, mark);
    CHECK(arena_take(&small, 60, 4, 16, "something else") == first);
    CHECK(*hal.words(first) == 0);
}
