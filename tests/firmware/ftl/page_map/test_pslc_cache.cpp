// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

#include <vector>

using namespace strobe::test;

namespace {

constexpr std::uint32_t planes = 4;
constexpr std::uint32_t blocksPerPlane = 8;
constexpr std::uint32_t wordLines = 4;
constexpr std::uint32_t bits = 3;

// Four dies of one plane, word lines of three pages; all blocks free.
struct Fixture {
    FakeHal hal;
    geometry g = geometryOf(planes, 1, 1, 1, blocksPerPlane, wordLines* bits, 4096, 4096, bits);
    block_table table{};
    boot_block boot{};

    explicit Fixture(std::uint32_t mode, std::uint32_t blocks = 2)
    {
        g.slc_pages = wordLines;
        boot.pslc_cache = mode;
        boot.pslc_cache_blocks = blocks;
        boot.pslc_cache_resume = 500;
        blocks_init(&table, &hal.arena, &g);
        table.slc_reserved = mode == PSLC_CACHE_MODE_STATIC ? blocks : 0;
        for (std::uint32_t block = 0; block < g.blocks; ++block)
            blocks_add_free(&table, block);
    }
    pslc_cache cache(std::uint32_t low = 2) const { return pslc_cache_of(&boot, &g, low); }

    // Takes pages of a plane until its open block of cached data is full; all its units are valid.
    std::uint32_t fill(std::uint32_t plane)
    {
        std::uint32_t block = NONE;
        for (std::uint32_t page = 0; page < wordLines; ++page) {
            block = block_of_unit(&g, blocks_take_page(&table, plane, STREAM_SLC, 0));
            blocks_unit_valid(&table, block);
            blocks_program_ended(&table, block);
        }
        return block;
    }
    void empty(std::uint32_t block)
    {
        blocks_collect(&table, block);
        table.block[block].valid = 0;
        blocks_erased(&table, block);
    }
};

} // namespace

TEST_CASE("without a mode, or without a part that has pSLC, host data is not cached")
{
    const Fixture none(PSLC_CACHE_MODE_NONE);
    CHECK(none.cache().most == 0);
    Fixture f(PSLC_CACHE_MODE_DYNAMIC);
    f.g.slc_pages = 0;
    const pslc_cache cache = f.cache();
    CHECK(pslc_cache_stream(&cache) == STREAM_HOST);
}

TEST_CASE("a block of cached data has one page for each word line, and leaves pSLC mode when it is erased")
{
    Fixture f(PSLC_CACHE_MODE_DYNAMIC);
    const std::uint32_t block = f.fill(1);
    CHECK(f.table.block[block].state == BLOCK_FULL);
    CHECK(f.table.block[block].slc);
    CHECK(f.table.plane[1].slc == 1);
    f.empty(block);
    CHECK_FALSE(f.table.block[block].slc);
    CHECK(f.table.plane[1].slc == 0);
}

TEST_CASE("pages of pSLC blocks are one flash page in each strip")
{
    Fixture f(PSLC_CACHE_MODE_DYNAMIC);
    const std::uint32_t first = blocks_take_page(&f.table, 2, STREAM_SLC, 0);
    const std::uint32_t second = blocks_take_page(&f.table, 2, STREAM_SLC, 0);
    CHECK(second - first == f.g.units_per_page);
    CHECK(blocks_units_of_page(&f.table, STREAM_SLC) == 1);
    const flash_place place = blocks_place(&f.table, second, 3);
    CHECK(place.die == 2);
    CHECK(place.pslc);
    CHECK(place.sector == f.g.sectors_per_flash_page + 3);
    const std::uint32_t direct = blocks_take_page(&f.table, 2, STREAM_HOST, 0);
    CHECK_FALSE(blocks_place(&f.table, direct, 0).pslc);
}

TEST_CASE("a dynamic cache takes blocks up to its size, and only while planes have free blocks left")
{
    Fixture f(PSLC_CACHE_MODE_DYNAMIC, 5);
    const pslc_cache cache = f.cache(4); // keeps 4 of 8 free
    std::uint32_t taken = 0;
    for (; pslc_cache_has_room(&cache, &f.table, 0) && taken < 8; ++taken)
        f.fill(0);
    CHECK(taken == 4);
    Fixture small(PSLC_CACHE_MODE_DYNAMIC, 2);
    const pslc_cache two = small.cache(4);
    for (taken = 0; pslc_cache_has_room(&two, &small.table, 0) && taken < 8; ++taken)
        small.fill(0);
    CHECK(taken == 2);
}

TEST_CASE("host data goes directly when fewer than half of the planes take more, until the cache is half empty")
{
    Fixture f(PSLC_CACHE_MODE_DYNAMIC, 2);
    pslc_cache cache = f.cache();
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t plane = 0; plane < planes; ++plane) {
        blocks.push_back(f.fill(plane));
        blocks.push_back(f.fill(plane));
    }
    CHECK_FALSE(pslc_cache_update(&cache, &f.table, 2));
    CHECK(pslc_cache_update(&cache, &f.table, 1));
    CHECK(pslc_cache_stream(&cache) == STREAM_HOST);
    for (std::uint32_t i = 0; i < 3; ++i)
        f.empty(blocks[2 * i]);
    CHECK_FALSE(pslc_cache_update(&cache, &f.table, 0)); // five blocks of eight
    f.empty(blocks[6]);
    CHECK(pslc_cache_update(&cache, &f.table, 0));
    CHECK(pslc_cache_stream(&cache) == STREAM_SLC);
}

TEST_CASE("the blocks of a reserved cache are for cached data only, and are no victims for space")
{
    Fixture f(PSLC_CACHE_MODE_STATIC, 3);
    CHECK(blocks_free(&f.table, 0) == blocksPerPlane - 3);
    const std::uint32_t block = f.fill(0);
    CHECK(blocks_free(&f.table, 0) == blocksPerPlane - 3);
    CHECK(f.table.plane[0].full == 0);
    CHECK(pslc_cache_oldest(&f.table, 0) == block);
    f.empty(block);
    CHECK(blocks_free(&f.table, 0) == blocksPerPlane - 3);
    CHECK(f.table.plane[0].free == blocksPerPlane);
}

TEST_CASE("the oldest block of cached data is folded first")
{
    Fixture f(PSLC_CACHE_MODE_DYNAMIC, 4);
    const std::uint32_t first = f.fill(3);
    const std::uint32_t second = f.fill(3);
    CHECK(pslc_cache_oldest(&f.table, 3) == first);
    f.fill(0);
    blocks_unit_invalid(&f.table, first); // changed last
    CHECK(pslc_cache_oldest(&f.table, 3) == second);
    CHECK(pslc_cache_oldest(&f.table, 1) == NONE);
}
