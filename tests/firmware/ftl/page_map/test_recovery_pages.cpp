// SPDX-License-Identifier: Apache-2.0
//
// The two sweeps of recovery: first pages of all blocks, then all pages of data that no checkpoint covers.
#include "tests/firmware/ftl/page_map/recovery_bench.h"

using namespace strobe::test;

namespace {

void sweepFirst(RecoveryBench& b)
{
    b.runUntil(recovery_read_first_pages);
}

void sweepData(RecoveryBench& b)
{
    b.runUntil(recovery_read_data_pages);
}

} // namespace

TEST_CASE("recovery pages: the first page says what a block holds", "[recovery]")
{
    RecoveryBench b({}, {9});
    b.put(1, 0, 5, 10);
    b.put(2, 0, 0, 3, SPARE_JOURNAL);
    b.put(3, 0, 0, 1, SPARE_CHECKPOINT);
    b.put(4, 0, 6, 11);
    b.flash.pages[{0, 4, 0}].isTorn = true;
    b.put(5, 0, 7, 12, SPARE_MOVED);
    b.flash.pages[{0, 5, 0}].isUncorrectable = true; // its record has its own code
    b.flash.put({0, 6, 0}, {{1, 2, 3, 4}});          // no record
    sweepFirst(b);
    const std::uint32_t expected[] = {FIRST_BLANK,   FIRST_DATA, FIRST_JOURNAL, FIRST_CHECKPOINT,
                                      FIRST_UNKNOWN, FIRST_DATA, FIRST_UNKNOWN, FIRST_BLANK};
    for (std::uint32_t block = 0; block < 8; ++block) {
        CAPTURE(block);
        CHECK(b.firstOf(block).kind == expected[block]);
    }
    CHECK(spare_subject(&b.firstOf(1).spare) == 5);
    CHECK(b.firstOf(2).spare.word[1] == 3);
    CHECK(b.flash.reads == 15); // bad blocks are not read
}

TEST_CASE("recovery pages: a read that fails without data is not blank", "[recovery]")
{
    RecoveryBench b;
    b.flash.outcome = [](const flash_descriptor& operation) {
        return operation.blocks == 3 ? FLASH_UNCORRECTABLE : FLASH_OK;
    };
    sweepFirst(b);
    CHECK(b.firstOf(3).kind == FIRST_UNKNOWN);
    CHECK(b.firstOf(2).kind == FIRST_BLANK);
}

TEST_CASE("recovery pages: data pages are mapped by their records, and blank ones tell where a block has room",
          "[recovery]")
{
    RecoveryBench b;
    for (std::uint32_t page = 0; page < 8; ++page)
        b.put(1, page, page, 10 + page);
    for (std::uint32_t page = 0; page < 3; ++page)
        b.put(2, page, 4 + page, 30 + page); // newer versions of 4, 5 and 6
    b.put(3, 0, 0, 5, SPARE_JOURNAL);
    sweepData(b);
    CHECK(b.placeOf(3) == 1 * 8 + 3);
    CHECK(b.placeOf(4) == 2 * 8);
    CHECK(b.placeOf(6) == 2 * 8 + 2);
    CHECK(b.placeOf(7) == 1 * 8 + 7);
    CHECK(b.placeOf(8) == MAP_UNMAPPED);
    CHECK(b.state.versions.highest == 32);
    CHECK_FALSE(b.firstOf(1).has_room);
    CHECK(b.firstOf(1).taken == 8);
    CHECK(b.firstOf(2).has_room);
    CHECK(b.firstOf(2).taken == 3);
}

