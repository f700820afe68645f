// SPDX-License-Identifier: Apache-2.0
//
// One merge after the other: operations, and what changes when they end.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::PolicyBench;

namespace {

// A superblock that is mapped, with one entry that must be merged.
std::uint32_t due(PolicyBench& bench, std::uint32_t logical)
{
    const std::uint32_t entry = bench.write(logical, 0, 2);
    bench.sbm.buffer.entry[entry].must = true;
    return entry;
}

} // namespace

TEST_CASE("merge: erase, copy back with the sector table, then map, log and buffer change together")
{
    PolicyBench bench;
    superblock_map& sbm = bench.sbm;
    const std::uint32_t source = bench.map(1);
    const std::uint32_t entry = due(bench, 1);
    CHECK_FALSE(merge_run(&sbm));
    CHECK(bench.opcode(0) == FLASH_ERASE);
    const std::uint32_t target = bench.jobOf(0).target;
    CHECK(target != source);
    bench.end(0);
    CHECK(bench.opcode(0) == FLASH_COPYBACK);
    CHECK(bench.operation(0).source_blocks == superblock_blocks(&sbm.superblocks, source));
    CHECK(bench.operation(0).spare_address == entry_table_at(&sbm.buffer, entry));
    CHECK(mapped_superblock(&sbm, 1) == source); // until the copy is complete
    bench.end(0);
    CHECK(mapped_superblock(&sbm, 1) == target);
    CHECK(sbm.superblocks.superblock[target].state == SUPERBLOCK_MAPPED);
    CHECK(sbm.superblocks.superblock[source].state == SUPERBLOCK_LEAVING);
    CHECK(sbm.buffer.entry[entry].state == ENTRY_FREE);
    CHECK(sbm.jobs.busy == 0);
    REQUIRE(journal_pending(&sbm.journal.records) == 1);
    CHECK(journal_record(&sbm.journal.records, 0)->leaving == source);
}

TEST_CASE("merge: a superblock that is not mapped is programmed")
{
    PolicyBench bench;
    due(bench, 2);
    merge_run(&bench.sbm);
    bench.end(0);
    CHECK(bench.opcode(0) == FLASH_PROGRAM);
    bench.end(0);
    CHECK(bench.sbm.map[2] != 0);
}

TEST_CASE("merge: as many at a time as there are units")
{
    PolicyBench bench;
    for (std::uint32_t logical = 1; logical <= 3; ++logical)
        due(bench, logical);
    merge_run(&bench.sbm);
    CHECK(bench.sbm.jobs.busy == 2);
    CHECK(bench.jobOf(0).logical == 1);
    CHECK(bench.jobOf(1).logical == 2);
}

TEST_CASE("merge: an entry that contains only zeros is merged at once and unmaps the superblock")
{
    PolicyBench bench;
    const std::uint32_t source = bench.map(1);
    const std::uint32_t entry = entry_open(&bench.sbm.buffer, 1);
    for (std::uint32_t sector = 0; sector < PolicyBench::sectors; ++sector)
        buffer_trim(&bench.sbm.buffer, entry, sector);
    bench.sbm.buffer.entry[entry].must = true;
    CHECK(merge_run(&bench.sbm));
    CHECK(bench.sbm.map[1] == 0);
    CHECK(bench.sbm.superblocks.superblock[source].state == SUPERBLOCK_LEAVING);
    CHECK(bench.sbm.jobs.busy == 0);
    CHECK(bench.writes.empty()); // no operation
}

TEST_CASE("merge: a failed block of the destination is replaced and logged, and the merge begins again")
{
    PolicyBench bench;
    due(bench, 1);
    merge_run(&bench.sbm);
    const std::uint32_t target = bench.jobOf(0).target;
    bench.end(0);
    bench.end(0, FLASH_PROGRAM_FAILED, 1);
    CHECK(bench.opcode(0) == FLASH_ERASE);
    CHECK(bench.jobOf(0).target == target);
    CHECK(bench.sbm.superblocks.blocks[target * 2 + 1] == 26);
    REQUIRE(journal_pending(&bench.sbm.journal.records) == 1);
    CHECK(record_kind_of(journal_record(&bench.sbm.journal.records, 0)->word) == RECORD_REPLACE);
    CHECK(record_subject(journal_record(&bench.sbm.journal.records, 0)->word) == target);
}

TEST_CASE("merge: a source that cannot be read is tried again, then the drive turns read-only and keeps the entry")
{
    PolicyBench bench;
    const std::uint32_t source = bench.map(1);
    const std::uint32_t entry = due(bench, 1);
    merge_run(&bench.sbm);
    const std::uint32_t target = bench.jobOf(0).target;
    for (std::uint32_t attempt = 1; attempt <= MERGE_TRIES; ++attempt) {
        CHECK_FALSE(bench.sbm.read_only);
        bench.end(0);
        bench.end(0, FLASH_UNCORRECTABLE);
    }
    CHECK(bench.sbm.read_only);
    REQUIRE(bench.console.size() == 1);
    CHECK(bench.console[0] == "a superblock cannot be read and not be merged: the drive is read-only");
    CHECK(mapped_superblock(&bench.sbm, 1) == source);
    CHECK(bench.sbm.superblocks.superblock[target].state == SUPERBLOCK_FREE);
    CHECK(bench.sbm.buffer.entry[entry].state == ENTRY_MERGING);
}

TEST_CASE("merge: without a free superblock it waits for what will be freed, else the drive turns read-only")
{
    PolicyBench bench;
    const std::uint32_t entry = due(bench, 1);
    while (superblocks_take(&bench.sbm.superblocks, 1) != NONE) {
    }
    bench.sbm.read_progress.begun = 1; // a read may free one
    merge_run(&bench.sbm);
    CHECK(bench.sbm.buffer.entry[entry].starved);
    CHECK_FALSE(bench.sbm.read_only);
    bench.sbm.read_progress.ended = 1;
    merge_run(&bench.sbm);
    CHECK(bench.sbm.read_only);
}
