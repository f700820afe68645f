// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

#include <cstring>
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

TEST_CASE("numbers are printed in full, and text that does not fit is cut off")
{
    text line;
    text_start(&line, "");
    text_number(&line, 0);
    text_add(&line, " ");
    text_number(&line, 18446744073709551615ull);
    CHECK(std::string(line.chars) == "0 18446744073709551615");
    for (int i = 0; i < 100; ++i)
        text_add(&line, "0123456789");
    CHECK(std::strlen(line.chars) == sizeof line.chars - 1);
}

TEST_CASE("a bus address is printed as eight hexadecimal digits")
{
    text line;
    text_start(&line, "at ");
    text_hex(&line, 0x0200C0DE);
    CHECK(std::string(line.chars) == "at 0x0200c0de");
}

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

TEST_CASE("a ring entry is taken once, when its phase marks it as new, over many rounds")
{
    std::uint32_t entries[16][4] = {};
    ring events;
    ring_init(&events, entries, 16);
    CHECK(ring_take(&events) == nullptr);
    for (std::uint32_t event = 0; event < 50; ++event) {
        const std::uint32_t phase = event / 16 % 2 == 0 ? RING_PHASE : 0;
        entries[event % 16][0] = phase | 1;
        entries[event % 16][1] = event;
        CHECK(ring_has_entry(&events));
        const volatile std::uint32_t* const entry = ring_take(&events);
        REQUIRE(entry != nullptr);
        CHECK(entry[1] == event);
        CHECK(entry[0] == (phase | 1));
        CHECK_FALSE(ring_has_entry(&events));
        CHECK(ring_take(&events) == nullptr);
    }
    CHECK(events.taken == 50);
    CHECK(ring_size(1) == 16);
    CHECK(ring_size(17) == 32);
}

TEST_CASE("a transfer is five register writes, the last of which starts it")
{
    FakeHal hal;
    host_transfer(3, true, 8, 4, 0x80000, 77, true);
    using Writes = decltype(hal.writes);
    CHECK(hal.writes == Writes{{HOST_XFER_RANGE, 8 | 3 << HOST_XFER_RANGE_MORE_SHIFT},
                               {HOST_XFER_BUFFER, 0x80000},
                               {HOST_XFER_COOKIE, 77},
                               {HOST_XFER_START, 3 | HOST_XFER_START_TO_HOST_MASK | HOST_XFER_START_NOTIFY_MASK |
                                                     HOST_XFER_START_COMPLETE_MASK}});
    hal.writes.clear();
    host_complete(5, HOST_DEVICE_FAULT);
    CHECK(hal.writes == Writes{{HOST_COMPLETE, 5u | 4u << 16}});
}
