// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

using namespace strobe::test;

namespace {

struct Fixture {
    FakeHal hal;
    geometry g = geometryOf(1, 1, 1, 2); // even blocks in plane 0
    block_table table{};

    Fixture()
    {
        blocks_init(&table, &hal.arena, &g);
        for (std::uint32_t block = 0; block < 5; ++block) // three in plane 0, two in plane 1
            blocks_add_free(&table, block);
    }
};

} // namespace

TEST_CASE("a block for tables comes from the plane with the most free blocks")
{
    Fixture f;
    CHECK(tables_take_block(&f.table, 0) == 0);
    CHECK(tables_take_block(&f.table, 0) == 2); // two free blocks in both planes: the lower plane
    CHECK(tables_take_block(&f.table, 0) == 1);
    CHECK(f.table.block[1].state == BLOCK_TABLES);
}

TEST_CASE("the plane keeps the free blocks that the caller names")
{
    Fixture f;
    CHECK(tables_take_block(&f.table, 3) == NONE);
    CHECK(tables_take_block(&f.table, 2) == 0);
}

TEST_CASE("a released block is a full block without a valid page, and its plane is to be collected")
{
    Fixture f;
    const std::uint32_t block = tables_take_block(&f.table, 0);
    while (f.table.to_collect.count != 0)
        plane_set_take(&f.table.to_collect, 0);
    tables_give_block(&f.table, block);
    CHECK(f.table.block[block].state == BLOCK_FULL);
    CHECK(victim_greedy(&f.table, 0) == block);
    CHECK(bitmap_has(f.table.to_collect.planes, 0));
}

TEST_CASE("a page of a table has ended when the programs of all its strips have ended, and failed if one has failed")
{
    tables_page page{10, 2, false};
    flash_status status = FLASH_PROGRAM_FAILED;
    CHECK_FALSE(tables_program_ended(&page, &status));
    status = FLASH_OK;
    REQUIRE(tables_program_ended(&page, &status));
    CHECK(status == FLASH_PROGRAM_FAILED);
    page = {10, 1, false};
    status = FLASH_OK;
    REQUIRE(tables_program_ended(&page, &status));
    CHECK(status == FLASH_OK);
}
