// SPDX-License-Identifier: Apache-2.0
//
// Two cores in one memory: rings, sleep and interrupt, and the start.
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

#include <array>

using namespace strobe::test;

namespace {

constexpr std::uint32_t bell0 = INTC_SOFTWARE;
constexpr std::uint32_t bell1 = INTC_SOFTWARE + HAL_CORE_STEP;
constexpr std::uint32_t softwareLine = 1U << HAL_LINE_SOFTWARE;

using Writes = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

boot_block bootOf(std::uint32_t cores)
{
    boot_block boot{};
    boot.cores = cores;
    boot.channels = 2;
    boot.ways = boot.luns = 1;
    boot.units = 2;
    boot.unit_depth = 1;
    boot.memory_base = FakeHal::base;
    boot.memory_size = FakeHal::size;
    return boot;
}

// Core 1 starts when core 0 waits for it.
struct Pair {
    FakeHal hal;
    boot_block boot = bootOf(2);
    std::array<peer, 2> ends{};
    std::array<arena, 2> arenas{};

    explicit Pair(std::uint32_t messages = 20)
    {
        arenas[0] = peer_arena(&boot);
        hal.onWait = [this] {
            hal.onWait = {};
            peer_await(&ends[1], &boot, &arenas[1]);
            arena_take(&arenas[1], 100, 4, 4, "something of core 1");
            peer_ready(&ends[1], &arenas[1]);
        };
        peer_start(&ends[0], &boot, &arenas[0], messages, 0x2000);
        hal.writes.clear();
    }
    Writes written() { return std::exchange(hal.writes, {}); }
};

} // namespace

TEST_CASE("with one core no control memory is shared")
{
    const boot_block boot = bootOf(1);
    CHECK(peer_arena(&boot).used == 0);
    const peer none{};
    CHECK_FALSE(peer_is_there(&none));
}

TEST_CASE("core 0 describes the queues to core 1, and continues after the memory that core 1 took")
{
    Pair pair(20);
    CHECK(peer_is_there(&pair.ends[0]));
    CHECK(peer_is_there(&pair.ends[1]));
    CHECK(pair.ends[1].block->messages == 20);
    CHECK(pair.ends[1].block->descriptors == 0x2000);
    CHECK(pair.ends[1].block->entries == 32);
    CHECK(pair.arenas[0].used == pair.arenas[1].used);
}

TEST_CASE("messages arrive once and in order, both ways, over many rounds of the rings")
{
    Pair pair(8);
    std::uint32_t message[4];
    for (std::uint32_t i = 0; i < 100; ++i) {
        for (const std::uint32_t from : {0U, 1U}) {
            peer* to = &pair.ends[1 - from];
            CHECK_FALSE(peer_take(to, message));
            peer_send(&pair.ends[from], 2 * i, i + 1000, from);
            peer_send(&pair.ends[from], 2 * i + 1, i + 2000, from);
            REQUIRE(peer_take(to, message));
            CHECK((message[0] & ~RING_PHASE) == 2 * i);
            CHECK(message[1] == i + 1000);
            CHECK(message[2] == from);
            REQUIRE(peer_take(to, message));
            CHECK((message[0] & ~RING_PHASE) == 2 * i + 1);
            CHECK_FALSE(peer_take(to, message));
        }
    }
}

TEST_CASE("only a sleeping core is interrupted; the woken core clears the interrupt")
{
    Pair pair;
    peer_send(&pair.ends[0], 1, 0, 0);
    CHECK(pair.written().empty());
    std::uint32_t message[4];
    REQUIRE(peer_take(&pair.ends[1], message));

    bool waited = false;
    pair.hal.onWait = [&] {
        waited = true;
        peer_send(&pair.ends[0], 2, 0, 0);
        CHECK(pair.written() == Writes{{bell1, 1}});
        pair.hal.registers[INTC_PENDING + HAL_CORE_STEP] = softwareLine;
    };
    peer_sleep(&pair.ends[1]);
    CHECK(waited);
    CHECK(pair.written() == Writes{{bell1, 0}});
    REQUIRE(peer_take(&pair.ends[1], message));
    CHECK((message[0] & ~RING_PHASE) == 2);
    peer_send(&pair.ends[0], 3, 0, 0);
    CHECK(pair.written().empty()); // awake again
}

TEST_CASE("a core with a message does not fall asleep, and a core woken by another line does not touch the software "
          "interrupt")
{
    Pair pair;
    bool waited = false;
    pair.hal.onWait = [&] { waited = true; };
    peer_send(&pair.ends[1], 1, 0, 0);
    peer_sleep(&pair.ends[0]);
    CHECK_FALSE(waited);
    std::uint32_t message[4];
    REQUIRE(peer_take(&pair.ends[0], message));
    peer_sleep(&pair.ends[0]);
    CHECK(waited);
    CHECK(pair.written().empty());
    pair.hal.registers[INTC_PENDING] = softwareLine;
    peer_sleep(&pair.ends[0]);
    CHECK(pair.written() == Writes{{bell0, 0}});
}
