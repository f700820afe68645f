// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

using namespace strobe::test;

namespace {

struct Fixture {
    FakeHal hal;
    geometry g = geometryOf(1, 1, 1, 1);
    block_table blocks{};
    page_map map{};

    Fixture()
    {
        blocks_init(&blocks, &hal.arena, &g);
        map_init(&map, &hal.arena, &blocks, 10);
    }
};

} // namespace

TEST_CASE("a page that was never written is unmapped")
{
    Fixture f;
    CHECK(map_find(&f.map, 9) == MAP_UNMAPPED);
    CHECK_FALSE(map_is_mapped(map_find(&f.map, 9)));
}

TEST_CASE("units side by side are mapped as one by one")
{
    Fixture f;
    map_write(&f.map, 2, 1);
    map_write(&f.map, 3, 4); // in the block that is written to
    map_write_units(&f.map, 2, 5, 3);
    for (std::uint32_t i = 0; i < 3; ++i) {
        CHECK(map_find(&f.map, 2 + i) == 5 + i);
        CHECK(f.map.logical[5 + i] == 2 + i);
    }
    CHECK(f.map.logical[1] == NONE);
    CHECK(f.map.logical[4] == NONE);
    CHECK(f.blocks.block[0].valid == 0);
    CHECK(f.blocks.block[1].valid == 3);
}

TEST_CASE("a write maps both ways, an overwrite frees the old page")
{
    Fixture f;
    map_write(&f.map, 3, 5);
    CHECK(map_find(&f.map, 3) == 5);
    CHECK(f.map.logical[5] == 3);
    CHECK(f.blocks.block[1].valid == 1);
    map_write(&f.map, 3, 9);
    CHECK(f.map.logical[5] == NONE);
    CHECK(f.blocks.block[1].valid == 0);
    CHECK(f.blocks.block[2].valid == 1);
}

TEST_CASE("a copy is mapped only while its source is still valid")
{
    Fixture f;
    map_write(&f.map, 3, 5);
    map_move(&f.map, 5, 12);
    CHECK(map_find(&f.map, 3) == 12);
    CHECK(f.map.logical[5] == NONE);
    map_write(&f.map, 3, 6); // overwritten while page 12 is being copied to 13
    map_move(&f.map, 12, 13);
    CHECK(map_find(&f.map, 3) == 6);
    CHECK(f.map.logical[13] == NONE);
    CHECK(f.blocks.block[3].valid == 0);
}

TEST_CASE("a removed page is unmapped or lost, and is not counted as valid")
{
    Fixture f;
    map_write(&f.map, 3, 5);
    map_forget(&f.map, 3, MAP_LOST);
    CHECK(map_find(&f.map, 3) == MAP_LOST);
    CHECK_FALSE(map_is_mapped(MAP_LOST));
    CHECK(f.blocks.block[1].valid == 0);
    map_forget(&f.map, 3, MAP_UNMAPPED);
    CHECK(map_find(&f.map, 3) == MAP_UNMAPPED);
}
