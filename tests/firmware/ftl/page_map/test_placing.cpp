// SPDX-License-Identifier: Apache-2.0
//
// Write versions from the host's first sector to the end of their programs: joining, queues, trims, flushes.
#include "tests/firmware/ftl/page_map/layer_bench.h"

using namespace strobe::test;

namespace {

struct Bench : LayerBench {
    using LayerBench::LayerBench;

    slot_state stateOf(std::uint32_t version) { return static_cast<slot_state>(slotOf(version).state); }
    std::uint32_t place(std::uint32_t logical, std::uint32_t mask = 0xF, bool urgent = false)
    {
        return ftl_place(&layer, logical, mask, 0, urgent);
    }
    void arrive(std::uint32_t version, std::uint32_t mask) { ftl_arrived(&layer, version, mask); }
};

} // namespace

TEST_CASE("placing: data joins the version that may still be written, and a complete one is ready", "[placing]")
{
    Bench b;
    const std::uint32_t version = b.place(5, 0x3);
    CHECK(b.stateOf(version) == SLOT_RECEIVING);
    CHECK(b.layer.unsettled == 1);
    CHECK(b.place(5, 0xC) == version);
    CHECK(b.place(6) != version);
    b.arrive(version, 0x3);
    CHECK(b.stateOf(version) == SLOT_RECEIVING); // one transfer is left
    b.arrive(version, 0xC);
    CHECK(b.stateOf(version) == SLOT_READY);
    CHECK(b.slotOf(version).valid == 0xF);
    CHECK(b.place(5, 0x1) == version); // it may still be written while it waits
}

TEST_CASE("placing: a version that is being programmed, or is stale, is not written again", "[placing]")
{
    Bench b;
    const std::uint32_t first = b.write(5);
    b.slotOf(first).state = SLOT_PROGRAMMING;
    const std::uint32_t second = b.place(5);
    REQUIRE(second != first);
    CHECK(b.slotOf(second).older == first);
    CHECK(b.slotOf(second).sequence == b.slotOf(first).sequence + 1);
    b.slotOf(second).stale = true;
    CHECK(b.place(5) != second);
}

TEST_CASE("placing: while missing sectors are read, others may be written, but not these", "[placing]")
{
    Bench b;
    const std::uint32_t version = b.place(5, 0x3);
    b.arrive(version, 0x3);
    b.slotOf(version).state = SLOT_FILLING;
    b.slotOf(version).filling = 0x4;
    CHECK(b.place(5, 0x8) == version);
    CHECK(b.place(5, 0xC) != version);
}

TEST_CASE("placing: without a free write slot there is no version, and nothing changes", "[placing]")
{
    Bench b;
    std::uint32_t unit = 0;
    while (b.place(unit) != NONE)
        ++unit;
    CHECK(unit == b.layer.buffer.limit[USE_WRITE]);
    CHECK(b.layer.unsettled == unit);
    CHECK(b.place(0, 0x1) != NONE); // an existing version needs no slot
    CHECK(ftl_place_held(&b.layer, unit, 0xF, 0) == NONE);
}

TEST_CASE("placing: a version with missing sectors waits for more, unless something waits for it", "[placing]")
{
    Bench b;
    const std::uint32_t patient = b.place(1, 0x1);
    b.arrive(patient, 0x1);
    CHECK(b.stateOf(patient) == SLOT_PARTIAL);
    const std::uint32_t urgent = b.place(2, 0x1, true);
    b.arrive(urgent, 0x1);
    CHECK(b.stateOf(urgent) == SLOT_READY);
    const std::uint32_t flushed = b.place(3, 0x1);
    ftl_flush(&b.layer);
    b.arrive(flushed, 0x1); // placed before the flush
    CHECK(b.stateOf(flushed) == SLOT_READY);
    CHECK(b.stateOf(patient) == SLOT_READY); // the flush completes partial versions
}

