// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

using namespace strobe::test;

namespace {

struct Fixture {
    FakeHal hal;
    allocation planes{};

    Fixture(const geometry& g, std::uint32_t order, bool byChannel = false)
    {
        allocation_init(&planes, &hal.arena, &g, order, byChannel, 1);
        for (std::uint32_t plane = 0; plane < g.planes; ++plane)
            allocation_set_ready(&planes, 0, plane, true);
    }
    std::vector<std::uint32_t> next(std::uint32_t count, std::uint32_t group = 0)
    {
        std::vector<std::uint32_t> taken;
        for (std::uint32_t i = 0; i < count; ++i)
            taken.push_back(allocation_next(&planes, group));
        return taken;
    }
};

using Planes = std::vector<std::uint32_t>;

} // namespace

TEST_CASE("pages cycle over the planes, the first dimension of the order changing fastest")
{
    const geometry g = geometryOf(2, 2, 1, 2); // plane = (channel * 2 + way) * 2 + plane of the die
    CHECK(Fixture(g, 0x3210).next(9) == Planes{0, 4, 2, 6, 1, 5, 3, 7, 0});
    CHECK(Fixture(g, 0x3201).next(8) == Planes{0, 2, 4, 6, 1, 3, 5, 7});
    CHECK(Fixture(g, 0x0123).next(8) == Planes{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("LUNs are part of the order")
{
    const geometry g = geometryOf(2, 1, 2, 1);
    CHECK(Fixture(g, 0x3102).next(4) == Planes{0, 1, 2, 3});
    CHECK(Fixture(g, 0x3120).next(4) == Planes{0, 2, 1, 3});
}

TEST_CASE("a plane that is not ready is skipped and keeps its place in the order")
{
    Fixture f(geometryOf(4, 1, 1, 1), 0x3210);
    allocation_set_ready(&f.planes, 0, 1, false);
    CHECK(f.next(4) == Planes{0, 2, 3, 0});
    allocation_set_ready(&f.planes, 0, 1, true);
    CHECK(f.next(3) == Planes{1, 2, 3});
}

TEST_CASE("without a ready plane there is no answer, and the cursor stays")
{
    Fixture f(geometryOf(2, 1, 1, 1), 0x3210);
    CHECK(f.next(1) == Planes{0});
    allocation_set_ready(&f.planes, 0, 0, false);
    allocation_set_ready(&f.planes, 0, 1, false);
    CHECK(f.next(1) == Planes{NONE});
    allocation_set_ready(&f.planes, 0, 0, true);
    allocation_set_ready(&f.planes, 0, 1, true);
    CHECK(f.next(1) == Planes{1});
}

TEST_CASE("by channel, each channel is a separate sequence and commands take the channels in turn")
{
    Fixture f(geometryOf(2, 3, 1, 1), 0x3210, true);
    CHECK(allocation_group(&f.planes) == 0);
    CHECK(allocation_group(&f.planes) == 1);
    CHECK(allocation_group(&f.planes) == 0);
    CHECK(f.next(4, 0) == Planes{0, 1, 2, 0});
    CHECK(f.next(4, 1) == Planes{3, 4, 5, 3});
    allocation_set_ready(&f.planes, 0, 4, false);
    CHECK(f.next(2, 1) == Planes{5, 3});
    CHECK(f.next(2, 0) == Planes{1, 2});
}

TEST_CASE("sequences longer than a machine word are walked completely")
{
    Fixture f(geometryOf(10, 7, 1, 1), 0x3210);
    for (std::uint32_t plane = 0; plane < 70; ++plane)
        allocation_set_ready(&f.planes, 0, plane, false);
    const std::uint32_t last = f.planes.plane_at[69];
    const std::uint32_t middle = f.planes.plane_at[40];
    allocation_set_ready(&f.planes, 0, last, true);
    allocation_set_ready(&f.planes, 0, middle, true);
    CHECK(f.next(3) == Planes{middle, last, middle});
}

TEST_CASE("with word lines the planes of a die take data in turn, so that they advance together")
{
    const geometry g = geometryOf(2, 1, 1, 4, 8, 4, 4096, 4096, 2);
    Fixture f(g, 0x3210);
    CHECK(f.next(4) == Planes{0, 4, 1, 5});
    allocation_set_ready(&f.planes, 0, 0, false); // die 0 has enough to do for a while
    for (std::uint32_t plane = 1; plane < 4; ++plane)
        allocation_set_ready(&f.planes, 0, plane, false);
    CHECK(f.next(3) == Planes{6, 7, 4});
    for (std::uint32_t plane = 0; plane < 4; ++plane)
        allocation_set_ready(&f.planes, 0, plane, true);
    CHECK(f.next(4) == Planes{2, 5, 3, 6}); // both go on where they were
}

TEST_CASE("a plane of a die that is not ready loses its turn")
{
    Fixture f(geometryOf(1, 1, 1, 4, 8, 4, 4096, 4096, 2), 0x3210);
    allocation_set_ready(&f.planes, 0, 1, false);
    CHECK(f.next(4) == Planes{0, 2, 3, 0});
    allocation_set_ready(&f.planes, 0, 1, true);
    CHECK(f.next(2) == Planes{1, 2});
}