TEST_CASE("recovery pages: on single dies each block is read up to its end, and blank blocks and tables not at all",
          "[recovery]")
{
    RecoveryBench b;
    b.put(1, 0, 3, 10);
    b.put(2, 0, 0, 5, SPARE_JOURNAL);
    b.put(2, 1, 4, 11); // not a page of data, whatever it holds
    sweepFirst(b);
    const std::uint32_t before = b.flash.reads;
    b.run(recovery_prepare_versions);
    b.run(recovery_read_data_pages);
    CHECK(b.flash.reads - before <= 1 + 2 * RECOVERY_DEPTH); // reads in progress may be beyond the first blank page
    CHECK(b.placeOf(4) == MAP_UNMAPPED);
}

TEST_CASE("recovery pages: a torn page hides nothing that was programmed after it", "[recovery]")
{
    RecoveryBench b;
    b.put(1, 0, 3, 10);
    b.flash.pages[{0, 1, 0}].isTorn = true;
    b.put(1, 1, 4, 11);
    b.put(1, 2, 5, 12);
    b.flash.pages[{0, 1, 2}].isUncorrectable = true;
    sweepData(b);
    CHECK(b.firstOf(1).kind == FIRST_UNKNOWN);
    CHECK(b.placeOf(3) == MAP_UNMAPPED);
    CHECK(b.placeOf(4) == 9);
    CHECK(b.placeOf(5) == 10); // reads of it fail later
    CHECK(b.firstOf(1).taken == 3);
}

TEST_CASE("recovery pages: pages that the checkpoint covers are not read", "[recovery]")
{
    RecoveryBench b;
    for (std::uint32_t page = 0; page < 5; ++page)
        b.put(1, page, page, 10 + page);
    sweepFirst(b);
    b.run(recovery_prepare_versions);
    b.layer.checkpoint.covered[1] = 3;
    b.run(recovery_read_data_pages);
    CHECK(b.placeOf(2) == MAP_UNMAPPED);
    CHECK(b.placeOf(3) == 11);
    CHECK(b.placeOf(4) == 12);
    CHECK(b.firstOf(1).taken == 5);
}

TEST_CASE("recovery pages: the number of a version that the checkpoint names is read before another one replaces it",
          "[recovery]")
{
    for (const std::uint32_t found : {19u, 21u}) {
        CAPTURE(found);
        RecoveryBench b;
        b.put(1, 0, 3, 20);
        b.put(2, 0, 3, found);
        sweepFirst(b);
        b.run(recovery_prepare_versions);
        b.layer.checkpoint.covered[1] = 1;
        b.layer.map.physical[3] = 8; // block 1, page 0
        b.run(recovery_read_data_pages);
        CHECK(b.placeOf(3) == (found > 20 ? 16 : 8));
        CHECK(b.state.versions.sequence[3] == (found > 20 ? 21 : 20));
    }
}

TEST_CASE("recovery pages: a version whose record cannot be read is older than any other", "[recovery]")
{
    RecoveryBench b;
    b.put(1, 0, 3, 20);
    b.flash.pages[{0, 1, 0}].isTorn = true;
    b.put(2, 0, 3, FIRST_SEQUENCE);
    sweepFirst(b);
    b.run(recovery_prepare_versions);
    b.layer.checkpoint.covered[1] = 1;
    b.layer.map.physical[3] = 8;
    b.run(recovery_read_data_pages);
    CHECK(b.placeOf(3) == 16);
}

TEST_CASE("recovery pages: each unit of a page takes part with its own record", "[recovery]")
{
    RecoveryBench b([](boot_block& boot) {
        boot.page_bytes = 8192;
        boot.mapping_unit = 4096;
        boot.buffer_size = 128 * 4096;
    });
    b.flash.pages[{0, 1, 0}].records = {spare_record(3, 10, SPARE_HOST, 0), spare_record(4, 11, SPARE_HOST, 0)};
    b.flash.pages[{0, 1, 1}].records = {spare_record(4, 12, SPARE_HOST, 0), {{NONE, NONE, NONE, NONE}}};
    sweepData(b);
    CHECK(b.placeOf(3) == unit_of_page(&b.layer.geometry, 1, 0));
    CHECK(b.placeOf(4) == unit_of_page(&b.layer.geometry, 1, 1));
    CHECK(b.state.versions.highest == 12);
}

