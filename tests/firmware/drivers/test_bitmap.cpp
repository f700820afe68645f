// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

TEST_CASE("the lowest bit of a word is found, whatever the higher bits are")
{
    for (std::uint32_t bit = 0; bit < 32; ++bit) {
        CHECK(bitmap_lowest(1u << bit) == bit);
        CHECK(bitmap_lowest(~0u << bit) == bit);
        CHECK(bitmap_lowest(0xA5A5A5A5u << bit | 1u << bit) == bit);
    }
}

TEST_CASE("the search for the next member of a set is cyclic, also over several words")
{
    std::uint32_t set[3] = {};
    CHECK(bitmap_next(set, 70, 3) == BITMAP_NONE);
    bitmap_add(set, 5);
    CHECK(bitmap_next(set, 70, 6) == 5); // in the same word
    bitmap_add(set, 69);
    CHECK(bitmap_next(set, 70, 6) == 69);
    CHECK(bitmap_next(set, 70, 0) == 5);
    CHECK(bitmap_next(set, 70, 70) == 5);
    bitmap_remove(set, 5);
    CHECK(bitmap_next(set, 70, 0) == 69);
}
