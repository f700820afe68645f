// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

using namespace strobe::test;

namespace {

struct Fixture {
    FakeHal hal;
    plane_set set{};

    explicit Fixture(std::uint32_t planes = 40) { plane_set_init(&set, &hal.arena, planes, "a set"); }
};

} // namespace

TEST_CASE("members are taken from a place on, cyclically, each once")
{
    Fixture f;
    for (const std::uint32_t plane : {3U, 39U, 17U, 3U})
        plane_set_add(&f.set, plane);
    CHECK(f.set.count == 3);
    CHECK(plane_set_take(&f.set, 18) == 39);
    CHECK(plane_set_take(&f.set, 40) == 3); // one beyond the last plane
    CHECK(plane_set_take(&f.set, 4) == 17);
    CHECK(f.set.count == 0);
}

TEST_CASE("a drained set is empty, and its members are in the other set once")
{
    Fixture from;
    Fixture to;
    plane_set_add(&from.set, 5);
    plane_set_add(&from.set, 33);
    plane_set_add(&to.set, 33);
    plane_set_drain(&from.set, &to.set);
    CHECK(from.set.count == 0);
    CHECK(to.set.count == 2);
    CHECK(plane_set_take(&to.set, 0) == 5);
    CHECK(plane_set_take(&to.set, 0) == 33);
}
