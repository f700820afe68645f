// SPDX-License-Identifier: Apache-2.0
//
// Finding and applying a copy of the tables.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

#include <algorithm>

using strobe::test::PolicyBench;

TEST_CASE("recovery tables: a part of a copy is found by generation and number")
{
    area_contents contents{};
    contents.generation[1] = 5;
    contents.generation[2] = 5;
    contents.part[2] = 1;
    CHECK(recovery_find(&contents, 0, 3, 5, 0) == 1);
    CHECK(recovery_find(&contents, 0, 3, 5, 1) == 2);
    CHECK(recovery_find(&contents, 0, 2, 5, 1) == NONE);
    CHECK(recovery_find(&contents, 0, 3, 4, 0) == NONE);
    CHECK(recovery_find(&contents, 2, 3, 5, 0) == NONE);
}

TEST_CASE("recovery tables: a part is also found behind a member whose program has failed after its first page")
{
    PolicyBench bench([](boot_block& boot) { boot.recover = 1; });
    superblock_map& sbm = bench.sbm;
    journal& journal = sbm.journal;
    bench.completeOperations();
    journal_copy_now(&sbm); // a whole image in memory, of generation 1
    auto& header = *reinterpret_cast<table_header*>(journal.image);
    header.bytes = 2 * 512;
    header.check = journal_tables_check(&journal, header.bytes / 4 - std::uint32_t{sizeof header / 4});
    area_contents& contents = sbm.recovery.scan.table[0];
    sbm.recovery.scan.newest = 1;
    for (std::uint32_t part = 0; part < journal.table_parts; ++part) {
        contents.generation[part + 1] = 1;
        contents.part[part + 1] = part;
    }
    contents.generation[0] = 1; // part 0, too
    bench.completeOperations([&](const flash_descriptor& d) {
        const std::uint32_t number = superblock_at(&sbm.superblocks, d.blocks);
        for (std::uint32_t i = 0; i <= journal.table_parts; ++i) {
            if (number == journal.table[0].member[i])
                std::fill_n(journal.spares, 4, flash_spare{{PAGE_TABLE, 1, contents.part[i], 0}});
        }
        return number == journal.table[0].member[0] && d.sectors != 1 ? FLASH_UNCORRECTABLE : FLASH_OK;
    });
    recovery_load_tables(&sbm);
    CHECK(sbm.recovery.tables.generation == 1);
}

TEST_CASE("recovery tables: an entry is live unless the log merged it, or the tables were copied after its merge")
{
    PolicyBench bench;
    superblock_map& sbm = bench.sbm;
    auto& header = *reinterpret_cast<table_header*>(sbm.journal.image);
    const std::uint32_t stamps[] = {6, 8};
    header.stamp = 10;
    header.stamps = 2;
    sbm.recovery.tables.stamps = stamps;
    CHECK(recovery_is_live(&sbm, 1, 11)); // younger than the copy
    CHECK(recovery_is_live(&sbm, 1, 8));  // was in the buffer when the tables were copied
    CHECK_FALSE(recovery_is_live(&sbm, 1, 7));
    recovery_merged(&sbm.journal)[1] = 8;
    CHECK_FALSE(recovery_is_live(&sbm, 1, 8));
    CHECK(recovery_is_live(&sbm, 1, 11));
    CHECK(recovery_is_live(&sbm, 2, 8)); // another superblock
}

TEST_CASE("recovery tables: the pool has the superblocks that are not mapped")
{
    PolicyBench bench;
    superblock_map& sbm = bench.sbm;
    const std::uint32_t all = sbm.superblocks.free[1].count;
    const std::uint32_t number = sbm.superblocks.free[1].member[0];
    set_mapped_superblock(&sbm, 3, number);
    recovery_rebuild_pool(&sbm);
    CHECK(sbm.superblocks.superblock[number].state == SUPERBLOCK_MAPPED);
    CHECK(sbm.superblocks.superblock[number].logical == 3);
    CHECK(sbm.superblocks.free[1].count == all - 1);
}

TEST_CASE("recovery tables: loaded members are kept until the next generation is complete, the rest is free")
{
    PolicyBench bench;
    superblock_map& sbm = bench.sbm;
    sbm.recovery.scan.newest = 9; // begun, but not complete
    sbm.recovery.tables.generation = 8;
    sbm.recovery.scan.table[0].generation[1] = 8;
    sbm.recovery.scan.table[0].generation[2] = 9;
    recovery_keep_loaded(&sbm);
    CHECK(sbm.journal.generation == 9);
    CHECK(sbm.journal.table[0].generation[1] == 9);
    CHECK(sbm.journal.table[0].generation[2] == 0);
    sbm.journal.table[0].last = 0;
    CHECK(area_next(&sbm.journal.table[0], sbm.journal.generation) == 2);
}