TEST_CASE("placing: a partial version that becomes complete, or urgent, leaves its queue", "[placing]")
{
    Bench b;
    const std::uint32_t complete = b.place(1, 0x1);
    b.arrive(complete, 0x1);
    b.place(1, 0xE);
    b.arrive(complete, 0xE);
    CHECK(b.stateOf(complete) == SLOT_READY);
    const std::uint32_t urgent = b.place(2, 0x1);
    b.arrive(urgent, 0x1);
    b.place(2, 0x2, true);
    b.arrive(urgent, 0x2);
    CHECK(b.stateOf(urgent) == SLOT_READY);
    const std::uint32_t still = b.place(3, 0x1);
    b.arrive(still, 0x1);
    b.place(3, 0x2);
    b.arrive(still, 0x2);
    CHECK(b.stateOf(still) == SLOT_PARTIAL);
    CHECK(b.layer.queues.partial.count == 1);
}

TEST_CASE("placing: a held version waits for its turn, and a write of a later turn does not release it", "[placing]")
{
    Bench b;
    const std::uint32_t version = ftl_place_held(&b.layer, 5, 0x3, 0);
    b.arrive(version, 0x3);
    CHECK(b.stateOf(version) == SLOT_HELD);
    CHECK(ftl_place_held(&b.layer, 5, 0xC, 0) == version);
    b.arrive(version, 0xC);
    CHECK(b.stateOf(version) == SLOT_HELD);
    CHECK(b.place(5, 0x1) == version); // the write whose turn it is
    CHECK_FALSE(b.slotOf(version).held);
    CHECK(b.stateOf(version) == SLOT_READY);
}

TEST_CASE("placing: a settled version ends its epoch, starts the one that waits for it and gives its slot back",
          "[placing]")
{
    Bench b;
    const std::uint32_t first = b.write(5);
    b.slotOf(first).state = SLOT_PROGRAMMING;
    const std::uint32_t second = b.place(5, 0x1);
    b.arrive(second, 0x1);
    queues_leave_partial(&b.layer.queues, second);
    queues_take_ready(&b.layer.queues, second);
    b.slotOf(second).state = SLOT_WAITING;
    queues_take_ready(&b.layer.queues, first);
    b.slotOf(first).state = SLOT_PROGRAMMING;
    const std::uint32_t ticket = epochs_end(&b.layer.epochs);
    version_settle(&b.layer, first, HOST_OK);
    CHECK(b.settled.size() == 1);
    CHECK(b.settled.at(0) == std::make_pair(first, HOST_OK));
    CHECK(b.stateOf(first) == SLOT_FREE);
    CHECK(b.slotsFree == std::vector<slot_use>{USE_WRITE});
    CHECK(b.layer.unsettled == 1);
    CHECK(b.stateOf(second) == SLOT_READY);
    CHECK(buffer_find(&b.layer.buffer, 5) == second);
    CHECK_FALSE(epochs_is_over(&b.layer.epochs, ticket)); // the second one is of the same epoch
    queues_take_ready(&b.layer.queues, second);
    version_settle(&b.layer, second, HOST_DEVICE_FAULT);
    CHECK(epochs_is_over(&b.layer.epochs, ticket));
    CHECK(b.settled.at(1) == std::make_pair(second, HOST_DEVICE_FAULT));
}

TEST_CASE("placing: a version that the host still reads keeps its slot until the last transfer", "[placing]")
{
    Bench b;
    const std::uint32_t version = b.write(5);
    queues_take_ready(&b.layer.queues, version);
    b.slotOf(version).pins = 2;
    version_settle(&b.layer, version, HOST_OK);
    CHECK(b.stateOf(version) == SLOT_PINNED);
    CHECK(buffer_find(&b.layer.buffer, 5) == NONE); // new reads find the unit in flash
    ftl_unpin(&b.layer, version);
    CHECK(b.stateOf(version) == SLOT_PINNED);
    CHECK(b.slotsFree.empty());
    ftl_unpin(&b.layer, version);
    CHECK(b.stateOf(version) == SLOT_FREE);
    CHECK(b.slotsFree.size() == 1);

    const std::uint32_t live = b.write(6); // not settled yet
    b.slotOf(live).pins = 1;
    ftl_unpin(&b.layer, live);
    CHECK(b.stateOf(live) == SLOT_READY);
}

