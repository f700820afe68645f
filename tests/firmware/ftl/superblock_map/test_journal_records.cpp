// SPDX-License-Identifier: Apache-2.0
//
// Records that wait for the log.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::Panic;
using strobe::test::PolicyBench;

TEST_CASE("journal records: a remap is unwritten for its superblock and stamp until the log has it")
{
    PolicyBench bench;
    journal_records& records = bench.sbm.journal.records;
    journal_remap(&records, 3, 7, 10, NONE);
    CHECK(journal_has_unwritten_remap(&records, 3, 3, 10));
    CHECK(journal_has_unwritten_remap(&records, 0, NONE, 11));
    CHECK_FALSE(journal_has_unwritten_remap(&records, 3, 3, 9));
    CHECK_FALSE(journal_has_unwritten_remap(&records, 4, 9, 10));
    records.covered = 1;
    journal_records_written(&bench.sbm);
    CHECK_FALSE(journal_has_unwritten_remap(&records, 3, 3, 10));
}

TEST_CASE("journal records: replaced blocks are not owed to a command")
{
    PolicyBench bench;
    const std::uint32_t number = bench.map(1);
    CHECK(journal_replace_block(&bench.sbm, number, 0));
    CHECK(journal_pending(&bench.sbm.journal.records) == 1);
    CHECK_FALSE(journal_has_unwritten_remap(&bench.sbm.journal.records, 0, NONE, 100));
}

TEST_CASE("journal records: settling frees the superblocks of covered records only")
{
    PolicyBench bench;
    superblock_map& sbm = bench.sbm;
    const std::uint32_t first = bench.map(1);
    const std::uint32_t second = bench.map(3);
    journal_remap(&sbm.journal.records, 1, NONE, 1, first);
    journal_remap(&sbm.journal.records, 3, NONE, 2, second);
    sbm.journal.records.covered = 1;
    sbm.journal.writing = true;
    journal_records_written(&sbm);
    CHECK(sbm.superblocks.superblock[first].state == SUPERBLOCK_FREE);
    CHECK(sbm.superblocks.superblock[second].state == SUPERBLOCK_MAPPED);
    CHECK(journal_pending(&sbm.journal.records) == 1);
    CHECK_FALSE(sbm.journal.writing);
}

TEST_CASE("journal records: there is space as long as every unit can record its work; more is a panic")
{
    PolicyBench bench;
    journal_records& records = bench.sbm.journal.records;
    const std::uint32_t reserve = 4 * PolicyBench::units + 4;
    for (std::uint32_t i = 0; i < records.most - reserve; ++i)
        journal_remap(&records, 1, 2, i, NONE);
    CHECK(journal_has_room(&bench.sbm));
    journal_remap(&records, 1, 2, 0, NONE);
    CHECK_FALSE(journal_has_room(&bench.sbm));
    while (journal_pending(&records) < records.most)
        journal_remap(&records, 1, 2, 0, NONE);
    CHECK_THROWS_AS(journal_remap(&records, 1, 2, 0, NONE), Panic);
}

TEST_CASE("journal records: a failed block that cannot be recorded makes the drive read-only, and merges can still end")
{
    PolicyBench bench;
    superblock_map& sbm = bench.sbm;
    journal_records& records = sbm.journal.records;
    const std::uint32_t number = bench.map(1);
    while (journal_pending(&records) + PolicyBench::units < records.most)
        journal_remap(&records, 1, 2, 0, NONE);
    CHECK_FALSE(journal_replace_block(&sbm, number, 0));
    CHECK(sbm.read_only);
    CHECK(bench.console.size() == 1);
    for (std::uint32_t unit = 0; unit < PolicyBench::units; ++unit)
        CHECK_NOTHROW(journal_remap(&records, 1, 2, 0, NONE));
}
