// SPDX-License-Identifier: Apache-2.0
#include "models/memory/event_ring.h"
#include "tests/support/catch.h"

#include <cstdint>
#include <vector>

using namespace strobe;
using namespace std::chrono_literals;
using strobe::memory::EventRing;

namespace {

constexpr BusAddress base{0x1000};

// A ring whose writer keeps what it was given.
struct Bench {
    struct Written {
        std::uint32_t address;
        EventRing::Entry entry;
    };
    std::vector<Written> written;
    EventRing ring{[this](BusAddress address, const EventRing::Entry& entry) {
        written.push_back({raw(address), entry});
    }};

    bool push(std::uint32_t value, Time at = {}) { return ring.push({value, value + 1, value + 2, value + 3}, at); }
    bool consumed(std::uint32_t count, Time at = {}) { return ring.consumed(count, at); }
    bool phase(std::size_t i) const { return (written[i].entry[0] & EventRing::phaseBit) != 0; }
    std::uint32_t value(std::size_t i) const { return written[i].entry[0] & ~EventRing::phaseBit; }
};

} // namespace

TEST_CASE("events fill the ring in order and start again at its base")
{
    Bench bench;
    REQUIRE(bench.ring.configure(base, 4));
    for (std::uint32_t i = 0; i < 6; ++i) {
        CHECK(bench.push(i));
        CHECK(bench.consumed(i + 1));
    }
    REQUIRE(bench.written.size() == 6);
    for (std::size_t i = 0; i < 6; ++i) {
        CHECK(bench.written[i].address == 0x1000 + 16 * (i % 4));
        CHECK(bench.value(i) == i);
        CHECK(bench.written[i].entry[3] == i + 3);
    }
    CHECK(bench.ring.producer() == 6);
}

TEST_CASE("the most events that ever waited for firmware are counted, held back ones included")
{
    Bench bench;
    REQUIRE(bench.ring.configure(base, 2));
    bench.push(1);
    CHECK(bench.consumed(1));
    CHECK(bench.ring.counters().maxWaiting == 1);
    for (std::uint32_t i = 0; i < 3; ++i) // two fit, one is held back
        bench.push(i);
    CHECK(bench.ring.counters().maxWaiting == 3);
    CHECK(bench.consumed(3));
    bench.push(9);
    CHECK(bench.ring.counters().maxWaiting == 3);
}

TEST_CASE("an event waits from being put until firmware acknowledges it")
{
    Bench bench;
    REQUIRE(bench.ring.configure(base, 2));
    bench.push(1, 1us);
    bench.push(2, 2us);
    bench.push(3, 3us); // held back, and waits all the same
    CHECK(bench.consumed(2, 5us));
    CHECK(bench.ring.counters().taken == 2);
    CHECK(bench.ring.counters().waited == 4us + 3us);
    CHECK(bench.ring.counters().maxWaited == 4us);
    bench.ring.resetCounters(6us);
    CHECK(bench.ring.counters().maxWaiting == 1);
    CHECK(bench.consumed(3, 10us));
    CHECK(bench.ring.counters().waited == 4us); // of its seven, those since the figures began
    CHECK(bench.ring.counters().taken == 1);
}

TEST_CASE("when a ring is set up again its events no longer wait, those held back do")
{
    Bench bench;
    REQUIRE(bench.ring.configure(base, 1));
    bench.push(1, 1us);
    bench.push(2, 2us);
    REQUIRE(bench.ring.configure(base, 4));
    CHECK(bench.consumed(1, 9us));
    CHECK(bench.ring.counters().waited == 7us);
}

TEST_CASE("the phase is one in the first round of the ring and changes with each round")
{
    Bench bench;
    bench.ring.configure(base, 2);
    for (std::uint32_t i = 0; i < 8; ++i) {
        bench.push(i);
        bench.consumed(i + 1);
        CHECK(bench.phase(i) == (i / 2 % 2 == 0));
    }
}

