// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

using namespace strobe::test;

namespace {

struct Fixture {
    FakeHal hal;
    geometry g = geometryOf(1, 1, 1, 1);
    buffer slots{};

    explicit Fixture(std::uint32_t pages = 32, std::uint32_t writePages = 0)
    {
        initBuffer(slots, hal, g, 0x80000, pages, writePages);
    }
    std::uint32_t version(std::uint32_t logical)
    {
        const std::uint32_t slot = buffer_take(&slots, USE_WRITE);
        slots.slot[slot].logical = logical;
        slots.slot[slot].state = SLOT_RECEIVING;
        buffer_publish(&slots, slot);
        return slot;
    }
};

} // namespace

TEST_CASE("slot 0 is never handed out, and consecutive slots are neighbours in memory")
{
    Fixture f;
    CHECK(buffer_take(&f.slots, USE_WRITE) == 1);
    CHECK(buffer_take(&f.slots, USE_READ) == 2);
    buffer_give(&f.slots, 1);
    CHECK(buffer_take(&f.slots, USE_WRITE) == 3);
    CHECK(buffer_address(&f.slots, 3) == 0x80000 + 3 * 2048);
}

TEST_CASE("reads and moves take the slots that were given back last, writes take them cyclically")
{
    Fixture f;
    for (std::uint32_t slot = 1; slot <= 3; ++slot)
        CHECK(buffer_take(&f.slots, USE_READ) == slot);
    buffer_give(&f.slots, 2);
    buffer_give(&f.slots, 1);
    CHECK(buffer_take(&f.slots, USE_WRITE) == 4);
    CHECK(buffer_take(&f.slots, USE_MOVE) == 1);
    CHECK(buffer_take(&f.slots, USE_READ) == 2);
    CHECK(buffer_take(&f.slots, USE_READ) == 5);
}

TEST_CASE("each use has its limit, so no use can starve another")
{
    Fixture f(32, 10);
    CHECK(f.slots.limit[USE_WRITE] == 10);
    CHECK(f.slots.limit[USE_READ] + f.slots.limit[USE_WRITE] + f.slots.limit[USE_MOVE] == 31);
    for (std::uint32_t i = 0; i < 10; ++i)
        CHECK(buffer_take(&f.slots, USE_WRITE) != NONE);
    CHECK(buffer_take(&f.slots, USE_WRITE) == NONE);
    for (std::uint32_t i = 0; i < f.slots.limit[USE_READ]; ++i)
        CHECK(buffer_take(&f.slots, USE_READ) != NONE);
    CHECK(buffer_take(&f.slots, USE_READ) == NONE);
    CHECK(buffer_take(&f.slots, USE_MOVE) != NONE);
}

TEST_CASE("even if writes may have the whole buffer, reads and moves keep two slots each")
{
    Fixture f(32, 1000);
    CHECK(f.slots.limit[USE_READ] >= 2);
    CHECK(f.slots.limit[USE_MOVE] >= 2);
    Fixture smallest(7, 1000);
    CHECK(smallest.slots.limit[USE_READ] == 2);
    CHECK(smallest.slots.limit[USE_MOVE] == 2);
    CHECK(smallest.slots.limit[USE_WRITE] == 2);
}

TEST_CASE("moves that need most of a small buffer leave a third of the rest to reads")
{
    FakeHal hal;
    const geometry g = geometryOf(8, 4, 1, 1, 8, 96, 16384, 4096, 3);
    buffer slots{};
    initBuffer(slots, hal, g, 0x80000, 560, 0);
    CHECK(slots.limit[USE_MOVE] == 32 * 11 + 12);
    CHECK(slots.limit[USE_WRITE] == (559 - slots.limit[USE_MOVE]) * 2 / 3);
    CHECK(slots.limit[USE_READ] == 65);
}

TEST_CASE("a cookie names the last slot of the largest buffer")
{
    const std::uint32_t last = BUFFER_MOST_SLOTS - 1;
    const std::uint32_t cookie = cookie_of(COOKIE_RUN, last, 31, 32);
    CHECK(cookie_slot(cookie) == last);
    CHECK(cookie_column(cookie) == 31);
    CHECK(cookie_count(cookie) == 32);
    CHECK(cookie_kind(cookie) == COOKIE_RUN);
}

