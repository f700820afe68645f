// SPDX-License-Identifier: Apache-2.0
//
// Which blocks are due, why and when their data may move, from the block table and descriptors alone.
#include "tests/firmware/ftl/page_map/filled_blocks.h"
#include "tests/support/catch.h"

#include <array>

using namespace strobe::test;

namespace {

struct Fixture : FilledBlocks {
    ::refresh refresh{};
    boot_block boot{};

    explicit Fixture(std::uint32_t reads, std::uint32_t age = 0, std::uint32_t bits = 0)
    {
        boot.refresh_reads = reads;
        boot.refresh_age = age;
        boot.scrub_interval = bits != 0 ? 100 : 0;
        boot.scrub_bits = bits;
        refresh_init(&refresh, &hal.arena, &boot, &g);
        clear();
    }
    void clear()
    {
        while (table.to_collect.count != 0)
            plane_set_take(&table.to_collect, 0);
    }
    // `tries`: that failed before; `senses` above 1: the last one was soft.
    void read(std::uint32_t block, std::uint32_t tries = 0, std::uint32_t corrected = 0, flash_status status = FLASH_OK,
              std::uint32_t senses = 1)
    {
        flash_descriptor d{};
        d.control = FLASH_READ;
        if (tries != 0)
            d.control |= FLASH_DESCRIPTOR_CONTROL_READ_OPTION_MASK;
        d.source_blocks = 2 | senses << 8 | tries << 12;
        d.blocks = block;
        d.status = static_cast<std::uint32_t>(status) | corrected << FLASH_DESCRIPTOR_STATUS_PAGE_SHIFT;
        refresh_operation_ended(&refresh, &table, &d, status);
    }
    std::uint32_t choose(bool needsSpace = false) { return refresh_choose(&refresh, &table, 0, needsSpace); }
};

} // namespace

TEST_CASE("a block that was read as often as the limit is due, and its plane is to be examined")
{
    Fixture f(5);
    const std::uint32_t block = f.fill(8);
    f.clear();
    for (int i = 0; i < 4; ++i)
        f.read(block);
    CHECK(f.table.block[block].due == REFRESH_NOT_DUE);
    CHECK(f.choose() == NONE);
    f.read(block);
    CHECK(f.table.block[block].due == REFRESH_DUE_BY_READS);
    CHECK(f.table.to_collect.count == 1);
    CHECK(f.choose() == block);
    CHECK(f.table.block[block].state == BLOCK_COLLECTING);
}

TEST_CASE("retries and soft senses are reads, programs and erases are not")
{
    Fixture f(100);
    const std::uint32_t block = f.fill(8);
    f.read(block, 3);
    CHECK(f.refresh.reads[block] == 4);
    f.read(block, 2, 0, FLASH_OK, 5);
    CHECK(f.refresh.reads[block] == 4 + 3 + 4);
    flash_descriptor program{};
    program.control = FLASH_PROGRAM;
    program.blocks = block;
    refresh_operation_ended(&f.refresh, &f.table, &program, FLASH_OK);
    CHECK(f.refresh.reads[block] == 11);
}

TEST_CASE("an erase sets the counts of all members of a block to zero")
{
    Fixture f(5);
    const std::uint32_t block = f.fill(8);
    for (int i = 0; i < 5; ++i)
        f.read(block);
    REQUIRE(f.choose() == block);
    blocks_erased(&f.table, block);
    refresh_erased(&f.refresh, &f.g, block);
    refresh_moved(&f.refresh, &f.table);
    CHECK(f.refresh.reads[block] == 0);
    CHECK(f.refresh.moving == 0);
    CHECK(f.table.block[block].due == REFRESH_NOT_DUE);
    CHECK(f.choose() == NONE);
    CHECK(f.refresh.waiting.count == 0);
}

TEST_CASE("an open block that is due is closed, and moves when its programs have ended")
{
    Fixture f(1);
    const std::uint32_t block = blocks_take_page(&f.table, 0, STREAM_HOST, 0) / 8;
    f.read(block);
    f.clear();
    CHECK(f.choose() == NONE);
    CHECK(f.table.plane[0].open[STREAM_HOST] == NONE);
    CHECK(f.table.to_collect.count == 0);
    blocks_program_ended(&f.table, block);
    CHECK(f.table.to_collect.count == 1);
    CHECK(f.choose() == block);
}

TEST_CASE("free blocks hold nothing that could be due")
{
    Fixture f(1);
    f.read(3);
    CHECK(f.table.block[3].due == REFRESH_NOT_DUE);
    CHECK(f.refresh.waiting.count == 0);
}

TEST_CASE("a block is due by its age since it was found in use, and an erase begins anew")
{
    Fixture f(0, 5);
    constexpr std::uint64_t ms = 1'000'000;
    const std::uint32_t block = f.fill(8);
    const auto compare = [&f](std::uint64_t now) { refresh_compare_ages(&f.refresh, &f.table, 0, 8, now); };
    compare(7 * ms);
    compare(12 * ms - 1);
    CHECK(f.table.block[block].due == REFRESH_NOT_DUE);
    compare(12 * ms);
    CHECK(f.table.block[block].due == REFRESH_DUE_BY_AGE);
    CHECK(f.choose() == block);
    blocks_erased(&f.table, block);
    refresh_erased(&f.refresh, &f.g, block);
    CHECK(f.refresh.since[block] == 0);
    for (int i = 0; i < 8; ++i)
        f.fill(8);
    compare(13 * ms);
    CHECK(f.table.block[block].due == REFRESH_NOT_DUE);
}

