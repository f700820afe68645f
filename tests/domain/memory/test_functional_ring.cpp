// SPDX-License-Identifier: Apache-2.0
#include "models/memory/functional_ring.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::memory;

namespace {

constexpr BusAddress base{0x80001000};

struct Bench {
    BulkMemory memory{config()};
    FunctionalRing ring{{base, 4, 6}, memory}; // six events have been put and taken before

    static BulkMemoryConfig config()
    {
        BulkMemoryConfig config;
        config.region = {BusAddress{0x80000000}, 0x10000};
        config.dataBuffer = {BusAddress{0x80004000}, 0x4000};
        config.ports = {"flash"};
        return config;
    }
    std::uint32_t word(std::uint32_t entry) // the first of an entry
    {
        std::uint32_t value = 0;
        std::memcpy(&value, memory.bytes(base, 64) + entry * EventRing::entryBytes, sizeof value);
        return value;
    }
};

} // namespace

TEST_CASE("a ring goes on at its count, and the phase bit changes when it begins again")
{
    Bench b;
    CHECK_FALSE(b.ring.lineAsserted());
    for (std::uint32_t i = 0; i < 3; ++i)
        b.ring.push({10 + i, 0, 0, 0});
    CHECK(b.word(2) == 10); // event 6, in the second turn: phase 0
    CHECK(b.word(3) == 11);
    CHECK(b.word(0) == (12 | EventRing::phaseBit));
    CHECK(b.ring.producer() == 9);
    CHECK(b.ring.lineAsserted());
    CHECK_FALSE(b.ring.consumed(10)); // more than were put
    CHECK(b.ring.consumed(9));
    CHECK_FALSE(b.ring.lineAsserted());
}

TEST_CASE("events that find a full ring follow in order when there is space")
{
    Bench b;
    for (std::uint32_t i = 0; i < 6; ++i)
        b.ring.push({20 + i, 0, 0, 0});
    CHECK(b.ring.producer() == 10);
    CHECK(b.ring.consumed(7));
    CHECK(b.ring.producer() == 11);
    CHECK((b.word(2) & ~EventRing::phaseBit) == 24);
    CHECK(b.ring.consumed(11));
    CHECK(b.ring.producer() == 12);
    CHECK((b.word(3) & ~EventRing::phaseBit) == 25);
}