TEST_CASE("the newest version of a page is found, others by their links")
{
    Fixture f;
    CHECK(buffer_find(&f.slots, 5) == NONE);
    const std::uint32_t first = f.version(5);
    const std::uint32_t other = f.version(6);
    const std::uint32_t second = f.version(5);
    CHECK(buffer_find(&f.slots, 5) == second);
    CHECK(buffer_find(&f.slots, 6) == other);
    CHECK(f.slots.slot[second].older == first);
    CHECK(f.slots.slot[first].newer == second);
}

TEST_CASE("an older version that settles first leaves the newer one in place")
{
    Fixture f;
    const std::uint32_t first = f.version(5);
    const std::uint32_t second = f.version(5);
    buffer_settle(&f.slots, first);
    CHECK(buffer_find(&f.slots, 5) == second);
    CHECK(f.slots.slot[second].older == NONE);
    CHECK_FALSE(f.slots.slot[second].stale);
}

TEST_CASE("a newer version that settles first makes all older ones stale, and none is found")
{
    Fixture f;
    const std::uint32_t first = f.version(5);
    const std::uint32_t second = f.version(5);
    const std::uint32_t third = f.version(5);
    buffer_settle(&f.slots, third);
    CHECK(buffer_find(&f.slots, 5) == NONE);
    CHECK(f.slots.slot[first].stale);
    CHECK(f.slots.slot[second].stale);
}

TEST_CASE("a version that is withdrawn leaves the others of its unit as they are, wherever it is in their list")
{
    const unsigned withdrawn = GENERATE(0U, 1U, 2U);
    Fixture f;
    const std::uint32_t versions[] = {f.version(5), f.version(5), f.version(5)};
    buffer_withdraw(&f.slots, versions[withdrawn]);
    std::uint32_t found = buffer_find(&f.slots, 5);
    for (unsigned i = 3; i-- > 0;) {
        if (i == withdrawn)
            continue;
        CHECK(found == versions[i]);
        CHECK_FALSE(f.slots.slot[found].stale);
        found = f.slots.slot[found].older;
    }
    CHECK(found == NONE);
    CHECK(f.slots.slot[versions[withdrawn]].stale);
    const std::uint32_t alone = f.version(6);
    buffer_withdraw(&f.slots, alone);
    CHECK(buffer_find(&f.slots, 6) == NONE);
}

TEST_CASE("after a trim no version is found, all are stale, and a new one has no older versions")
{
    Fixture f;
    const std::uint32_t first = f.version(5);
    const std::uint32_t second = f.version(5);
    buffer_forget(&f.slots, 5);
    CHECK(buffer_find(&f.slots, 5) == NONE);
    CHECK(f.slots.slot[first].stale);
    CHECK(f.slots.slot[second].stale);
    const std::uint32_t third = f.version(5);
    CHECK(f.slots.slot[third].older == NONE);
    buffer_settle(&f.slots, second); // ends later, changes nothing
    CHECK(buffer_find(&f.slots, 5) == third);
}

TEST_CASE("pages that share a hash bucket do not disturb each other")
{
    Fixture f;
    std::uint32_t slots[12];
    for (std::uint32_t page = 0; page < 12; ++page)
        slots[page] = f.version(page * 1000);
    for (std::uint32_t page = 0; page < 12; page += 2)
        buffer_settle(&f.slots, slots[page]);
    for (std::uint32_t page = 0; page < 12; ++page)
        CHECK(buffer_find(&f.slots, page * 1000) == (page % 2 == 0 ? NONE : slots[page]));
}

TEST_CASE("a slot leaves a queue from the front, the middle and the end")
{
    Fixture f;
    slot_queue queue;
    slot_queue_init(&queue);
    for (std::uint32_t slot : {1u, 2u, 3u})
        slot_queue_push(&f.slots, &queue, slot);
    slot_queue_push_front(&f.slots, &queue, 4);
    slot_queue_remove(&f.slots, &queue, 2);
    CHECK(queue.head == 4);
    slot_queue_remove(&f.slots, &queue, 4);
    CHECK(queue.head == 1);
    slot_queue_remove(&f.slots, &queue, 3);
    CHECK(queue.tail == 1);
    slot_queue_remove(&f.slots, &queue, 1);
    CHECK(queue.head == NONE);
    CHECK(queue.count == 0);
}