TEST_CASE("placing: the end of the zeros settles no version but lets those that need them go on", "[placing]")
{
    Bench b;
    const std::uint32_t version = b.place(5, 0x1);
    b.slotOf(version).transfers = 0;
    queues_wait_for_zeros(&b.layer.queues, version);
    b.slotOf(0).state = SLOT_PROGRAMMING;
    version_settle(&b.layer, 0, HOST_OK);
    CHECK(b.slotOf(0).state == SLOT_FREE);
    CHECK(b.stateOf(version) == SLOT_READY);
    CHECK(b.settled.empty());
    CHECK(b.layer.unsettled == 1);
}

TEST_CASE("placing: a trim ends all versions of its unit and its place in flash", "[placing]")
{
    Bench b;
    b.fill(0);
    const std::uint32_t old = b.write(5);
    queues_take_ready(&b.layer.queues, old);
    b.slotOf(old).state = SLOT_PROGRAMMING;
    const std::uint32_t partial = b.place(5, 0x1);
    b.arrive(partial, 0x1);
    ftl_trim(&b.layer, 5);
    CHECK(map_find(&b.layer.map, 5) == MAP_UNMAPPED);
    CHECK(buffer_find(&b.layer.buffer, 5) == NONE);
    for (const std::uint32_t version : {old, partial}) {
        CHECK(b.slotOf(version).stale);
        CHECK(b.slotOf(version).trimmed);
        CHECK(b.slotOf(version).ticket == journal_ticket(&b.layer.journal));
    }
    CHECK(b.stateOf(partial) == SLOT_READY); // it is dropped from there
    CHECK(b.stateOf(old) == SLOT_PROGRAMMING);
    CHECK(b.place(5) != partial);
    CHECK(map_find(&b.layer.map, 4) == 4); // only this unit
}

TEST_CASE("placing: a trim releases a held version and one that waits for an older one", "[placing]")
{
    Bench b;
    const std::uint32_t held = ftl_place_held(&b.layer, 5, 0xF, 0);
    b.arrive(held, 0xF);
    ftl_trim(&b.layer, 5);
    CHECK(b.stateOf(held) == SLOT_READY);
    const std::uint32_t waiting = b.write(6);
    queues_take_ready(&b.layer.queues, waiting);
    b.slotOf(waiting).state = SLOT_WAITING;
    ftl_trim(&b.layer, 6);
    CHECK(b.stateOf(waiting) == SLOT_READY);
}

TEST_CASE("placing: a flush without anything before it is over at once", "[placing]")
{
    Bench b;
    CHECK(epochs_is_over(&b.layer.epochs, ftl_flush(&b.layer)));
    const std::uint32_t version = b.write(5);
    const std::uint32_t ticket = ftl_flush(&b.layer);
    CHECK_FALSE(epochs_is_over(&b.layer.epochs, ticket));
    queues_take_ready(&b.layer.queues, version);
    version_settle(&b.layer, version, HOST_OK);
    CHECK(epochs_is_over(&b.layer.epochs, ticket));
}

TEST_CASE("placing: when the supply fails what has arrived is written out, and what has not is left", "[placing]")
{
    Bench b;
    const std::uint32_t half = b.place(1, 0x3);
    b.place(1, 0xC);
    b.arrive(half, 0x3); // the other transfer never ends
    const std::uint32_t empty = b.place(2);
    const std::uint32_t held = ftl_place_held(&b.layer, 3, 0xF, 0);
    b.arrive(held, 0xF);
    const std::uint32_t partial = b.place(4, 0x1);
    b.arrive(partial, 0x1);
    const std::uint32_t ticket = ftl_supply_fails(&b.layer);
    CHECK(b.layer.is_saving);
    for (const std::uint32_t version : {half, empty, held, partial}) {
        CHECK(b.stateOf(version) == SLOT_READY);
        CHECK(b.slotOf(version).transfers == 0);
    }
    CHECK_FALSE(b.slotOf(half).stale);
    CHECK(b.slotOf(empty).stale); // to be dropped: it holds nothing
    CHECK(buffer_find(&b.layer.buffer, 2) == NONE);
    CHECK_FALSE(epochs_is_over(&b.layer.epochs, ticket));
}