TEST_CASE("errors make a block due: enough corrected bits, a retry, or a failure")
{
    Fixture f(0, 0, 40);
    std::array<std::uint32_t, 4> blocks{};
    for (std::uint32_t& block : blocks)
        block = f.fill(8);
    f.read(blocks[0], 0, 39);
    f.read(blocks[1], 0, 40);
    f.read(blocks[2], 1, 0);
    f.read(blocks[3], 0, 0, FLASH_UNCORRECTABLE);
    CHECK(f.table.block[blocks[0]].due == REFRESH_NOT_DUE);
    for (std::size_t i = 1; i < blocks.size(); ++i)
        CHECK(f.table.block[blocks[i]].due == REFRESH_DUE_BY_ERRORS);
}

TEST_CASE("without a limit of bits only retries and failures count, and without scrubbing nothing does")
{
    Fixture f(1'000);
    const std::uint32_t block = f.fill(8);
    f.read(block, 1, 100);
    CHECK(f.table.block[block].due == REFRESH_NOT_DUE);
    f.refresh.checks_errors = true;
    f.read(block, 0, 100);
    CHECK(f.table.block[block].due == REFRESH_NOT_DUE);
    f.read(block, 1, 0);
    CHECK(f.table.block[block].due == REFRESH_DUE_BY_ERRORS);
}

TEST_CASE("data that is due leaves the last free blocks to the host, and failed blocks go first")
{
    Fixture f(1);
    const std::uint32_t block = f.fill(8);
    f.read(block);
    const std::uint32_t free = f.table.plane[0].free;
    f.table.plane[0].free = GC_RESERVE;
    CHECK(f.choose() == NONE);
    f.table.plane[0].free = free;
    const std::uint32_t failed = blocks_take_page(&f.table, 0, STREAM_HOST, 0) / 8;
    blocks_fail(&f.table, failed);
    blocks_program_ended(&f.table, failed);
    CHECK(f.choose() == NONE);
    REQUIRE(blocks_take_failed(&f.table, 0) == failed);
    CHECK(f.choose() == block);
}

TEST_CASE("while a plane needs space, a block that is due has a turn after some others")
{
    Fixture f(1);
    f.read(f.fill(8));
    f.read(f.fill(8));
    for (std::uint32_t i = 0; i < REFRESH_TURN; ++i) {
        CHECK(f.choose(true) == NONE);
        refresh_collected_other(&f.refresh, 0);
    }
    CHECK(f.choose(true) != NONE);
    refresh_moved(&f.refresh, &f.table);
    CHECK(f.choose(true) == NONE);
    f.table.plane[0].dry = true; // nothing else can be collected
    CHECK(f.choose(true) != NONE);
}

TEST_CASE("few planes move data that is due at a time, and the others are examined when one has ended")
{
    FakeHal hal;
    const geometry g = geometryOf(4, 4, 1, 1, 8, 8);
    block_table table{};
    blocks_init(&table, &hal.arena, &g);
    for (std::uint32_t block = 0; block < g.blocks; ++block)
        blocks_add_free(&table, block);
    boot_block boot{};
    boot.refresh_age = 1;
    ::refresh refresh{};
    refresh_init(&refresh, &hal.arena, &boot, &g);
    for (std::uint32_t plane = 0; plane < 4; ++plane) {
        for (int page = 0; page < 8; ++page)
            blocks_program_ended(&table, blocks_take_page(&table, plane, STREAM_HOST, 0) / 8);
    }
    refresh_compare_ages(&refresh, &table, 0, g.blocks, 1);
    refresh_compare_ages(&refresh, &table, 0, g.blocks, 10'000'000);
    REQUIRE(refresh.waiting.count == 4);
    CHECK(refresh_choose(&refresh, &table, 0, false) != NONE);
    CHECK(refresh_choose(&refresh, &table, 1, false) != NONE);
    CHECK(refresh_choose(&refresh, &table, 2, false) == NONE); // an eighth of 16
    while (table.to_collect.count != 0)
        plane_set_take(&table.to_collect, 0);
    refresh_moved(&refresh, &table);
    CHECK(plane_set_has(&table.to_collect, 2));
    CHECK(plane_set_has(&table.to_collect, 3));
    CHECK(refresh_choose(&refresh, &table, 2, false) != NONE);
}

TEST_CASE("a block of the flash belongs to the block of the layer of which it is a member")
{
    boot_block boot{};
    boot.channels = boot.ways = 2;
    boot.luns = 1;
    boot.planes = 2;
    boot.blocks_per_plane = 5;
    boot.pages_per_block = 4;
    boot.page_bytes = boot.mapping_unit = 2048;
    boot.program_pages = 1;
    boot.row_planes = GENERATE(1U, 2U);
    boot.superblock_dies = GENERATE(1U, 2U, 4U);
    CAPTURE(boot.row_planes, boot.superblock_dies);
    geometry g = geometry_of(&boot);
    std::array<std::uint16_t, 4 * 2 * 5> members{}; // the second block of each plane is bad
    for (std::size_t plane = 0; plane < 8; ++plane) {
        for (std::uint16_t i = 0; i < 4; ++i)
            members[plane * 5 + i] = static_cast<std::uint16_t>(i == 0 ? 0 : i + 1);
    }
    g.members = members.data();
    for (std::uint32_t plane = 0; plane < g.planes; ++plane) {
        for (std::uint32_t i = 0; i < 4; ++i) {
            const std::uint32_t block = block_in_plane(&g, plane, i);
            for (std::uint32_t member = 0; member < geometry_members(&g); ++member) {
                const flash_place at = geometry_member(&g, block, member);
                CHECK(geometry_block_at(&g, at.die, at.block) == block);
            }
        }
    }
}
