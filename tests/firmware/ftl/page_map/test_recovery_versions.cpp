// SPDX-License-Identifier: Apache-2.0
//
// Which version of a logical page recovery keeps, from spare records and journal records in any order.
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

#include <set>
#include <string>

using namespace strobe::test;

namespace {

constexpr std::uint32_t logicalPages = 20;

struct Fixture {
    FakeHal hal;
    ftl layer{};
    recovery state{};

    Fixture()
    {
        layer.geometry = geometryOf(1, 1, 1, 1);
        blocks_init(&layer.blocks, &hal.arena, &layer.geometry);
        map_init(&layer.map, &hal.arena, &layer.blocks, logicalPages);
        state.arena = &hal.arena;
        state.step = "a test";
        layer.recovery = &state;
        recovery_prepare_versions(&layer, &state);
    }
    Fixture(const Fixture&) = delete;
    Fixture& operator=(const Fixture&) = delete;
    bool finds(std::uint32_t physical, std::uint32_t logical, std::uint32_t sequence, spare_kind kind = SPARE_HOST)
    {
        const flash_spare spare = spare_record(logical, sequence, kind, 0);
        return recovery_consider(&layer, physical, &spare);
    }
    void forgets(std::uint32_t logical, std::uint32_t sequence, std::uint32_t as = MAP_UNMAPPED)
    {
        recovery_forgotten(&layer, logical, sequence, as);
    }
    std::uint32_t at(std::uint32_t logical) const { return layer.map.physical[logical]; }
};

} // namespace

TEST_CASE("the version with the highest number is kept, whatever the order")
{
    Fixture f;
    CHECK(f.finds(3, 7, 10));
    CHECK(f.finds(5, 7, 12));
    CHECK(f.finds(4, 7, 11));
    CHECK(f.at(7) == 5);
    CHECK(f.state.versions.highest == 12);
}

TEST_CASE("a second copy of the kept version is listed as a duplicate, up to the limit")
{
    Fixture f;
    f.finds(3, 7, 10);
    f.finds(9, 7, 10, SPARE_MOVED);
    CHECK(f.at(7) == 3);
    REQUIRE(f.state.versions.duplicate_count == 1);
    CHECK(f.state.versions.duplicates[0].physical == 9);
    for (std::uint32_t i = 0; i < 100; ++i)
        f.finds(10 + i % 20, 7, 10, SPARE_MOVED);
    CHECK(f.state.versions.duplicate_count == f.state.versions.duplicate_limit);
}

TEST_CASE("a trim removes older versions and keeps newer ones, found before or after it")
{
    Fixture f;
    f.finds(3, 1, 10);
    f.forgets(1, 11);
    CHECK(f.at(1) == MAP_UNMAPPED);
    f.finds(4, 1, 9);
    CHECK(f.at(1) == MAP_UNMAPPED);
    f.finds(5, 1, 12);
    CHECK(f.at(1) == 5);
    f.forgets(1, 11, MAP_LOST);
    CHECK(f.at(1) == 5);
    f.forgets(2, 4, MAP_LOST);
    CHECK(f.at(2) == MAP_LOST);
}

TEST_CASE("before a page is compared with a version of the checkpoint, that version's number has to be read")
{
    Fixture f;
    f.layer.map.physical[7] = 2; // from the checkpoint
    CHECK_FALSE(f.finds(3, 7, 10));
    CHECK(f.at(7) == 2);
    f.state.versions.sequence[7] = 9;
    CHECK(f.finds(3, 7, 10));
    CHECK(f.at(7) == 3);
}

TEST_CASE("a version of the checkpoint is newer than every trim before the checkpoint began")
{
    Fixture f;
    f.layer.map.physical[7] = 2;
    f.state.versions.begun_at = 50;
    f.forgets(7, 49);
    CHECK(f.at(7) == 2);
    f.forgets(7, 50);
    CHECK(f.at(7) == MAP_UNMAPPED);
}

TEST_CASE("records of tables, and of pages outside the map, change nothing")
{
    Fixture f;
    CHECK(f.finds(3, 1, 10, SPARE_JOURNAL));
    CHECK(f.finds(3, 1, 10, SPARE_CHECKPOINT));
    CHECK(f.finds(3, logicalPages, 10));
    f.forgets(logicalPages, 10);
    CHECK(f.at(1) == MAP_UNMAPPED);
}

TEST_CASE("each step of recovery has a function and a name of its own")
{
    std::set<std::string> names;
    std::size_t steps = 0;
    for (const recovery_step* step = recovery_steps; step->name != nullptr; ++step, ++steps) {
        CHECK(step->run != nullptr);
        names.insert(step->name);
    }
    CHECK(steps > 10);
    CHECK(names.size() == steps);
}