TEST_CASE("recovery pages: with groups of dies any die's first page may be the only one that was programmed",
          "[recovery]")
{
    RecoveryBench b([](boot_block& boot) { boot.channels = boot.superblock_dies = 2; });
    b.flash.put({1, 4, 0}, spare_record(7, 10, SPARE_HOST, 0)); // the second die of block 4
    b.flash.put({0, 5, 0}, spare_record(8, 11, SPARE_HOST, 0)); // the first die of block 5
    b.flash.put({0, 6, 0}, spare_record(9, 12, SPARE_HOST, 0)); // both dies of block 6, torn in the second
    b.flash.put({1, 6, 0}, spare_record(9, 12, SPARE_HOST, 0));
    b.flash.pages[{1, 6, 0}].isTorn = true;
    sweepFirst(b);
    for (std::uint32_t block = 4; block < 7; ++block) {
        CHECK(b.firstOf(block).kind == FIRST_DATA);
        CHECK(spare_subject(&b.firstOf(block).spare) == block + 3);
    }
    CHECK(b.firstOf(3).kind == FIRST_BLANK);
    CHECK(b.flash.reads == 32);
}

TEST_CASE("recovery pages: with groups of dies the sweep passes blank pages of a die that lags behind", "[recovery]")
{
    RecoveryBench b([](boot_block& boot) {
        boot.channels = boot.superblock_dies = 2;
        boot.pages_per_block = 32;
        boot.buffer_size = 128 * 2048;
        boot.overprovision_permille = 900;
    });
    for (std::uint32_t page = 0; page < 6; ++page)
        b.flash.put({1, 4, page}, spare_record(7 + page, 10 + page, SPARE_HOST, 0));
    sweepFirst(b);
    const std::uint32_t before = b.flash.reads;
    b.run(recovery_prepare_versions);
    b.run(recovery_read_data_pages);
    CHECK(b.placeOf(12) == unit_of_page(&b.layer.geometry, 4, 11)); // page 5 of the second die
    CHECK(b.firstOf(4).taken == 12);
    CHECK(b.firstOf(4).has_room);
    const std::uint32_t blanks = (1 + recovery_depth(&b.layer.geometry)) * 2; // one after the other
    CHECK(b.flash.reads - before >= 12 + blanks);
    CHECK(b.flash.reads - before < 12 + blanks + recovery_depth(&b.layer.geometry)); // of 64
}

TEST_CASE("recovery pages: a first page without a record is read in pSLC mode too, and gives the block that mode",
          "[recovery]")
{
    RecoveryBench b([](boot_block& boot) {
        boot.program_pages = 3;
        boot.pages_per_block = 24;
        boot.pslc_pages = 8;
        boot.buffer_size = 256 * 2048;
    });
    b.flash.put({0, 2, 0}, spare_record(5, 10, SPARE_HOST, 0), true);
    b.flash.put({0, 2, 1}, spare_record(6, 11, SPARE_HOST, 0), true);
    b.flash.put({0, 3, 0}, spare_record(7, 12, SPARE_HOST, 0));
    b.flash.put({0, 4, 0}, spare_record(8, 13, SPARE_HOST, 0));
    b.flash.pages[{0, 4, 0}].isTorn = true;
    sweepData(b);
    CHECK(b.blockOf(2).slc);
    CHECK(b.firstOf(2).kind == FIRST_DATA);
    CHECK_FALSE(b.blockOf(3).slc);
    CHECK_FALSE(b.blockOf(4).slc);
    CHECK(b.firstOf(4).kind == FIRST_UNKNOWN);
    CHECK(b.layer.blocks.plane[0].slc == 1);
    CHECK(b.placeOf(6) == unit_of_page(&b.layer.geometry, 2, 1));
}
