// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

#include <vector>

using namespace strobe::test;

namespace {

struct Fixture {
    FakeHal hal;
    geometry g = geometryOf(1, 1, 1, 1);
    buffer slots{};
    write_queues queues{};

    Fixture()
    {
        initBuffer(slots, hal, g, 0x40000, 32);
        queues_init(&queues, &hal.arena, &slots, 2);
    }
    Fixture(const Fixture&) = delete;
    Fixture& operator=(const Fixture&) = delete;
    std::uint32_t version(std::uint16_t group = 0, bool held = false)
    {
        const std::uint32_t number = buffer_take(&slots, USE_WRITE);
        slots.slot[number].lane = group;
        slots.slot[number].held = held;
        return number;
    }
    // Empties the ready queue of a group.
    std::vector<std::uint32_t> ready(std::uint32_t group)
    {
        std::vector<std::uint32_t> order;
        while (queues.ready[group].head != NONE) {
            order.push_back(queues.ready[group].head);
            queues_take_ready(&queues, order.back());
        }
        return order;
    }
};

} // namespace

TEST_CASE("ready versions leave the queue of their group in order; one in progress comes first")
{
    Fixture f;
    const std::uint32_t a = f.version();
    const std::uint32_t b = f.version();
    const std::uint32_t other = f.version(1);
    const std::uint32_t begun = f.version();
    for (const std::uint32_t number : {a, other, b})
        queues_make_ready(&f.queues, number);
    queues_make_ready_first(&f.queues, begun);
    CHECK(f.queues.ready_slots == 4);
    CHECK(f.queues.made_ready);
    CHECK(f.ready(0) == std::vector<std::uint32_t>{begun, a, b});
    CHECK(f.ready(1) == std::vector<std::uint32_t>{other});
    CHECK(f.queues.ready_slots == 0);
}

TEST_CASE("a held version becomes ready when it is released, and a second release changes nothing")
{
    Fixture f;
    const std::uint32_t number = f.version(0, true);
    queues_make_ready(&f.queues, number);
    CHECK(f.slots.slot[number].state == SLOT_HELD);
    CHECK(f.queues.ready_slots == 0);
    queues_release(&f.queues, number);
    queues_release(&f.queues, number);
    CHECK(f.ready(0) == std::vector<std::uint32_t>{number});
}

TEST_CASE("partial versions become ready all at once, in order of arrival")
{
    Fixture f;
    const std::uint32_t a = f.version();
    const std::uint32_t b = f.version();
    CHECK_FALSE(queues_complete_partial(&f.queues));
    queues_make_partial(&f.queues, a);
    queues_make_partial(&f.queues, b);
    CHECK(f.slots.slot[b].state == SLOT_PARTIAL);
    CHECK(queues_complete_partial(&f.queues));
    CHECK(f.queues.partial.head == NONE);
    CHECK(f.ready(0) == std::vector<std::uint32_t>{a, b});
}

TEST_CASE("versions that wait for zeros continue in order, versions that wait for the journal before all others")
{
    Fixture f;
    const std::uint32_t zero = f.version();
    const std::uint32_t dropped = f.version();
    queues_wait_for_zeros(&f.queues, zero);
    queues_wait_for_journal(&f.queues, dropped);
    CHECK(f.slots.slot[zero].state == SLOT_ZEROING);
    CHECK(f.slots.slot[dropped].state == SLOT_DROPPED);
    queues_zeros_written(&f.queues);
    queues_journal_written(&f.queues);
    CHECK(f.ready(0) == std::vector<std::uint32_t>{dropped, zero});
}
