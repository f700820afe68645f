// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

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