TEST_CASE("the phase bit of the caller's word does not matter")
{
    Bench bench;
    bench.ring.configure(base, 1);
    bench.push(5);
    bench.consumed(1);
    bench.ring.push({EventRing::phaseBit | 6, 0, 0, 0}, Time{});
    CHECK(bench.phase(0));
    CHECK_FALSE(bench.phase(1));
    CHECK(bench.value(1) == 6);
}

TEST_CASE("an entry that firmware has not taken is never written over: later events are held back in order")
{
    Bench bench;
    bench.ring.configure(base, 2);
    CHECK(bench.push(0));
    CHECK(bench.push(1));
    CHECK_FALSE(bench.push(2));
    CHECK_FALSE(bench.push(3));
    CHECK_FALSE(bench.push(4));
    CHECK(bench.written.size() == 2);
    CHECK(bench.ring.heldBack() == 3);
    CHECK(bench.ring.counters().overflows == 3);
    CHECK(bench.ring.counters().maxHeldBack == 3);

    CHECK(bench.consumed(1)); // one free entry
    REQUIRE(bench.written.size() == 3);
    CHECK(bench.value(2) == 2);
    CHECK(bench.written[2].address == 0x1000);
    CHECK_FALSE(bench.phase(2));

    CHECK(bench.consumed(3));
    REQUIRE(bench.written.size() == 5);
    CHECK(bench.value(3) == 3);
    CHECK(bench.value(4) == 4);
    CHECK(bench.ring.heldBack() == 0);
    CHECK(bench.ring.counters().events == 5);
}

TEST_CASE("an event does not overtake those that are held back")
{
    Bench bench;
    bench.push(7); // not set up yet
    bench.push(8);
    CHECK(bench.written.empty());
    bench.ring.configure(base, 1);
    REQUIRE(bench.written.size() == 1);
    CHECK(bench.value(0) == 7);
    CHECK_FALSE(bench.push(9));
    bench.consumed(1);
    bench.consumed(2);
    REQUIRE(bench.written.size() == 3);
    CHECK(bench.value(1) == 8);
    CHECK(bench.value(2) == 9);
}

TEST_CASE("the line is asserted from an event until all have been taken")
{
    Bench bench;
    bench.ring.configure(base, 4);
    CHECK_FALSE(bench.ring.lineAsserted());
    bench.push(0);
    bench.push(1);
    CHECK(bench.ring.lineAsserted());
    bench.consumed(1);
    CHECK(bench.ring.lineAsserted());
    bench.consumed(2);
    CHECK_FALSE(bench.ring.lineAsserted());
}

TEST_CASE("acknowledging more events than were put is ignored")
{
    Bench bench;
    bench.ring.configure(base, 4);
    bench.push(0);
    CHECK_FALSE(bench.consumed(2));
    CHECK(bench.ring.consumer() == 0);
    CHECK(bench.ring.counters().refusedConsumers == 1);
    CHECK(bench.consumed(1));
    CHECK_FALSE(bench.consumed(0)); // nor one that takes it back
}

TEST_CASE("a ring is a power of two of entries at a word-aligned address")
{
    Bench bench;
    CHECK_FALSE(bench.ring.configure(base, 0));
    CHECK_FALSE(bench.ring.configure(base, 3));
    CHECK_FALSE(bench.ring.configure(BusAddress{0x1002}, 4));
    CHECK_FALSE(bench.ring.configure(base, 1u << 28));
    CHECK_FALSE(bench.push(1)); // full: nothing is written anywhere
    CHECK(bench.written.empty());
    CHECK(bench.ring.configure(base, 1));
    CHECK(bench.written.size() == 1);
}

TEST_CASE("setting up again starts both counts and the phase from the beginning")
{
    Bench bench;
    bench.ring.configure(base, 2);
    for (std::uint32_t i = 0; i < 3; ++i) {
        bench.push(i);
        bench.consumed(i + 1);
    }
    bench.ring.configure(BusAddress{0x2000}, 2);
    CHECK(bench.ring.producer() == 0);
    CHECK(bench.ring.consumer() == 0);
    bench.push(9);
    CHECK(bench.written.back().address == 0x2000);
    CHECK(bench.phase(bench.written.size() - 1));
}
